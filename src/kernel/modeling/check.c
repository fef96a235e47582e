/*
 * Checks of the fields of definitions: numbers, sizes, dense and sparse matrices.
 */
#include "modeling.h"

#include <limits.h>

bool nsds_check_finite(nsds_context *context, const char *call, const char *field, const double *x,
                       int n) {
  int bad = x ? nsds_first_nonfinite(x, n) : -1;
  if (bad < 0) return true;
  nsds_fail(context, NSDS_ERROR_VALUE, "%s: %s[%d] is %g; entries must be finite", call, field, bad,
            x[bad]);
  return false;
}

bool nsds_check_dense(nsds_context *context, const char *object, const char *field, int rows,
                      int cols) {
  if (rows <= INT_MAX / (cols > 0 ? cols : 1)) return true;
  nsds_fail(
      context, NSDS_ERROR_SIZE,
      "%s: %s is %d x %d; a dense matrix has at most %d entries, that is %d rows if it is square; "
      "larger ones have to be sparse",
      object, field, rows, cols, INT_MAX, nsds_largest_square);
  return false;
}

bool nsds_check_entries(nsds_context *context, const char *object, const char *field,
                        const double *x, int rows, int cols) {
  return !x || (nsds_check_dense(context, object, field, rows, cols) &&
                nsds_check_finite(context, object, field, x, rows * cols));
}

bool nsds_check_range(nsds_context *context, const char *call, const char *field, double value,
                      double low, double high) {
  if (value >= low && value <= high) return true;
  nsds_fail(context, NSDS_ERROR_VALUE, "%s: %s is %g; valid are values in [%g, %g]", call, field,
            value, low, high);
  return false;
}

bool nsds_check_count(nsds_context *context, const char *call, const char *field, int value,
                      int low) {
  if (value >= low) return true;
  nsds_fail(context, NSDS_ERROR_SIZE, "%s: %s is %d; valid are values >= %d", call, field, value,
            low);
  return false;
}

bool nsds_check_sparse(nsds_context *context, const char *call, const char *field,
                       const nsds_csc *a, int n) {
  if (!a) return true;
  if (a->nrow != n || a->ncol != n) {
    nsds_fail(context, NSDS_ERROR_SIZE, "%s: %s is %d x %d; ndof is %d", call, field, a->nrow,
              a->ncol, n);
    return false;
  }
  if (!a->p || a->p[0] != 0) {
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s.p is NULL or does not start at 0", call, field);
    return false;
  }
  for (int j = 0; j < n; ++j) {
    if (a->p[j + 1] < a->p[j]) {
      nsds_fail(context, NSDS_ERROR_SIZE, "%s: %s.p[%d] is %d, smaller than p[%d] = %d", call,
                field, j + 1, a->p[j + 1], j, a->p[j]);
      return false;
    }
    if (a->p[j + 1] > a->p[j] && (!a->i || !a->x)) {
      nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s.i or %s.x is NULL", call, field, field);
      return false;
    }
    for (int k = a->p[j]; k < a->p[j + 1]; ++k)
      if (a->i[k] < (k > a->p[j] ? a->i[k - 1] + 1 : 0) || a->i[k] >= n) {
        nsds_fail(context, NSDS_ERROR_SIZE,
                  "%s: %s.i[%d] is %d; row indices increase within a column and are in [0, %d]",
                  call, field, k, a->i[k], n - 1);
        return false;
      }
  }
  return nsds_check_finite(context, call, field, a->x, a->p[n]);
}
