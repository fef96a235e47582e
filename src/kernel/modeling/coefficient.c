/*
 * Constant matrices of linear systems: all sparse if one of a system's matrices is sparse, else
 * dense.
 */
#include "kernel/modeling/coefficient.h"

#include "base/context.h"
#include "kernel/modeling/shape_column.h"

nsds_status nsds_coefficient_keep(nsds_context *context, nsds_coefficient *c, int n,
                                  const double *dense, const nsds_csc *sparse, bool to_sparse) {
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
  c->p = NSDS_NEW_ARRAY(context, int, (size_t)n + 1);
  c->i = NSDS_NEW_ARRAY(context, int, c->count);
  c->x = NSDS_NEW_ARRAY(context, double, c->count);
  if (!c->p || !c->i || !c->x) return NSDS_ERROR_MEMORY;
  int filled = 0;
  for (int j = 0; j < n; ++j) {
    nsds_shape_column column =
        nsds_shape_column_at(sparse ? sparse->p : NULL, sparse ? sparse->i : NULL, n, j);
    for (int k = column.first; k < column.last; ++k) {
      double value = sparse ? sparse->x[k] : dense[k];
      if (!sparse && value == 0.0) continue;
      c->i[filled] = nsds_shape_column_row(&column, k);
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

nsds_matrix_shape nsds_coefficient_shape(const nsds_coefficient *c) {
  return (nsds_matrix_shape){.present = c->x != NULL, .constant = true, .p = c->p, .i = c->i};
}
