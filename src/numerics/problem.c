/*
 * The check of a one-step nonsmooth problem. Every message names the field, its value and the valid
 * values. Starts of rows, columns and blocks are checked completely before anything is read through
 * them. So garbage in them never leads out of an array.
 */
#include "numerics/problem.h"

#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "base/text/format.h"
#include "numerics/sets/polyhedron.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { most_text = 256, most_name = 64 }; /* lengths: message without beginning; field name */

nsds_status nsds_refuse(const nsds_subject *s, nsds_status status, const char *format, ...) {
  char text[most_text];
  va_list arguments;
  va_start(arguments, format);
  nsds_format_message(text, sizeof text, format, arguments);
  va_end(arguments);
  if (s->numbered) return nsds_fail(s->context, status, "%sblock[%d]%s", s->of, s->block, text);
  return nsds_fail(s->context, status, "%s%s", s->of, text);
}

/* ---- lists of numbers ---- */

/* Returns the first place at which starts[0 .. count] does not increase from 0 on; -1: none. */
static int first_decrease(const int *starts, int count) {
  if (starts[0] != 0) return 0;
  for (int k = 0; k < count; ++k)
    if (starts[k + 1] < starts[k]) return k + 1;
  return -1;
}

nsds_status nsds_check_starts(const nsds_subject *s, nsds_status status, const char *name,
                              const int *starts, int count) {
  int bad = first_decrease(starts, count);
  if (bad < 0) return NSDS_OK;
  if (bad == 0) return nsds_refuse(s, status, "%s[0] is %d; it must be 0", name, starts[0]);
  return nsds_refuse(s, status,
                     "%s[%d] is %d, smaller than %s[%d] = %d; the numbers must not decrease", name,
                     bad, starts[bad], name, bad - 1, starts[bad - 1]);
}

static nsds_status check_null(const nsds_subject *s, const char *matrix, const char *missing) {
  if (!missing) return NSDS_OK;
  return nsds_refuse(s, NSDS_ERROR_ARGUMENT, "%s%s is NULL", matrix, missing);
}

nsds_status nsds_check_numbers(const nsds_subject *s, const char *name, const double *x, int n) {
  if (n > 0 && !x) return check_null(s, name, "");
  int bad = nsds_first_nonfinite(x, n);
  if (bad < 0) return NSDS_OK;
  return nsds_refuse(s, NSDS_ERROR_VALUE, "%s[%d] is %g; it must be finite", name, bad, x[bad]);
}

/* Checks i[k]: it must exceed i[k - 1], unless it is the first of its column or row, and be less
 * than n. */
static nsds_status check_index(const nsds_subject *s, const char *name, const char *unit,
                               const int *i, int k, int first, int which, int n) {
  int least = k > first ? i[k - 1] + 1 : 0;
  if (i[k] >= least && i[k] < n) return NSDS_OK;
  return nsds_refuse(s, NSDS_ERROR_VALUE,
                     "%s[%d] is %d in %s %d; valid here is %d..%d (increasing within a %s)", name,
                     k, i[k], unit, which, least, n - 1, unit);
}

/* Checks an m x n part of a matrix, column-major, with its first entry at (row, column). Goes
 * column by column, as the product may exceed an int. */
static nsds_status problem_check_entries(const nsds_subject *s, const char *name, int row,
                                         int column, int m, int n, const double *x) {
  for (int j = 0; j < n; ++j, x += m) {
    int bad = nsds_first_nonfinite(x, m);
    if (bad >= 0)
      return nsds_refuse(s, NSDS_ERROR_VALUE, "%s(%d,%d) is %g; it must be finite", name, row + bad,
                         column + j, x[bad]);
  }
  return NSDS_OK;
}

/* ---- dense, compressed columns ---- */

static nsds_status check_dense(const nsds_subject *s, const nsds_matrix *M) {
  if (M->n > nsds_largest_square)
    return nsds_refuse(s, NSDS_ERROR_SIZE,
                       "M is dense and M.n is %d; valid are up to %d rows, larger ones in another "
                       "storage",
                       M->n, nsds_largest_square);
  nsds_status status = check_null(s, "M.", !M->x && M->n > 0 ? "x" : NULL);
  return status ? status : problem_check_entries(s, "M", 0, 0, M->n, M->n, M->x);
}

