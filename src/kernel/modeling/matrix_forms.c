/*
 * Converts matrices as people write them: triplets in any order to compressed columns, rows to
 * columns.
 */
#include "base/context.h"

#include <nsds/model.h>

/* Sorts the entries of one column by row (Shell, gaps 3 g + 1). */
static void matrix_forms_sort(int n, int *i, double *x) {
  int gap = 1;
  while (gap < n / 3) gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3)
    for (int k = gap; k < n; ++k) {
      int row = i[k], at = k;
      double value = x[k];
      for (; at >= gap && i[at - gap] > row; at -= gap) {
        i[at] = i[at - gap];
        x[at] = x[at - gap];
      }
      i[at] = row;
      x[at] = value;
    }
}

static nsds_status matrix_forms_check(int nrow, int ncol, int count, const nsds_triplet *triplet) {
  const char *call = "nsds_triplets_to_csc";
  if (nrow < 0 || ncol < 0 || count < 0)
    return nsds_fail(NULL, NSDS_ERROR_SIZE, "%s: %d x %d with %d triplets; valid are values >= 0",
                     call, nrow, ncol, count);
  for (int k = 0; k < count; ++k)
    if (triplet[k].row < 0 || triplet[k].row >= nrow || triplet[k].col < 0 ||
        triplet[k].col >= ncol)
      return nsds_fail(
          NULL, NSDS_ERROR_SIZE,
          "%s: triplet[%d] is at (%d, %d), outside of the %d x %d matrix; valid are places in it",
          call, k, triplet[k].row, triplet[k].col, nrow, ncol);
  return NSDS_OK;
}

/* Sums entries of one place in columns sorted by row. p[j + 1] is the start of column j. */
static int matrix_forms_compress(int ncol, int count, int *p, int *i, double *x) {
  int filled = 0;
  for (int j = 0; j < ncol; ++j) {
    int first = p[j + 1], last = j + 1 < ncol ? p[j + 2] : count, start = filled;
    for (int k = first; k < last; ++k) {
      bool same = filled > start && i[filled - 1] == i[k];
      double sum = same ? x[filled - 1] + x[k] : x[k];
      filled += !same;
      i[filled - 1] = i[k];
      x[filled - 1] = sum;
    }
    p[j] = start; /* held the start of column j - 1, which is done */
  }
  return p[ncol] = filled;
}

nsds_status nsds_triplets_to_csc(int nrow, int ncol, int count, const nsds_triplet *triplet, int *p,
                                 int *i, double *x, nsds_csc *out) {
  if (!p || !out || (count > 0 && !(triplet && i && x)))
    return nsds_fail_null(NULL, "nsds_triplets_to_csc", "an array");
  nsds_status status = matrix_forms_check(nrow, ncol, count, triplet);
  if (status) return status;
  for (int j = 0; j <= ncol; ++j) p[j] = 0;
  for (int k = 0; k < count; ++k) ++p[triplet[k].col + 1];
  for (int j = 0; j < ncol; ++j) p[j + 1] += p[j];
  for (int k = count - 1; k >= 0; --k) { /* p[j + 1] comes down to the start of column j */
    int at = --p[triplet[k].col + 1];
    i[at] = triplet[k].row;
    x[at] = triplet[k].value;
  }
  for (int j = 0; j < ncol; ++j) {
    int first = p[j + 1], last = j + 1 < ncol ? p[j + 2] : count;
    matrix_forms_sort(last - first, i + first, x + first);
  }
  matrix_forms_compress(ncol, count, p, i, x);
  *out = (nsds_csc){.nrow = nrow, .ncol = ncol, .p = p, .i = i, .x = x};
  return NSDS_OK;
}

const double *nsds_by_rows(int nrow, int ncol, const double *rows, double *columns) {
  for (int r = 0; rows && columns && r < nrow; ++r)
    for (int c = 0; c < ncol; ++c) columns[r + (ptrdiff_t)c * nrow] = rows[c + (ptrdiff_t)r * ncol];
  return columns;
}
