/*
 * Compressed columns from entries in any order, by two stable counting sorts: by row, then by
 * column. Entries at one place are then neighbors and are added up in the order given.
 */
#include "io/columns.h"

#include "base/context.h"
#include "base/finite.h"

#include <limits.h>

nsds_status nsds_triplets_create(nsds_context *context, int nrow, int ncolumn, size_t count,
                                 nsds_triplets *entries) {
  *entries = (nsds_triplets){.nrow = nrow, .ncolumn = ncolumn, .count = count};
  if (count > INT_MAX)
    return nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
                     "a sparse matrix of %zu entries: there may be up to %d", count, INT_MAX);
  entries->row = NSDS_NEW_ARRAY(context, int, count);
  if (entries->row) entries->column = NSDS_NEW_ARRAY(context, int, count);
  if (entries->column) entries->x = NSDS_NEW_ARRAY(context, double, count);
  return entries->x ? NSDS_OK : NSDS_ERROR_MEMORY;
}

void nsds_triplets_release(nsds_context *context, nsds_triplets *entries) {
  nsds_release(context, entries->row);
  nsds_release(context, entries->column);
  nsds_release(context, entries->x);
  *entries = (nsds_triplets){0};
}

void nsds_sort_by(const int *key, int nkey, size_t count, const int *from, int *order, int *start) {
  for (size_t k = 0; k < count; ++k) ++start[key[k] + 1];
  for (int v = 0; v < nkey; ++v) start[v + 1] += start[v];
  for (size_t k = 0; k < count; ++k) {
    int entry = from ? from[k] : (int)k;
    order[start[key[entry]]++] = entry;
  }
  for (int v = nkey; v > 0; --v) start[v] = start[v - 1];
  start[0] = 0;
}

/* Gathers entries in order of column and row into p, i, x; equal places are added up. */
static void columns_gather(const nsds_triplets *entries, const int *order, int *p, int *i,
                           double *x) {
  int used = 0;
  for (int j = 0; j < entries->ncolumn; ++j) {
    int begin = p[j], end = p[j + 1];
    p[j] = used;
    for (int k = begin; k < end; ++k) {
      int row = entries->row[order[k]];
      if (used > p[j] && i[used - 1] == row) {
        x[used - 1] += entries->x[order[k]];
        continue;
      }
      i[used] = row;
      x[used++] = entries->x[order[k]];
    }
  }
  p[entries->ncolumn] = used;
}

nsds_status nsds_compress(nsds_context *context, const nsds_triplets *entries, int **p, int **i,
                          double **x) {
  size_t count = entries->count;
  int *by_row = NSDS_NEW_ARRAY(context, int, count), *by_column = NULL, *start = NULL;
  if (by_row) by_column = NSDS_NEW_ARRAY(context, int, count);
  if (by_column) start = NSDS_NEW_ARRAY(context, int, (size_t)entries->nrow + 1);
  if (start) *p = NSDS_NEW_ARRAY(context, int, (size_t)entries->ncolumn + 1);
  if (*p) *i = NSDS_NEW_ARRAY(context, int, count);
  if (*i) *x = NSDS_NEW_ARRAY(context, double, count);
  if (*x) {
    nsds_sort_by(entries->row, entries->nrow, count, NULL, by_row, start);
    nsds_sort_by(entries->column, entries->ncolumn, count, by_row, by_column, *p);
    columns_gather(entries, by_column, *p, *i, *x);
  }
  nsds_release(context, by_row);
  nsds_release(context, by_column);
  nsds_release(context, start);
  if (!*x) return NSDS_ERROR_MEMORY;
  return nsds_first_nonfinite(*x, (*p)[entries->ncolumn]) < 0 ? NSDS_OK : NSDS_ERROR_FORMAT;
}

nsds_status nsds_file_compress(nsds_problem_file *file, const nsds_triplets *entries) {
  return nsds_compress(file->context, entries, &file->p, &file->i, &file->x);
}

nsds_status nsds_columns_of(nsds_context *context, const nsds_problem *problem,
                            nsds_columns *columns) {
  const nsds_matrix *M = &problem->M;
  *columns = (nsds_columns){.p = M->p, .i = M->i, .x = M->x};
  if (M->storage == NSDS_CSC) return NSDS_OK;
  int *work = NSDS_NEW_ARRAY(context, int, nsds_problem_csc_work(problem));
  if (work) columns->own_p = NSDS_NEW_ARRAY(context, int, (size_t)M->n + 1);
  if (columns->own_p) {
    nsds_problem_to_csc(problem, columns->own_p, NULL, NULL, work);
    columns->own_i = NSDS_NEW_ARRAY(context, int, columns->own_p[M->n]);
  }
  if (columns->own_i) columns->own_x = NSDS_NEW_ARRAY(context, double, columns->own_p[M->n]);
  if (columns->own_x)
    nsds_problem_to_csc(problem, columns->own_p, columns->own_i, columns->own_x, work);
  nsds_release(context, work);
  columns->p = columns->own_p;
  columns->i = columns->own_i;
  columns->x = columns->own_x;
  return columns->own_x ? NSDS_OK : NSDS_ERROR_MEMORY;
}

void nsds_columns_release(nsds_context *context, nsds_columns *columns) {
  nsds_release(context, columns->own_p);
  nsds_release(context, columns->own_i);
  nsds_release(context, columns->own_x);
  *columns = (nsds_columns){0};
}
