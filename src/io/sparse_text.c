/*
 * A sparse matrix in a text file. The first number is its kind: 1 triplets, 2 compressed columns, 3
 * compressed rows, 4 half triplets (one triangle of a symmetric matrix). Lines as CSparse prints
 * them follow:
 *
 *     a banner
 *     m-by-n, nzmax: N nnz: K, 1-norm: x      after "csr: " for rows, "triplet: " for triplets
 *     col j : locations a to b                columns; "row j" for rows
 *       i : value                             b - a + 1 times
 *     i j : value                             triplets, K times
 */
#include "io/sparse_text.h"

#include "io/columns.h"
#include "base/text/number.h"
#include "io/text.h"

#include <stdio.h>

enum { kind_triplet = 1, kind_columns, kind_rows, kind_half };

static const struct {
  const char *storage; /* name of the storage */
  const char *prefix;  /* of the line of sizes */
  const char *line;    /* first word of a column or row */
} kinds[] = {
    [kind_triplet] = {"triplet", "triplet: ", NULL},
    [kind_columns] = {"columns", "", "col"},
    [kind_rows] = {"rows", "csr: ", "row"},
    [kind_half] = {"half triplet", "triplet: ", NULL},
};

/* ---- the line of sizes ---- */

/* Moves *at behind `literal`, if that stands there. */
static bool skip_literal(const char **at, const char *end, const char *literal) {
  size_t size = strlen(literal);
  if ((size_t)(end - *at) < size || memcmp(*at, literal, size) != 0) return false;
  *at += size;
  return true;
}

static bool scan_int(const char **at, const char *end, int *value) {
  const char *start = *at;
  while (*at < end && **at >= '0' && **at <= '9') ++*at;
  return nsds_parse_int(start, (size_t)(*at - start), value);
}

static bool scan_sizes(const char *at, const char *end, const char *prefix, int *m, int *n,
                       int *nzmax, int *count) {
  return skip_literal(&at, end, prefix) && scan_int(&at, end, m) &&
         skip_literal(&at, end, "-by-") && scan_int(&at, end, n) &&
         skip_literal(&at, end, ", nzmax: ") && scan_int(&at, end, nzmax) &&
         skip_literal(&at, end, " nnz: ") && scan_int(&at, end, count);
}

/* Reads the rest of the line of the kind, the banner, the sizes. */
static nsds_status read_header(nsds_text *text, int nrow, int ncolumn, int kind, int *count) {
  const char *line;
  size_t size;
  int rows, columns, nzmax;
  nsds_text_rest_of_line(text, &line, &size);
  nsds_text_line(text, &line, &size); /* the banner */
  nsds_text before = *text;
  nsds_text_line(text, &line, &size);
  if (scan_sizes(line, line + size, kinds[kind].prefix, &rows, &columns, &nzmax, count) &&
      rows == nrow && columns == ncolumn && *count <= nzmax &&
      ((nrow > 0 && ncolumn > 0) || *count == 0))
    return nsds_text_room(text, "the entries", 3 * (size_t)*count);
  *text = before;
  return nsds_text_expected(text, "a line \"%s%d-by-%d, nzmax: N nnz: K\" with K up to N",
                            kinds[kind].prefix, nrow, ncolumn);
}

/* ---- entries ---- */

static nsds_status read_value(nsds_text *text, double *value) {
  nsds_text_word(text, ":");
  return nsds_text_reals(text, "the value of an entry", 1, value);
}

/* Reads columns or rows: their numbers go to `major`, those of their entries to `minor`. */
static nsds_status read_compressed(nsds_text *text, int kind, const nsds_triplets *entries,
                                   int *major, int *minor) {
  int used = 0, count = (int)entries->count, number, first, last;
  int nline = kind == kind_rows ? entries->nrow : entries->ncolumn;
  int most = kind == kind_rows ? entries->ncolumn - 1 : entries->nrow - 1;
  for (int j = 0; j < nline && !text->status; ++j) {
    nsds_text_word(text, kinds[kind].line);
    nsds_text_int(text, "its number", j, j, &number);
    nsds_text_word(text, ":");
    nsds_text_word(text, "locations");
    nsds_text_int(text, "the first location", used, used, &first);
    nsds_text_word(text, "to");
    nsds_text_int(text, "the last location", j + 1 == nline ? count - 1 : used - 1, count - 1,
                  &last);
    for (; !text->status && used <= last; ++used) {
      major[used] = j;
      nsds_text_int(text, kind == kind_rows ? "a column" : "a row", 0, most, &minor[used]);
      read_value(text, &entries->x[used]);
    }
  }
  return text->status;
}

static nsds_status read_triplets(nsds_text *text, const nsds_triplets *entries) {
  for (size_t k = 0; k < entries->count && !text->status; ++k) {
    nsds_text_int(text, "a row", 0, entries->nrow - 1, &entries->row[k]);
    nsds_text_int(text, "a column", 0, entries->ncolumn - 1, &entries->column[k]);
    read_value(text, &entries->x[k]);
  }
  return text->status;
}

/* Reads a half triplet: entry (i, j), i != j, gives (j, i) too, and all lie on one side. */
static nsds_status read_half(nsds_text *text, int n, nsds_triplets *entries) {
  size_t count = entries->count / 2, used = 0;
  int side = 0;
  for (size_t k = 0; k < count && !text->status; ++k) {
    int row, column;
    nsds_text_int(text, "a row", 0, n - 1, &row);
    nsds_text_int(text, "a column", side < 0 && !text->status ? row : 0,
                  side > 0 && !text->status ? row : n - 1, &column);
    if (read_value(text, &entries->x[used])) break;
    entries->row[used] = row;
    entries->column[used++] = column;
    if (row == column) continue;
    side = row > column ? 1 : -1;
    entries->x[used] = entries->x[used - 1];
    entries->row[used] = column;
    entries->column[used++] = row;
  }
  entries->count = used;
  return text->status;
}

static nsds_status sparse_text_read_entries(nsds_text *text, int kind, nsds_triplets *entries) {
  switch (kind) {
  case kind_triplet: return read_triplets(text, entries);
  case kind_half: return read_half(text, entries->nrow, entries);
  case kind_columns: return read_compressed(text, kind, entries, entries->column, entries->row);
  default: return read_compressed(text, kind, entries, entries->row, entries->column);
  }
}

nsds_status nsds_read_sparse(nsds_text *text, int nrow, int ncolumn, nsds_triplets *entries,
                             nsds_problem_file *file) {
  nsds_triplets own = {0}, *into = entries ? entries : &own;
  int kind, count, most = nrow == ncolumn ? kind_half : kind_rows;
  nsds_text_int(text, "the kind (1 triplets, 2 columns, 3 rows, 4 half triplets of a square one)",
                kind_triplet, most, &kind);
  if (text->status || read_header(text, nrow, ncolumn, kind, &count)) return text->status;
  if (!entries) file->storage = kinds[kind].storage;
  text->status = nsds_triplets_create(file->context, nrow, ncolumn,
                                      (kind == kind_half ? 2u : 1u) * (size_t)count, into);
  if (!text->status) sparse_text_read_entries(text, kind, into);
  if (!text->status && !entries) nsds_text_compress(text, file, &own);
  nsds_triplets_release(file->context, &own);
  return text->status;
}

nsds_status nsds_text_compress(nsds_text *text, nsds_problem_file *file,
                               const nsds_triplets *entries) {
  nsds_status status = nsds_file_compress(file, entries);
  if (status == NSDS_ERROR_FORMAT)
    return nsds_text_expected(text, "before this, entries at one place with a finite sum");
  return text->status = status;
}