nsds_status nsds_check_columns(const nsds_subject *s, const char *name, int nrow, int ncolumn,
                               const int *p, const int *i, const double *x) {
  char member[most_text];
  snprintf(member, sizeof member, "%s.p", name);
  if (!p) return check_null(s, member, "");
  nsds_status status = nsds_check_starts(s, NSDS_ERROR_VALUE, member, p, ncolumn);
  if (status) return status;
  snprintf(member, sizeof member, "%s.%s", name, i ? "x" : "i");
  if (p[ncolumn] > 0 && (!i || !x)) return check_null(s, member, "");
  snprintf(member, sizeof member, "%s.i", name);
  for (int j = 0; j < ncolumn; ++j)
    for (int k = p[j]; k < p[j + 1] && !status; ++k)
      status = check_index(s, member, "column", i, k, p[j], j, nrow);
  snprintf(member, sizeof member, "%s.x", name);
  return status ? status : nsds_check_numbers(s, member, x, p[ncolumn]);
}

/* ---- factored ---- */

/* Checks the gains of an edge without Y; other gains are not used. */
static nsds_status check_gains(const nsds_subject *s, const nsds_factored *f,
                               const nsds_edge *edge) {
  for (int c = edge->column; c < edge->column + edge->size; ++c)
    if (!isfinite(f->gain[c]))
      return nsds_refuse(s, NSDS_ERROR_VALUE, "M.factored.gain[%d] is %g; it must be finite", c,
                         f->gain[c]);
  return NSDS_OK;
}

static nsds_status check_edge(const nsds_subject *s, const nsds_factored *f, int m, int k) {
  const nsds_edge *edge = &f->edge[k];
  char name[most_name];
  if (edge->size < 0 || edge->column < 0 || edge->column > f->ncolumn - edge->size)
    return nsds_refuse(
        s, NSDS_ERROR_SIZE,
        "M.factored.edge[%d] spans columns %d..%lld; there are %d, valid are indices from 0", k,
        edge->column, (long long)edge->column + edge->size - 1, f->ncolumn);
  snprintf(name, sizeof name, "M.factored.edge[%d].%s", k, edge->H ? "Y" : "H");
  if (!edge->H) return check_null(s, name, "");
  if (!edge->Y && !f->gain)
    return nsds_refuse(s, NSDS_ERROR_ARGUMENT,
                       "%s is NULL, and so is M.factored.gain; give one of them", name);
  int largest = m > 0 ? INT_MAX / (m + 1) : INT_MAX;
  if (edge->size > largest)
    return nsds_refuse(s, NSDS_ERROR_SIZE,
                       "M.factored.edge[%d].size is %d; with %d rows at most %d", k, edge->size, m,
                       largest);
  nsds_status status = NSDS_OK;
  if (edge->Y) status = nsds_check_numbers(s, name, edge->Y, m * edge->size);
  else status = check_gains(s, f, edge);
  if (status) return status;
  snprintf(name, sizeof name, "M.factored.edge[%d].H", k);
  return nsds_check_numbers(s, name, edge->H, m * edge->size);
}

/* A column group, as the edge with this number defines it. */
typedef struct column_group {
  int column, size, edge, block_row;
} column_group;

static int compare_groups(const void *left, const void *right) {
  const column_group *a = left, *b = right;
  if (a->column != b->column) return a->column < b->column ? -1 : 1;
  if (a->block_row != b->block_row) return a->block_row < b->block_row ? -1 : 1;
  return a->edge < b->edge ? -1 : a->edge > b->edge;
}

/* Checks the groups of two edges that are neighbors in the order of columns. */
static nsds_status check_groups(const nsds_subject *s, const column_group *a,
                                const column_group *b) {
  if (a->column != b->column ? a->column + a->size > b->column : a->size != b->size)
    return nsds_refuse(s, NSDS_ERROR_SIZE,
                       "M.factored.edge[%d] spans columns %d..%d and edge[%d] %d..%d; two edges "
                       "have the same columns or none in common",
                       a->edge, a->column, a->column + a->size - 1, b->edge, b->column,
                       b->column + b->size - 1);
  if (a->column == b->column && a->block_row == b->block_row)
    return nsds_refuse(s, NSDS_ERROR_VALUE,
                       "M.factored.edge[%d] and edge[%d] of block row %d are both of columns "
                       "%d..%d; a block row has one edge per column group",
                       a->edge, b->edge, a->block_row, a->column, a->column + a->size - 1);
  return NSDS_OK;
}

