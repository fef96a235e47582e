/*
 * The check of a matrix in any storage. Starts of rows, columns and blocks are looked at as a whole
 * before anything is read through them, so that no garbage in them leads out of an array.
 */
#include "problem_check.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* First place at which starts[0 .. count] is not an increasing list from 0 on; -1 if it is. */
static int first_decrease(const int *starts, int count) {
  if (starts[0] != 0) return 0;
  for (int k = 0; k < count; ++k)
    if (starts[k + 1] < starts[k]) return k + 1;
  return -1;
}

nsds_status nsds_check_starts(nsds_context *context, nsds_status status, const char *object,
                              const char *name, const int *starts, int count) {
  int bad = first_decrease(starts, count);
  if (bad < 0) return NSDS_OK;
  if (bad == 0)
    return nsds_fail(context, status, "%s: %s[0] is %d; it must be 0", object, name, starts[0]);
  return nsds_fail(context, status, "%s: %s[%d] is %d, smaller than %s[%d] = %d", object, name, bad,
                   starts[bad], name, bad - 1, starts[bad - 1]);
}

/* An m x n matrix, column-major; column by column, as the product may exceed an int. */
static nsds_status check_values(nsds_context *context, const char *name, int m, int n,
                                const double *x) {
  for (int j = 0; j < n; ++j) {
    int bad = nsds_first_nonfinite(x + (size_t)j * (size_t)m, m);
    if (bad >= 0)
      return nsds_fail(context, NSDS_ERROR_VALUE,
                       "nsds_problem: %s(%d,%d) is %g; it must be finite", name, bad, j,
                       x[(size_t)j * (size_t)m + (size_t)bad]);
  }
  return NSDS_OK;
}

static nsds_status check_null(nsds_context *context, const char *missing) {
  if (!missing) return NSDS_OK;
  return nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_problem: M.%s is NULL", missing);
}

static nsds_status check_dense(nsds_context *context, const nsds_matrix *M) {
  const int most = 46340; /* its square is an int, in which entries are counted */
  if (M->n > most)
    return nsds_fail(context, NSDS_ERROR_SIZE,
                     "nsds_problem: M is dense and M.n is %d; valid are up to %d rows, larger ones "
                     "in another storage",
                     M->n, most);
  nsds_status status = check_null(context, !M->x && M->n > 0 ? "x" : NULL);
  return status ? status : check_values(context, "M", M->n, M->n, M->x);
}

static nsds_status check_csc(nsds_context *context, const nsds_matrix *M) {
  nsds_status status = check_null(context, M->p ? NULL : "p");
  if (!status)
    status = nsds_check_starts(context, NSDS_ERROR_VALUE, "nsds_problem", "M.p", M->p, M->n);
  if (!status)
    status = check_null(context, M->p[M->n] > 0 && (!M->i || !M->x) ? (M->i ? "x" : "i") : NULL);
  if (status) return status;
  for (int j = 0; j < M->n; ++j)
    for (int k = M->p[j]; k < M->p[j + 1]; ++k) {
      int least = k > M->p[j] ? M->i[k - 1] + 1 : 0;
      if (M->i[k] < least || M->i[k] >= M->n)
        return nsds_fail(context, NSDS_ERROR_VALUE,
                         "nsds_problem: M.i[%d] is %d in column %d; valid here is %d..%d "
                         "(increasing within a column)",
                         k, M->i[k], j, least, M->n - 1);
    }
  int bad = nsds_first_nonfinite(M->x, M->p[M->n]);
  if (bad < 0) return NSDS_OK;
  return nsds_fail(context, NSDS_ERROR_VALUE, "nsds_problem: M.x[%d] is %g; it must be finite", bad,
                   M->x[bad]);
}

/* ---- factored -------------------------------------------------------------------------------- */

static nsds_status check_edge_values(nsds_context *context, int k, const char *name, int count,
                                     const double *x) {
  int bad = nsds_first_nonfinite(x, count);
  if (bad < 0) return NSDS_OK;
  return nsds_fail(context, NSDS_ERROR_VALUE,
                   "nsds_problem: M.factored.edge[%d].%s[%d] is %g; it must be finite", k, name,
                   bad, x[bad]);
}

