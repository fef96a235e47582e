/*
 * Mixed linear complementarity problems as text:
 *
 *     s1  s2          flags: the descriptions that follow
 *     n  m            numbers of equalities and of complementarity pairs
 *     if s1:          ends of the blocks of rows, from 0 to n + m; type of each block, 0 equality,
 *                     1 complementarity; matrix; q
 *     if s2:          A (n x n), B (m x m), C (n x m), D (m x n), a (n), b (m), all row by row
 *
 *     A u + C v + a = 0,   w = D u + B v + b,   M = [A C; D B],   q = (a, b)
 *
 *     [solution]      u without its first entry, v and w, as some writers leave them; not read
 *
 * With both, the first one is taken and the second one must agree. Rows of the second one are the
 * equality rows of the first one, then the complementarity rows.
 *
 * The matrix may have more or fewer rows than n + m, equality rows first, then complementarity
 * rows. mlcp_lines.c describes these problems and another text for them.
 */
#include "io/mlcp_text.h"

#include "base/context.h"
#include "io/columns.h"
#include "io/matrix_text.h"
#include "io/mlcp_lines.h"
#include "io/problem_file.h"
#include "io/text.h"

#include <stdio.h>

/* Two descriptions printed with six digits agree to this part of the largest number. */
static const double agreement = 1e-5;

/* ---- blocks of rows and the matrix ---- */

/* Counts the blocks: reads ends until n + m. The text stays at its place. */
static nsds_status count_blocks(nsds_text *text, int rows, int *count) {
  nsds_text ahead = *text;
  int end;
  nsds_text_int(&ahead, "the first block limit", 0, 0, &end);
  for (*count = 0; !ahead.status && end < rows; ++*count)
    nsds_text_int(&ahead, "the next block limit", end, rows, &end);
  if (ahead.status) *text = ahead;
  return text->status;
}

static nsds_status read_sizes(nsds_text *text, int rows, nsds_problem_file *file) {
  int begin = 0, end;
  nsds_text_int(text, "the first block limit", 0, 0, &end);
  for (int a = 0; a < file->problem.nblock && !text->status; ++a, begin = end) {
    nsds_text_int(text, "a block limit", begin, rows, &end);
    file->block[a].size = end - begin;
  }
  return text->status;
}

static nsds_status read_types(nsds_text *text, int equalities, nsds_problem_file *file) {
  int found = 0;
  for (int a = 0; a < file->problem.nblock && !text->status; ++a) {
    int type = 0;
    nsds_text_int(text, "the type of a block (0 equality, 1 complementarity)", 0, 1, &type);
    file->block[a].set = type ? NSDS_SET_NONNEGATIVE : NSDS_SET_EQUALITY;
    if (!type) found += file->block[a].size;
  }
  if (found != equalities && !text->status)
    nsds_text_expected(text, "before this, types of blocks with %d equality rows (%d given)",
                       equalities, found);
  return text->status;
}

static bool equalities_first(const nsds_problem_file *file) {
  for (int a = 1; a < file->problem.nblock; ++a)
    if (file->block[a].set == NSDS_SET_EQUALITY && file->block[a - 1].set != NSDS_SET_EQUALITY)
      return false;
  return true;
}

static nsds_status read_rectangular(nsds_text *text, int n, int m, int nrow,
                                    nsds_problem_file *file) {
  nsds_triplets entries = {0};
  if (nrow < m || (nrow == 0 && n > 0) || !equalities_first(file))
    return nsds_text_expected(text,
                              "a matrix of %d rows, or another number of equality rows before "
                              "%d complementarity rows",
                              n + m, m);
  file->storage = "rectangular";
  if (nsds_text_room(text, "q", (size_t)nrow) == NSDS_OK &&
      !nsds_read_matrix(text, nrow, n + m, &entries, file))
    nsds_square_mlcp(text, n, m, &entries, file);
  nsds_triplets_release(file->context, &entries);
  return text->status;
}

static nsds_status read_whole(nsds_text *text, int n, int m, bool alone, nsds_problem_file *file) {
  int nblock, storage, nrow, ncolumn, rows = n + m;
  if (nsds_text_room(text, "q", (size_t)rows) || count_blocks(text, rows, &nblock))
    return text->status;
  text->status = nsds_file_size(file, rows, nblock);
  if (text->status || read_sizes(text, rows, file) || read_types(text, n, file))
    return text->status;
  if (alone && !nsds_peek_matrix(text, &storage, &nrow, &ncolumn) && ncolumn == rows &&
      nrow != rows)
    return read_rectangular(text, n, m, nrow, file);
  if (nsds_read_matrix(text, rows, rows, NULL, file)) return text->status;
  return nsds_text_reals(text, "q", (size_t)rows, file->q);
}

/* ---- A, B, C, D, a, b ---- */

/* The numbers of the parts, stored or compared. M is dense here; row k of the parts is row row[k]
 * of M. */
typedef struct parts {
  bool compare;
  int rows;
  double *M, *q;
  int *row;
  double largest; /* of M and q */
} parts;

static nsds_status mlcp_text_take(nsds_text *text, const parts *p, const char *what,
                                  double *place) {
  nsds_text before = *text;
  double value;
  if (nsds_text_reals(text, what, 1, &value)) return text->status;
  if (!p->compare) {
    *place = value;
    return NSDS_OK;
  }
  if (fabs(value - *place) <= agreement * p->largest) return NSDS_OK;
  *text = before;
  return nsds_text_expected(text, "an entry of %s equal to %.6g, as in the first description", what,
                            *place);
}

