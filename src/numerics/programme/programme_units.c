/* Units of the rows of a convex quadratic programme, see programme_units.h. */
#include "numerics/programme/programme_units.h"

#include "base/base.h"
#include "numerics/linear/factor.h"

enum { passes = 8 };

/* Makes the largest entry of each column about 1; w has the inverse units times `products`, one for
 * each sign. */
static void programme_balance(const nsds_programme_rows *m, double *of_z, double *of_w,
                              double *change) {
  for (int pass = 0; pass < passes; ++pass) {
    for (int j = 0; j < m->n; ++j) {
      double most = 0.0;
      for (int k = m->p[j]; k < m->p[j + 1]; ++k)
        nsds_raise(&most, fabs(m->x[k]) * of_z[j] / of_w[m->i[k]]);
      change[j] = nsds_inverse_power(most, 2);
    }
    for (int j = 0; j < m->n; ++j) {
      of_z[j] *= change[j];
      of_w[j] /= change[j];
    }
  }
}

/* Returns the size of q on one side, or of the finite bounds on the other if that is zero. */
static double programme_size(const nsds_programme_rows *m, int side, const double *of_z,
                             const double *of_w) {
  double q = 0.0, bounds = 0.0;
  for (int i = 0; i < m->n; ++i) {
    if (m->sign[i] == side) nsds_raise(&q, fabs(m->q[i]) / of_w[i]);
    if (m->sign[i] == side) continue;
    if (isfinite(m->lower[i])) nsds_raise(&bounds, fabs(m->lower[i]) / of_z[i]);
    if (isfinite(m->upper[i])) nsds_raise(&bounds, fabs(m->upper[i]) / of_z[i]);
  }
  return q > 0.0 ? q : bounds;
}

void nsds_programme_find_units(const nsds_programme_rows *m, double *of_z, double *of_w,
                               double *work) {
  for (int i = 0; i < m->n; ++i) of_z[i] = of_w[i] = 1.0;
  programme_balance(m, of_z, of_w, work);
  double by_w[2] = {nsds_inverse_power(programme_size(m, -1, of_z, of_w), 1),
                    nsds_inverse_power(programme_size(m, 1, of_z, of_w), 1)};
  for (int i = 0; i < m->n; ++i) {
    of_w[i] /= by_w[m->sign[i] > 0];
    of_z[i] /= by_w[m->sign[i] < 0];
  }
  programme_balance(m, of_z, of_w, work);
}
