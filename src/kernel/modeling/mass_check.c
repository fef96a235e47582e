/*
 * Consistency of a mass matrix at construction: finite, symmetric, positive diagonal, invertible.
 */
#include "mass_check.h"
#include "factor.h"

static double entry(const nsds_csc *a, int row, int col) {
  if (!a->p) return a->x[row + col * a->nrow];
  for (int k = a->p[col]; k < a->p[col + 1]; ++k)
    if (a->i[k] == row) return a->x[k];
  return 0.0;
}

nsds_status nsds_check_mass(nsds_context *context, const char *label, const nsds_csc *mass) {
  int n = mass->ncol;
  for (int j = 0; j < n; ++j) {
    double diagonal = entry(mass, j, j);
    if (!(diagonal > 0.0))
      return nsds_fail(context, NSDS_ERROR_SINGULAR,
                       "%s: mass[%d,%d] is %g; a mass matrix is symmetric positive definite", label,
                       j, j, diagonal);
    int first = mass->p ? mass->p[j] : j * n, last = mass->p ? mass->p[j + 1] : (j + 1) * n;
    for (int k = first; k < last; ++k) {
      int i = mass->p ? mass->i[k] : k - first;
      double mirror = entry(mass, j, i), scale = sqrt(fabs(diagonal * entry(mass, i, i)));
      if (fabs(mass->x[k] - mirror) > 1e-10 * scale)
        return nsds_fail(context, NSDS_ERROR_VALUE,
                         "%s: mass[%d,%d] is %.17g but mass[%d,%d] is %.17g; it must be symmetric",
                         label, i, j, mass->x[k], j, i, mirror);
      if (i != j && fabs(mass->x[k]) >= scale) /* a 2 x 2 minor that is not positive */
        return nsds_fail(context, NSDS_ERROR_SINGULAR,
                         "%s: mass[%d,%d] is %g, its diagonal entries are %g and %g: singular or "
                         "indefinite; a mass matrix is symmetric positive definite",
                         label, i, j, mass->x[k], entry(mass, i, i), diagonal);
    }
  }
  nsds_factor *factor = nsds_factor_create(context);
  if (!factor) return NSDS_ERROR_MEMORY;
  nsds_status status = mass->p ? nsds_factor_csc(factor, n, mass->p, mass->i, mass->x, 0)
                               : nsds_factor_dense(factor, n, mass->x);
  if (status == NSDS_ERROR_SINGULAR)
    nsds_fail(context, status, "%s: the mass matrix is singular (reciprocal condition %g)", label,
              nsds_factor_rcond(factor));
  nsds_factor_destroy(factor);
  return status;
}
