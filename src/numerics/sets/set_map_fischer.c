/*
 * The equation of Fischer & Burmeister (Fischer: Optimization 24, 1992; on boxes Billups 1995; on
 * cones Fukushima, Luo & Tseng: SIAM J. Optim. 12, 2002), phi = x + y - (x^2 + y^2)^(1/2), which
 * vanishes where x and y lie in the cone and are orthogonal. On the second-order cone squares and
 * the root are those of its Jordan algebra, x o y = (x.y, x_0 y_T + y_0 x_T), and the derivative of
 * the root s is the inverse of L_s, the matrix of s o.
 */
#include "set_map.h"
#include "bounds.h"
#include "cone_algebra.h"

enum { most = NSDS_COUPLED_ROWS };

static const double root_half = 0.70710678118654752; /* where both arguments vanish: a limit */

/* ---- rows ---- */

/* A number that depends on z and w, with its derivatives. */
typedef struct dual {
  double value, dz, dw;
} dual;

static dual fischer(dual a, dual b) {
  double size = hypot(a.value, b.value);
  double da = 1.0 - (size > 0.0 ? a.value / size : root_half);
  double db = 1.0 - (size > 0.0 ? b.value / size : root_half);
  return (dual){a.value + b.value - size, da * a.dz + db * b.dz, da * a.dw + db * b.dw};
}

/* A bound at infinity lets its function tend to the other argument. */
static dual map_row(double lower, double upper, double rho, double z, double w) {
  dual result = {rho * w, 0.0, rho};
  if (isfinite(upper)) {
    result = fischer((dual){upper - z, -1.0, 0.0}, (dual){-rho * w, 0.0, -rho});
    result = (dual){-result.value, -result.dz, -result.dw};
  }
  return isfinite(lower) ? fischer((dual){z - lower, 1.0, 0.0}, result) : result;
}

static void map_rows(const nsds_block *block, const double *rho, const double *z, const double *w,
                     double *phi, double *A, double *B) {
  int m = block->size;
  for (int i = 0; i < m; ++i) {
    dual row = map_row(nsds_lower(block, i), nsds_upper(block, i), rho[i], z[i], w[i]);
    phi[i] = row.value;
    if (A) A[i + i * m] = row.dz;
    if (A) B[i + i * m] = row.dw;
  }
}

/* ---- cone ---- */

/* s = (x^2 + y^2 + e^2)^(1/2), e a number times the unit. */
static void root(int m, const double *x, const double *y, double e, double *s) {
  double v0 = e * e, size = 0.0;
  for (int i = 0; i < m; ++i) {
    v0 += x[i] * x[i] + y[i] * y[i];
    s[i] = 2.0 * (x[0] * x[i] + y[0] * y[i]);
    if (i > 0) size += s[i] * s[i];
  }
  size = sqrt(size);
  double large = sqrt(v0 + size), small = sqrt(fmax(v0 - size, e * e));
  s[0] = 0.5 * (large + small);
  for (int i = 1; i < m; ++i) s[i] *= size > 0.0 ? 0.5 * (large - small) / size : 0.0;
}

/* D = I - L_s^-1 L_x */
static void derivative(int m, const double *s, const double *x, double *D) {
  for (int j = 0; j < m; ++j) {
    double *c = D + j * m; /* column j of L_x */
    for (int i = 0; i < m; ++i) c[i] = i == j ? x[0] : i == 0 ? x[j] : j == 0 ? x[i] : 0.0;
    nsds_cone_divide(m, s, c, c);
    for (int i = 0; i < m; ++i) c[i] = (i == j) - c[i];
  }
}

/* In the variables (mu z_N, z_T) and (w_N / mu, w_T) the cone is its own dual. Where x^2 + y^2 lies
 * on the edge, the root has no derivative; that of a smoothed one is near a limit of it. */
static void map_cone(const nsds_block *block, const double *rho, const double *z, const double *w,
                     double *phi, double *A, double *B) {
  static const double smoothing = 1e-8; /* of the size: the root of rounding */
  int m = block->size;
  double x[most] = {0.0}, y[most] = {0.0}, s[most], size = 0.0;
  for (int i = 0; i < m; ++i) {
    x[i] = z[i] * (i == 0 ? block->mu : 1.0);
    y[i] = rho[i] * w[i] / (i == 0 ? block->mu : 1.0);
    size += x[i] * x[i] + y[i] * y[i];
  }
  root(m, x, y, 0.0, s);
  for (int i = 0; i < m; ++i) phi[i] = x[i] + y[i] - s[i];
  if (!A) return;
  root(m, x, y, size > 0.0 ? smoothing * sqrt(size) : 1.0, s);
  derivative(m, s, x, A);
  derivative(m, s, y, B);
  for (int i = 0; i < m; ++i) A[i] *= block->mu;
  for (int i = 0; i < m; ++i) B[i] /= block->mu;
  for (int i = 0; i < m * m; ++i) B[i] *= rho[0];
}

bool nsds_set_map_fischer(const nsds_block *block, const double *rho, const double *z,
                          const double *w, double *phi, double *A, double *B) {
  bool rows = block->set == NSDS_SET_NONNEGATIVE || block->set == NSDS_SET_BOX;
  bool cone = block->set == NSDS_SET_CONE || block->set == NSDS_SET_COULOMB;
  if (rows) map_rows(block, rho, z, w, phi, A, B);
  if (cone && block->mu > 0.0) map_cone(block, rho, z, w, phi, A, B);
  return rows || (cone && block->mu > 0.0);
}
