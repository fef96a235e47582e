/*
 * Checks of numbers, sizes, dense and sparse matrices in definitions.
 */
#include "kernel/modeling/check.h"

#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "kernel/modeling/modeling.h"
#include "numerics/problem.h"

#include <limits.h>
#include <stdio.h>

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

bool nsds_check_type(const nsds_model *model, const char *call, const void *def, const void *ops,
                     const char *type, const uint64_t *def_words, int count,
                     const uint64_t *ops_words, int ops_count) {
  const char *missing = !model  ? "model"
                        : !def  ? "def"
                        : !ops  ? "def->ops"
                        : !type ? "def->ops->type"
                                : NULL;
  if (missing) nsds_fail_null(model ? model->context : NULL, call, missing);
  return !missing && !nsds_check_reserved(model->context, call, "", def_words, count) &&
         !nsds_check_reserved(model->context, call, "ops->", ops_words, ops_count);
}

bool nsds_check_count(nsds_context *context, const char *call, const char *field, int value,
                      int low) {
  if (value >= low) return true;
  nsds_fail(context, NSDS_ERROR_SIZE, "%s: %s is %d; valid are values >= %d", call, field, value,
            low);
  return false;
}

bool nsds_check_parameters(nsds_context *context, const char *call, const char *count_field,
                           int count, const double *z) {
  if (!nsds_check_count(context, call, count_field, count, 0)) return false;
  if (count > 0 || !z) return nsds_check_finite(context, call, "z", z, count);
  nsds_fail(context, NSDS_ERROR_SIZE, "%s: z is given, but %s is 0; give the number of parameters",
            call, count_field);
  return false;
}

bool nsds_check_sparse(nsds_context *context, const char *call, const char *field,
                       const nsds_csc *a, int n) {
  if (!a) return true;
  if (a->nrow != n || a->ncol != n || n == INT_MAX) {
    nsds_fail(context, NSDS_ERROR_SIZE, "%s: %s is %d x %d; ndof is %d, and at most %d", call,
              field, a->nrow, a->ncol, n, INT_MAX - 1);
    return false;
  }
  char name[nsds_label_size];
  snprintf(name, sizeof name, "%.64s.p", field);
  if (!a->p) {
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s is NULL", call, name);
    return false;
  }
  char beginning[nsds_label_size];
  snprintf(beginning, sizeof beginning, "%.64s: ", call);
  const nsds_subject s = {.context = context, .of = beginning};
  if (nsds_check_starts(&s, NSDS_ERROR_SIZE, name, a->p, n)) return false;
  if (a->p[n] > 0 && (!a->i || !a->x)) {
    nsds_fail(context, NSDS_ERROR_ARGUMENT, "%s: %s.%s is NULL", call, field, a->i ? "x" : "i");
    return false;
  }
  for (int j = 0; j < n; ++j)
    for (int k = a->p[j]; k < a->p[j + 1]; ++k)
      if (a->i[k] < (k > a->p[j] ? a->i[k - 1] + 1 : 0) || a->i[k] >= n) {
        nsds_fail(context, NSDS_ERROR_SIZE,
                  "%s: %s.i[%d] is %d; row indices increase within a column and are in [0, %d]",
                  call, field, k, a->i[k], n - 1);
        return false;
      }
  return nsds_check_finite(context, call, field, a->x, a->p[n]);
}

const char *nsds_maker(const char *type, const char *call) {
  return type && strncmp(type, "nsds_", 5) == 0 ? type : call;
}
