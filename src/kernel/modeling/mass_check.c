/*
 * Checks a mass matrix M at construction: symmetric, with positive diagonal D, and D^-1/2 M D^-1/2
 * has a Cholesky factor. With this scale, masses of very different sizes or units do not look
 * singular. The limits of D keep squares from overflow.
 */
#include "kernel/modeling/mass_check.h"

#include "base/context.h"
#include "kernel/modeling/shape_column.h"
#include "numerics/linear/definite.h"

#include <float.h>
#include <stdio.h>

static double mass_check_entry(const nsds_csc *a, int row, int col) {
  if (!a->p) return a->x[(size_t)row + (size_t)col * (size_t)a->nrow];
  for (int k = a->p[col]; k < a->p[col + 1]; ++k)
    if (a->i[k] == row) return a->x[k];
  return 0.0;
}

bool nsds_check_mass_entry(nsds_context *context, const char *call, const char *label,
                           const char *field, double value) {
  if (value >= nsds_least_mass && value <= nsds_most_mass) return true;
  nsds_fail(context, NSDS_ERROR_VALUE, "%s: %s: %s is %g; valid are values in [%g, %g]", call,
            label, field, value, nsds_least_mass, nsds_most_mass);
  return false;
}

/* Checks symmetry and positive 2 x 2 minors. Names the wrong entries. */
static nsds_status mass_check_entries(nsds_context *context, const char *call, const char *label,
                                      const nsds_csc *mass) {
  for (int j = 0; j < mass->ncol; ++j) {
    double diagonal = mass_check_entry(mass, j, j);
    if (!(diagonal > 0.0))
      return nsds_fail(context, NSDS_ERROR_SINGULAR,
                       "%s: mass[%d,%d] is %g; a mass matrix is symmetric positive definite", label,
                       j, j, diagonal);
    char field[48];
    snprintf(field, sizeof field, "mass[%d,%d]", j, j);
    if (!nsds_check_mass_entry(context, call, label, field, diagonal)) return NSDS_ERROR_VALUE;
    nsds_shape_column column = nsds_shape_column_at(mass->p, mass->i, mass->nrow, j);
    for (int k = column.first; k < column.last; ++k) {
      int i = nsds_shape_column_row(&column, k);
      double mirror = mass_check_entry(mass, j, i),
             scale = sqrt(diagonal) * sqrt(fabs(mass_check_entry(mass, i, i)));
      if (fabs(mass->x[k] - mirror) > 1e-10 * scale)
        return nsds_fail(context, NSDS_ERROR_VALUE,
                         "%s: mass[%d,%d] is %.17g but mass[%d,%d] is %.17g; it must be symmetric",
                         label, i, j, mass->x[k], j, i, mirror);
      if (i != j && fabs(mass->x[k]) >= scale)
        return nsds_fail(context, NSDS_ERROR_SINGULAR,
                         "%s: mass[%d,%d] is %g, its diagonal entries are %g and %g: singular or "
                         "indefinite; a mass matrix is symmetric positive definite",
                         label, i, j, mass->x[k], mass_check_entry(mass, i, i), diagonal);
    }
  }
  return NSDS_OK;
}

void nsds_scale_mass(const nsds_csc *mass, double *root, double *scaled) {
  double margin = 4.0 * mass->ncol * DBL_EPSILON;
  for (int j = 0; j < mass->ncol; ++j) root[j] = sqrt(mass_check_entry(mass, j, j));
  for (int j = 0; j < mass->ncol; ++j) {
    nsds_shape_column column = nsds_shape_column_at(mass->p, mass->i, mass->nrow, j);
    for (int k = column.first; k < column.last; ++k) {
      int i = nsds_shape_column_row(&column, k);
      scaled[k] = i == j ? 1.0 - margin : mass->x[k] / root[j] / root[i];
    }
  }
}

nsds_status nsds_check_mass(nsds_context *context, const char *call, const char *label,
                            const nsds_csc *mass) {
  nsds_status status = mass_check_entries(context, call, label, mass);
  if (status) return status;
  size_t n = (size_t)mass->ncol;
  double *root = NSDS_NEW_ARRAY(context, double, n + nsds_value_count(mass->p, mass->ncol));
  if (!root) return NSDS_ERROR_MEMORY;
  nsds_scale_mass(mass, root, root + n);
  status = nsds_check_definite(context, mass->ncol, mass->p, mass->i, root + n);
  nsds_release(context, root);
  if (status != NSDS_ERROR_SINGULAR) return status;
  return nsds_fail(
      context, status,
      "%s: the mass matrix has no Cholesky factor: it is singular or indefinite; a mass "
      "matrix is symmetric positive definite",
      label);
}