static nsds_status check_groups_of_all(const nsds_subject *s, const nsds_factored *f) {
  nsds_context *own = s->context ? NULL : nsds_context_create(NULL);
  nsds_context *memory = s->context ? s->context : own;
  int count = 0;
  nsds_status status = NSDS_OK;
  column_group *group =
      memory ? NSDS_NEW_ARRAY(memory, column_group, f->first_edge[f->nrow_block]) : NULL;
  if (!group) status = NSDS_ERROR_MEMORY;
  for (int a = 0; group && a < f->nrow_block; ++a)
    for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k)
      if (f->edge[k].size > 0)
        group[count++] = (column_group){f->edge[k].column, f->edge[k].size, k, a};
  if (count > 1) qsort(group, (size_t)count, sizeof *group, compare_groups);
  for (int k = 1; !status && k < count; ++k) status = check_groups(s, &group[k - 1], &group[k]);
  if (memory) nsds_release(memory, group);
  nsds_context_destroy(own);
  return status;
}

/* Checks block rows cut at row[0 .. count], ending with n, and their starts. */
static nsds_status check_frame(const nsds_subject *s, const char *matrix, int count, const int *row,
                               const char *what, const int *first, int n) {
  char rows[most_text / 4], starts[most_text / 4];
  snprintf(rows, sizeof rows, "%srow", matrix);
  snprintf(starts, sizeof starts, "%s%s", matrix, what);
  if (count < 0)
    return nsds_refuse(s, NSDS_ERROR_SIZE, "%snrow_block is %d; it must not be negative", matrix,
                       count);
  if (!row || !first) return check_null(s, row ? starts : rows, "");
  nsds_status status = nsds_check_starts(s, NSDS_ERROR_VALUE, rows, row, count);
  if (!status && row[count] != n)
    return nsds_refuse(s, NSDS_ERROR_SIZE, "%s spans %d rows, but n is %d; they must be equal",
                       rows, row[count], n);
  if (status) return status;
  return nsds_check_starts(s, NSDS_ERROR_VALUE, starts, first, count);
}

static nsds_status check_factored(const nsds_subject *s, const nsds_matrix *M) {
  const nsds_factored *f = M->factored;
  if (!f) return check_null(s, "M.", "factored");
  nsds_status status =
      check_frame(s, "M.factored.", f->nrow_block, f->row, "first_edge", f->first_edge, M->n);
  if (!status && f->ncolumn < 0)
    return nsds_refuse(s, NSDS_ERROR_SIZE, "M.factored.ncolumn is %d; it must not be negative",
                       f->ncolumn);
  if (!status)
    status =
        check_null(s, "M.factored.", !f->edge && f->first_edge[f->nrow_block] > 0 ? "edge" : NULL);
  for (int a = 0; !status && a < f->nrow_block; ++a) {
    int m = f->row[a + 1] - f->row[a];
    for (int k = f->first_edge[a]; k < f->first_edge[a + 1] && !status; ++k)
      status = check_edge(s, f, m, k);
    char name[most_name];
    snprintf(name, sizeof name, "M.factored.D[%d]", a);
    if (!status && f->D && f->D[a]) status = problem_check_entries(s, name, 0, 0, m, m, f->D[a]);
  }
  return status ? status : check_groups_of_all(s, f);
}

/* ---- block rows ---- */

static nsds_status check_row_block(const nsds_subject *s, const nsds_block_rows *B, int a, int k) {
  nsds_status status =
      check_index(s, "M.blocks.column", "block row", B->column, k, B->first[a], a, B->nrow_block);
  if (status) return status;
  if (B->start[k] < 0)
    return nsds_refuse(s, NSDS_ERROR_VALUE, "M.blocks.start[%d] is %d; it must not be negative", k,
                       B->start[k]);
  int b = B->column[k], row = B->row[a], column = B->row[b];
  return problem_check_entries(s, "M", row, column, B->row[a + 1] - row, B->row[b + 1] - column,
                               B->x + B->start[k]);
}

