/*
 * Constant matrices of linear systems: dense, or sparse as soon as one of a system's matrices is.
 */
#include "coefficient.h"

bool nsds_check_sparse(nsds_context *context, const char *call, const char *field, const nsds_csc *a, int n) {
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

nsds_status nsds_coefficient_keep(nsds_context *context, nsds_coefficient *c, int n, const double *dense,
                        const nsds_csc *sparse, bool to_sparse) {
  if (!dense && !sparse) return NSDS_OK;
  size_t size = (size_t)n * (size_t)n;
  if (!to_sparse) {
    c->count = size;
    c->x = nsds_copy(context, dense, size, sizeof *dense);
    return c->x ? NSDS_OK : NSDS_ERROR_MEMORY;
  }
  c->count = 0;
  if (sparse) c->count = (size_t)sparse->p[n];
  for (size_t k = 0; dense && k < size; ++k) c->count += dense[k] != 0.0;
  c->p = NSDS_NEW_ARRAY(context, int, n + 1);
  c->i = NSDS_NEW_ARRAY(context, int, c->count);
  c->x = NSDS_NEW_ARRAY(context, double, c->count);
  if (!c->p || !c->i || !c->x) return NSDS_ERROR_MEMORY;
  int filled = 0;
  for (int j = 0; j < n; ++j) {
    nsds_column column =
        nsds_column_at(sparse ? sparse->p : NULL, sparse ? sparse->i : NULL, n, j);
    for (int k = column.first; k < column.last; ++k) {
      double value = sparse ? sparse->x[k] : dense[k];
      if (!sparse && value == 0.0) continue;
      c->i[filled] = nsds_column_row(&column, k);
      c->x[filled++] = value;
    }
    c->p[j + 1] = filled;
  }
  return NSDS_OK;
}

nsds_status nsds_coefficient_get(const nsds_coefficient *c, double *out) {
  memcpy(out, c->x, c->count * sizeof *out);
  return NSDS_OK;
}

void nsds_coefficient_release(nsds_context *context, nsds_coefficient *c) {
  nsds_release(context, c->p);
  nsds_release(context, c->i);
  nsds_release(context, c->x);
}

nsds_shape nsds_coefficient_shape(const nsds_coefficient *c) {
  return (nsds_shape){.present = c->x != NULL, .constant = true, .p = c->p, .i = c->i};
}