/* Edge k of a block row of m rows. */
static nsds_status check_edge(nsds_context *context, const nsds_factored *f, int m, int k) {
  const nsds_edge *edge = &f->edge[k];
  if (edge->size < 0 || edge->column < 0 || edge->column > f->ncolumn - edge->size)
    return nsds_fail(context, NSDS_ERROR_SIZE,
                     "nsds_problem: M.factored.edge[%d] spans columns %d..%lld; there are %d", k,
                     edge->column, (long long)edge->column + edge->size - 1, f->ncolumn);
  if (!edge->H || !edge->Y)
    return nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_problem: M.factored.edge[%d].%s is NULL",
                     k, edge->H ? "Y" : "H");
  int largest = m > 0 ? INT_MAX / (m + 1) : INT_MAX;
  if (edge->size > largest)
    return nsds_fail(context, NSDS_ERROR_SIZE,
                     "nsds_problem: M.factored.edge[%d].size is %d; with %d rows at most %d", k,
                     edge->size, m, largest);
  nsds_status status = check_edge_values(context, k, "H", m * edge->size, edge->H);
  return status ? status : check_edge_values(context, k, "Y", m * edge->size, edge->Y);
}

/* A column group, as the edge with this number sees it. */
typedef struct column_group {
  int column, size, edge, block_row;
} column_group;

static int compare_groups(const void *left, const void *right) {
  const column_group *a = left, *b = right;
  if (a->column != b->column) return a->column < b->column ? -1 : 1;
  if (a->block_row != b->block_row) return a->block_row < b->block_row ? -1 : 1;
  return a->edge < b->edge ? -1 : a->edge > b->edge;
}

/* Of two edges that follow each other in the order of columns. */
static nsds_status check_groups(nsds_context *context, const column_group *a,
                                const column_group *b) {
  if (a->column != b->column ? a->column + a->size > b->column : a->size != b->size)
    return nsds_fail(context, NSDS_ERROR_SIZE,
                     "nsds_problem: M.factored.edge[%d] spans columns %d..%d and edge[%d] %d..%d; "
                     "two edges have the same columns or none in common",
                     a->edge, a->column, a->column + a->size - 1, b->edge, b->column,
                     b->column + b->size - 1);
  if (a->column == b->column && a->block_row == b->block_row)
    return nsds_fail(context, NSDS_ERROR_VALUE,
                     "nsds_problem: M.factored.edge[%d] and edge[%d] of block row %d are both of "
                     "columns %d..%d; a block row has one edge per column group",
                     a->edge, b->edge, a->block_row, a->column, a->column + a->size - 1);
  return NSDS_OK;
}

static nsds_status check_columns(nsds_context *context, const nsds_factored *f) {
  nsds_context *own = context ? NULL : nsds_context_create(NULL), *memory = context ? context : own;
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
  for (int k = 1; !status && k < count; ++k)
    status = check_groups(context, &group[k - 1], &group[k]);
  if (memory) nsds_release(memory, group);
  nsds_context_destroy(own);
  return status;
}

/* The frame of the factored storage: block rows and their edges, before any edge is looked at. */
static nsds_status check_frame(nsds_context *context, const nsds_factored *f, int n) {
  nsds_status status = check_null(context, !f->row          ? "factored.row"
                                           : !f->first_edge ? "factored.first_edge"
                                                            : NULL);
  if (status) return status;
  if (f->nrow_block < 0 || f->ncolumn < 0)
    return nsds_fail(context, NSDS_ERROR_SIZE,
                     "nsds_problem: M.factored.nrow_block is %d and ncolumn is %d; neither may be "
                     "negative",
                     f->nrow_block, f->ncolumn);
  status = nsds_check_starts(context, NSDS_ERROR_VALUE, "nsds_problem", "M.factored.row", f->row,
                             f->nrow_block);
  if (!status && f->row[f->nrow_block] != n)
    return nsds_fail(context, NSDS_ERROR_SIZE,
                     "nsds_problem: M.factored.row spans %d rows, but n is %d",
                     f->row[f->nrow_block], n);
  if (!status)
    status = nsds_check_starts(context, NSDS_ERROR_VALUE, "nsds_problem", "M.factored.first_edge",
                               f->first_edge, f->nrow_block);
  if (status) return status;
  return check_null(context, !f->edge && f->first_edge[f->nrow_block] > 0 ? "factored.edge" : NULL);
}