static nsds_status check_block_rows(const nsds_subject *s, const nsds_matrix *M) {
  const nsds_block_rows *B = M->blocks;
  if (!B) return check_null(s, "M.", "blocks");
  nsds_status status = check_frame(s, "M.blocks.", B->nrow_block, B->row, "first", B->first, M->n);
  if (!status && B->first[B->nrow_block] > 0)
    status = check_null(s, "M.blocks.",
                        !B->column  ? "column"
                        : !B->start ? "start"
                        : !B->x     ? "x"
                                    : NULL);
  for (int a = 0; !status && a < B->nrow_block; ++a)
    for (int k = B->first[a]; !status && k < B->first[a + 1]; ++k)
      status = check_row_block(s, B, a, k);
  return status;
}

nsds_status nsds_check_matrix(const nsds_subject *s, const nsds_matrix *M) {
  switch (M->storage) {
  case NSDS_DENSE: return check_dense(s, M);
  case NSDS_CSC: return nsds_check_columns(s, "M", M->n, M->n, M->p, M->i, M->x);
  case NSDS_FACTORED: return check_factored(s, M);
  case NSDS_BLOCK_ROWS: return check_block_rows(s, M);
  }
  return nsds_refuse(s, NSDS_ERROR_VALUE, "M.storage is %d, not one of nsds_storage",
                     (int)M->storage);
}

/* ---- the sets ---- */

static nsds_status problem_check_coefficient(const nsds_subject *s, const char *field, double x) {
  if (isfinite(x) && x >= 0.0) return NSDS_OK;
  return nsds_refuse(s, NSDS_ERROR_VALUE, ".%s is %g; it must be finite and not negative", field,
                     x);
}

static nsds_status problem_check_size(const nsds_subject *s, const nsds_block *block, bool valid,
                                      const char *sizes) {
  if (valid) return NSDS_OK;
  return nsds_refuse(s, NSDS_ERROR_SIZE, ".size is %d; with this set it must be %s", block->size,
                     sizes);
}

static nsds_status check_box(const nsds_subject *s, const nsds_block *block) {
  if (block->size > 0 && (!block->lower || !block->upper))
    return nsds_refuse(s, NSDS_ERROR_ARGUMENT, ".%s is NULL", block->lower ? "upper" : "lower");
  for (int i = 0; i < block->size; ++i) {
    double l = block->lower[i], u = block->upper[i];
    if (l <= u && l < INFINITY && u > -INFINITY) continue;
    return nsds_refuse(s, NSDS_ERROR_VALUE,
                       " has lower[%d] = %g and upper[%d] = %g; valid is lower <= upper, neither a "
                       "number that leaves no finite value",
                       i, l, i, u);
  }
  return NSDS_OK;
}

static nsds_status check_polyhedron(const nsds_subject *s, const nsds_block *block) {
  double x[NSDS_COUPLED_ROWS] = {0.0};
  int most = block->size > 0 ? INT_MAX / block->size : INT_MAX;
  if (block->nfacet < 0 || block->nfacet > most)
    return nsds_refuse(s, NSDS_ERROR_SIZE, ".nfacet is %d; valid is 0 to %d", block->nfacet, most);
  nsds_status status = nsds_check_numbers(s, ".H", block->H, block->nfacet * block->size);
  if (!status) status = nsds_check_numbers(s, ".K", block->K, block->nfacet);
  if (status || nsds_polyhedron_project(block, NULL, x, x, NULL)) return status;
  return nsds_refuse(
      s, NSDS_ERROR_VALUE,
      " has no point: no z satisfies its H z >= K; the half spaces must have a point in common");
}

