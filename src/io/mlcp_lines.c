/*
 * Mixed linear complementarity problems with a rectangular matrix: N rows, the last m of them
 * complementarity rows, and n + m unknowns (u, v). As text by lines:
 *
 *     n  m  N
 *     A ((N - m) x n), B (m x m), C ((N - m) x m), D (m x n), a (N - m), b (m), all row by row
 *
 *     A u + C v + a = 0,   w = D u + B v + b
 *
 * The reader makes such a problem square without a change of its solutions. Missing equalities
 * become rows 0 u = 0, missing unknowns get zero columns behind u.
 */
#include "io/mlcp_lines.h"

#include "base/context.h"
#include "io/columns.h"
#include "io/problem_file.h"
#include "io/sparse_text.h"
#include "io/text.h"

/* Prepares s equality rows and unknowns, then m complementarity rows. */
static nsds_status take_square(nsds_text *text, int s, int m, nsds_problem_file *file) {
  nsds_release(file->context, file->block);
  nsds_release(file->context, file->q);
  file->block = NULL;
  file->q = NULL;
  text->status = nsds_file_size(file, s + m, (s > 0) + (m > 0));
  if (text->status) return text->status;
  nsds_block *block = file->block;
  if (s > 0) *block++ = (nsds_block){.set = NSDS_SET_EQUALITY, .size = s};
  if (m > 0) *block = (nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = m};
  file->kind = "mlcp";
  return NSDS_OK;
}

nsds_status nsds_square_mlcp(nsds_text *text, int n, int m, nsds_triplets *entries,
                             nsds_problem_file *file) {
  int equalities = entries->nrow - m, s = n > equalities ? n : equalities;
  if (take_square(text, s, m, file)) return text->status;
  for (size_t k = 0; k < entries->count; ++k) {
    if (entries->row[k] >= equalities) entries->row[k] += s - equalities;
    if (entries->column[k] >= n) entries->column[k] += s - n;
  }
  entries->nrow = entries->ncolumn = s + m;
  if (nsds_text_compress(text, file, entries)) return text->status;
  nsds_text_reals(text, "q", (size_t)equalities, file->q);
  return nsds_text_reals(text, "q", (size_t)m, file->q + s);
}

/* Reads the numbers of one part, row by row. */
static nsds_status mlcp_lines_take_part(nsds_text *text, const char *what, int first_row, int nrow,
                                        int first_column, int ncolumn, nsds_triplets *entries) {
  size_t count = (size_t)nrow * (size_t)ncolumn, used = entries->count;
  if (nsds_text_reals(text, what, count, entries->x + used)) return text->status;
  for (size_t k = 0; k < count; ++k) {
    entries->row[used + k] = first_row + (int)(k / (size_t)ncolumn);
    entries->column[used + k] = first_column + (int)(k % (size_t)ncolumn);
  }
  entries->count += count;
  return NSDS_OK;
}

static nsds_status mlcp_lines_take_parts(nsds_text *text, int n, int m, nsds_triplets *entries) {
  int equalities = entries->nrow - m;
  entries->count = 0;
  mlcp_lines_take_part(text, "A", 0, equalities, 0, n, entries);
  mlcp_lines_take_part(text, "B", equalities, m, n, m, entries);
  mlcp_lines_take_part(text, "C", 0, equalities, n, m, entries);
  return mlcp_lines_take_part(text, "D", equalities, m, 0, n, entries);
}

nsds_status nsds_read_mlcp_lines(nsds_text *text, nsds_problem_file *file) {
  int n = 0, m = 0, rows = 0;
  nsds_triplets entries = {0};
  nsds_text_int(text, "the number of unknowns u of an MLCP", 0, nsds_file_limit / 2, &n);
  nsds_text_int(text, "the number of complementarity pairs", 0, nsds_file_limit / 2, &m);
  nsds_text_int(text, "the number of rows, equalities and pairs", m, nsds_file_limit / 2, &rows);
  if (text->status) return text->status;
  if (rows == 0 && n > 0) return nsds_text_expected(text, "before this, rows for %d unknowns", n);
  size_t count = (size_t)rows * ((size_t)n + (size_t)m);
  if (nsds_text_room(text, "A, B, C, D, a and b", count + (size_t)rows)) return text->status;
  file->storage = "dense";
  text->status = nsds_triplets_create(file->context, rows, n + m, count, &entries);
  if (!text->status && !mlcp_lines_take_parts(text, n, m, &entries))
    nsds_square_mlcp(text, n, m, &entries, file);
  nsds_triplets_release(file->context, &entries);
  return nsds_text_end(text, "b");
}