static nsds_status check_factored(nsds_context *context, const nsds_matrix *M) {
  const nsds_factored *f = M->factored;
  nsds_status status = check_null(context, f ? NULL : "factored");
  if (!status) status = check_frame(context, f, M->n);
  for (int a = 0; !status && a < f->nrow_block; ++a) {
    int m = f->row[a + 1] - f->row[a];
    for (int k = f->first_edge[a]; !status && k < f->first_edge[a + 1]; ++k)
      status = check_edge(context, f, m, k);
    if (status || !f->D || !f->D[a]) continue;
    char name[48];
    snprintf(name, sizeof name, "M.factored.D[%d]", a);
    status = check_values(context, name, m, m, f->D[a]);
  }
  return status ? status : check_columns(context, f);
}

/* ---- block rows ------------------------------------------------------------------------------ */

/* Block k of block row a: its column, and its values. */
static nsds_status check_row_block(nsds_context *context, const nsds_block_rows *B, int a, int k) {
  int least = k > B->first[a] ? B->column[k - 1] + 1 : 0, b = B->column[k];
  if (b < least || b >= B->nrow_block)
    return nsds_fail(context, NSDS_ERROR_VALUE,
                     "nsds_problem: M.blocks.column[%d] is %d in block row %d; valid here is "
                     "%d..%d (increasing within a block row)",
                     k, b, a, least, B->nrow_block - 1);
  if (B->start[k] < 0)
    return nsds_fail(context, NSDS_ERROR_VALUE,
                     "nsds_problem: M.blocks.start[%d] is %d; it must not be negative", k,
                     B->start[k]);
  int m = B->row[a + 1] - B->row[a];
  for (int j = 0; j < B->row[b + 1] - B->row[b]; ++j) {
    const double *x = B->x + B->start[k] + (size_t)j * (size_t)m;
    int bad = nsds_first_nonfinite(x, m);
    if (bad >= 0)
      return nsds_fail(context, NSDS_ERROR_VALUE, "nsds_problem: M(%d,%d) is %g; it must be finite",
                       B->row[a] + bad, B->row[b] + j, x[bad]);
  }
  return NSDS_OK;
}

static nsds_status check_block_rows(nsds_context *context, const nsds_matrix *M) {
  const nsds_block_rows *B = M->blocks;
  nsds_status status = check_null(context, B ? NULL : "blocks");
  if (status) return status;
  if (B->nrow_block < 0)
    return nsds_fail(context, NSDS_ERROR_SIZE,
                     "nsds_problem: M.blocks.nrow_block is %d; it must not be negative",
                     B->nrow_block);
  status = check_null(context, !B->row ? "blocks.row" : !B->first ? "blocks.first" : NULL);
  if (!status)
    status = nsds_check_starts(context, NSDS_ERROR_VALUE, "nsds_problem", "M.blocks.row", B->row,
                               B->nrow_block);
  if (!status && B->row[B->nrow_block] != M->n)
    return nsds_fail(context, NSDS_ERROR_SIZE,
                     "nsds_problem: M.blocks.row spans %d rows, but n is %d", B->row[B->nrow_block],
                     M->n);
  if (!status)
    status = nsds_check_starts(context, NSDS_ERROR_VALUE, "nsds_problem", "M.blocks.first",
                               B->first, B->nrow_block);
  if (!status && B->first[B->nrow_block] > 0)
    status = check_null(context, !B->column  ? "blocks.column"
                                 : !B->start ? "blocks.start"
                                 : !B->x     ? "blocks.x"
                                             : NULL);
  for (int a = 0; !status && a < B->nrow_block; ++a)
    for (int k = B->first[a]; !status && k < B->first[a + 1]; ++k)
      status = check_row_block(context, B, a, k);
  return status;
}

nsds_status nsds_check_matrix(nsds_context *context, const nsds_matrix *M) {
  switch (M->storage) {
  case NSDS_DENSE: return check_dense(context, M);
  case NSDS_CSC: return check_csc(context, M);
  case NSDS_FACTORED: return check_factored(context, M);
  case NSDS_BLOCK_ROWS: return check_block_rows(context, M);
  }
  return nsds_fail(context, NSDS_ERROR_VALUE, "nsds_problem: M.storage is %d; no such storage",
                   (int)M->storage);
}