nsds_status nsds_check_block(const nsds_subject *s, const nsds_block *block) {
  int m = block->size;
  nsds_status status = NSDS_OK;
  switch (block->set) {
  case NSDS_SET_EQUALITY:
  case NSDS_SET_NONNEGATIVE: return NSDS_OK;
  case NSDS_SET_BOX: return check_box(s, block);
  case NSDS_SET_DISC:
    status = problem_check_size(s, block, m >= 1 && m <= NSDS_COUPLED_ROWS, "1 to 32");
    return status ? status : problem_check_coefficient(s, "radius", block->radius);
  case NSDS_SET_CONE:
    status = problem_check_size(s, block, m >= 1 && m <= NSDS_COUPLED_ROWS, "1 to 32");
    return status ? status : problem_check_coefficient(s, "mu", block->mu);
  case NSDS_SET_COULOMB:
    status = problem_check_size(s, block, m == 2 || m == 3, "2 or 3");
    return status ? status : problem_check_coefficient(s, "mu", block->mu);
  case NSDS_SET_ROLLING:
    status = problem_check_size(s, block, m == 3 || m == 5, "3 or 5");
    if (!status) status = problem_check_coefficient(s, "mu", block->mu);
    return status ? status : problem_check_coefficient(s, "mu_rolling", block->mu_rolling);
  case NSDS_SET_POLYHEDRON:
    status = problem_check_size(s, block, m <= NSDS_COUPLED_ROWS, "at most 32");
    return status ? status : check_polyhedron(s, block);
  }
  return nsds_refuse(s, NSDS_ERROR_UNSUPPORTED,
                     ".set is %d; it must be one of the values of nsds_set_kind", (int)block->set);
}

/* Sizes come first, since they say how long the arrays of a block are. */
nsds_status nsds_check_blocks(const nsds_subject *s, int nblock, const nsds_block *blocks, int n) {
  long long rows = 0;
  if (nblock > 0 && !blocks) return nsds_refuse(s, NSDS_ERROR_ARGUMENT, "block is NULL");
  for (int a = 0; a < nblock; ++a) {
    if (blocks[a].size < 0)
      return nsds_refuse(s, NSDS_ERROR_SIZE, "block[%d].size is %d; it must not be negative", a,
                         blocks[a].size);
    rows += blocks[a].size;
  }
  if (rows != n)
    return nsds_refuse(s, NSDS_ERROR_SIZE,
                       "the block sizes sum to %lld, but n is %d; they must be equal", rows, n);
  nsds_status status = NSDS_OK;
  nsds_subject one = {s->context, s->of, true, 0};
  for (int a = 0; !status && a < nblock; one.block = ++a)
    status = nsds_check_block(&one, &blocks[a]);
  return status;
}

/* ---- the whole ---- */

/* Checks n numbers that may not be negative; NULL: zeros. */
static nsds_status problem_check_sizes(const nsds_subject *s, const char *name, const double *x,
                                       int n) {
  for (int i = 0; x && i < n; ++i)
    if (!(x[i] >= 0.0) || !isfinite(x[i]))
      return nsds_refuse(s, NSDS_ERROR_VALUE, "%s[%d] is %g; it must be finite and not negative",
                         name, i, x[i]);
  return NSDS_OK;
}

nsds_status nsds_problem_check(nsds_context *context, const nsds_problem *problem) {
  const nsds_subject s = {.context = context, .of = "nsds_problem: "};
  if (!problem) return nsds_fail_null(context, "nsds_problem_check", "problem");
  int n = problem->n;
  if (problem->halo)
    return nsds_refuse(&s, NSDS_ERROR_UNSUPPORTED,
                       "halo is set; only nsds_certify() takes a part of "
                       "a distributed problem, nsds_mpi_solve() solves "
                       "the whole");
  if (n < 0 || problem->nblock < 0)
    return nsds_refuse(&s, NSDS_ERROR_SIZE, "n is %d and nblock is %d; neither may be negative", n,
                       problem->nblock);
  nsds_status status = nsds_check_blocks(&s, problem->nblock, problem->block, n);
  if (status) return status;
  if (problem->M.n != n)
    return nsds_refuse(&s, NSDS_ERROR_SIZE, "M.n is %d, but n is %d; they must be equal",
                       problem->M.n, n);
  status = nsds_check_matrix(&s, &problem->M);
  if (!status) status = nsds_check_numbers(&s, "q", problem->q, n);
  if (!status) status = problem_check_sizes(&s, "q_error", problem->q_error, n);
  return status ? status : problem_check_sizes(&s, "scale", problem->scale, n);
}