static nsds_status take_matrix(nsds_text *text, const parts *p, const char *what, int first_row,
                               int nrow, int first_column, int ncolumn) {
  for (int i = first_row; i < first_row + nrow; ++i)
    for (int j = first_column; j < first_column + ncolumn && !text->status; ++j)
      mlcp_text_take(text, p, what, p->M + p->row[i] + (size_t)p->row[j] * (size_t)p->rows);
  return text->status;
}

static nsds_status take_vector(nsds_text *text, const parts *p, const char *what, int first,
                               int count) {
  for (int i = first; i < first + count && !text->status; ++i)
    mlcp_text_take(text, p, what, &p->q[p->row[i]]);
  return text->status;
}

static nsds_status mlcp_text_take_parts(nsds_text *text, const parts *p, int n, int m) {
  take_matrix(text, p, "A", 0, n, 0, n);
  take_matrix(text, p, "B", n, m, n, m);
  take_matrix(text, p, "C", 0, n, n, m);
  take_matrix(text, p, "D", n, m, 0, n);
  take_vector(text, p, "a", 0, n);
  return take_vector(text, p, "b", n, m);
}

/* Orders the rows, equality rows first. */
static void order_rows(const nsds_problem *problem, int *row) {
  int used = 0;
  for (int wanted = 0; wanted < 2; ++wanted)
    for (int a = 0, first = 0; a < problem->nblock; first += problem->block[a++].size)
      if ((problem->block[a].set == NSDS_SET_NONNEGATIVE) == wanted)
        for (int i = 0; i < problem->block[a].size; ++i) row[used++] = first + i;
}

static double largest_of(const double *x, size_t count, double largest) {
  for (size_t k = 0; k < count; ++k)
    if (fabs(x[k]) > largest) largest = fabs(x[k]);
  return largest;
}

static nsds_status compare_parts(nsds_text *text, int n, int m, nsds_problem_file *file) {
  int rows = n + m;
  size_t count = (size_t)rows * (size_t)rows;
  parts p = {.compare = true, .rows = rows, .q = file->q};
  if (nsds_text_room(text, "A, B, C, D, a and b", count + (size_t)rows)) return text->status;
  p.row = NSDS_NEW_ARRAY(file->context, int, rows);
  if (p.row) p.M = NSDS_NEW_ARRAY(file->context, double, count);
  if (p.M) {
    nsds_problem problem = file->problem;
    problem.M = nsds_file_matrix(file);
    nsds_problem_to_dense(&problem, p.M);
    p.largest = largest_of(file->q, (size_t)rows, largest_of(p.M, count, 0.0));
    order_rows(&file->problem, p.row);
    mlcp_text_take_parts(text, &p, n, m);
  } else {
    text->status = NSDS_ERROR_MEMORY;
  }
  nsds_release(file->context, p.M);
  nsds_release(file->context, p.row);
  return text->status;
}

static nsds_status read_parts(nsds_text *text, int n, int m, nsds_problem_file *file) {
  int rows = n + m;
  size_t count = (size_t)rows * (size_t)rows;
  if (nsds_text_room(text, "A, B, C, D, a and b", count + (size_t)rows)) return text->status;
  text->status = nsds_file_size(file, rows, (n > 0) + (m > 0));
  if (text->status) return text->status;
  file->storage = "dense";
  file->x = NSDS_NEW_ARRAY(file->context, double, count);
  int *row = file->x ? NSDS_NEW_ARRAY(file->context, int, rows) : NULL;
  if (!row) return text->status = NSDS_ERROR_MEMORY;
  nsds_block *block = file->block;
  if (n > 0) *block++ = (nsds_block){.set = NSDS_SET_EQUALITY, .size = n};
  if (m > 0) *block = (nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = m};
  order_rows(&file->problem, row);
  mlcp_text_take_parts(text, &(parts){.rows = rows, .M = file->x, .q = file->q, .row = row}, n, m);
  nsds_release(file->context, row);
  return text->status;
}

/* Skips a stored solution, whose u lacks its first entry. */
static nsds_status skip_solution(nsds_text *text, int n, int m) {
  nsds_text ahead = *text;
  double unused;
  for (int k = 0; k < (n > 0 ? n - 1 : 0) + 2 * m; ++k)
    if (nsds_text_reals(&ahead, "a stored solution", 1, &unused)) break;
  if (!nsds_text_end(&ahead, "a stored solution")) *text = ahead;
  return nsds_text_end(text, "the MLCP");
}

nsds_status nsds_read_mlcp(nsds_text *text, nsds_problem_file *file) {
  int whole, apart, n, m;
  nsds_text_int(text, "the flag s1 of an MLCP", 0, 1, &whole);
  if (text->status) return text->status;
  nsds_text_int(text, "the flag s2 of an MLCP", !whole, 1, &apart);
  nsds_text_int(text, "the number of equalities", 0, nsds_file_limit / 2, &n);
  nsds_text_int(text, "the number of complementarity pairs", 0, nsds_file_limit / 2, &m);
  if (text->status) return text->status;
  file->kind = "mlcp";
  if (whole) read_whole(text, n, m, !apart, file);
  if (!text->status && apart) {
    if (whole) compare_parts(text, n, m, file);
    else read_parts(text, n, m, file);
  }
  return text->status ? text->status : skip_solution(text, n, m);
}
