/*
 * Nonsmooth equations of the laws and their generalised derivatives (Alart & Curnier: Comput.
 * Methods Appl. Mech. Engrg. 92, 1991; Hayashi, Yamashita & Fukushima: SIAM J. Optim. 15, 2005, for
 * the derivative of the projection on a cone).
 *
 * Every equation has the form phi = z - p(x), x = z - rho w, so that with G = dp/dx
 * A = I - G and B = G diag(rho).
 */
#include "numerics/sets/set_map.h"

#include "numerics/sets/bounds.h"
#include "numerics/sets/cone_algebra.h"
#include "numerics/sets/polyhedron.h"
#include "numerics/sets/sets.h"

enum { most = NSDS_COUPLED_ROWS };

static void add_unit(double *G, int m, int first, int count, double factor) {
  for (int i = first; i < first + count; ++i) G[i + i * m] += factor;
}

/* Computes p on the rows of a part: x shortened to slope p_0 or, for a disc, to a fixed limit. The
 * same rows of G follow from the row of p_0. */
static void map_part(int m, const nsds_part *part, double limit, const double *of_normal,
                     const double *x, double *p, double *G) {
  int first = part->first, end = first + part->count;
  double size = nsds_vector_length(part->count, x + first),
         share = size <= limit ? 1.0 : limit / size;
  for (int i = first; i < end; ++i) p[i] = share * x[i];
  if (!G) return;
  for (int i = first; i < end && size > limit; ++i) {
    double direction = x[i] / size;
    for (int j = 0; j < m; ++j) G[i + j * m] += part->slope * direction * of_normal[j];
    for (int j = first; j < end; ++j) G[i + j * m] -= share * direction * x[j] / size;
  }
  add_unit(G, m, first, part->count, share);
}

/* On a cone, parts that are too long give p_N = (x_N + sum mu_i |x_i|) / (1 + sum mu_i^2). */
static void normal_derivative(const nsds_block *block, const double *x, double p_N, double *slope) {
  nsds_part part[2];
  double sum = 1.0;
  int count = nsds_set_parts(block, part);
  slope[0] = 1.0;
  for (int k = 0; k < count; ++k) {
    double size = nsds_vector_length(part[k].count, x + part[k].first);
    if (!(size > part[k].slope * p_N)) continue;
    sum += part[k].slope * part[k].slope;
    for (int i = part[k].first; i < part[k].first + part[k].count; ++i)
      slope[i] = part[k].slope * x[i] / size;
  }
  for (int i = 0; i < block->size; ++i) slope[i] /= sum;
}

/* Alart & Curnier's p_N is max(0, x_N) for any other parts; otherwise p is the projection. */
static void set_map_cone(bool apart, const nsds_block *block, const double *x, double *p,
                         double *G) {
  int m = block->size;
  double slope[most];
  nsds_part part[2];
  int count = nsds_set_parts(block, part);
  for (int i = 0; i < m; ++i) slope[i] = 0.0;
  if (apart) p[0] = x[0] > 0.0 ? x[0] : 0.0;
  else nsds_set_project(block, x, p);
  if (p[0] > 0.0 && apart) slope[0] = 1.0;
  else if (p[0] > 0.0 && G) normal_derivative(block, x, p[0], slope);
  for (int j = 0; G && j < m; ++j) G[j * m] = slope[j];
  if (!apart && (!G || !(p[0] > 0.0))) return;
  for (int k = 0; k < count; ++k) map_part(m, &part[k], part[k].slope * p[0], slope, x, p, G);
}

/* Computes G, the projector orthogonal to the normals of the facets on which p rests. */
static void set_map_polyhedron(const nsds_block *block, const double *x, double *p, double *G) {
  nsds_facets facets;
  int m = block->size;
  nsds_polyhedron_project(block, NULL, x, p, &facets);
  if (!G) return;
  add_unit(G, m, 0, m, 1.0);
  for (int k = 0; k < facets.count; ++k)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j) G[i + j * m] -= facets.Q[i + k * m] * facets.Q[j + k * m];
}

/* Computes p(x) and G, which is zero on entry. */
static void map_of_x(nsds_map map, const nsds_block *block, const double *x, double *p, double *G) {
  int m = block->size;
  switch (block->set) {
  case NSDS_SET_EQUALITY:
  case NSDS_SET_NONNEGATIVE:
  case NSDS_SET_BOX:
    nsds_set_project(block, x, p);
    for (int i = 0; G && i < m; ++i) G[i + i * m] = p[i] == x[i];
    break;
  case NSDS_SET_DISC: map_part(m, &(nsds_part){0, m, 0.0}, block->radius, x, x, p, G); break;
  case NSDS_SET_COULOMB:
  case NSDS_SET_ROLLING: set_map_cone(map == NSDS_MAP_ALART_CURNIER, block, x, p, G); break;
  case NSDS_SET_CONE: set_map_cone(false, block, x, p, G); break;
  case NSDS_SET_POLYHEDRON: set_map_polyhedron(block, x, p, G); break;
  }
}

/* Computes B <- B (I + e_N s'(w)^T), s the shift. */
static void add_shift(const nsds_block *block, const double *w, double *B) {
  int m = block->size;
  nsds_part part[2];
  int count = nsds_set_parts(block, part);
  for (int k = 0; k < count; ++k) {
    int first = part[k].first, end = first + part[k].count;
    double size = nsds_vector_length(part[k].count, w + first);
    for (int j = first; j < end && size > 0.0; ++j)
      for (int i = 0; i < m; ++i) B[i + j * m] += B[i] * (part[k].slope * w[j]) / size;
  }
}

/*
 * ---- Fischer & Burmeister ----
 *
 * The equation of Fischer & Burmeister (Fischer: Optimization 24, 1992; on boxes Billups 1995; on
 * cones Fukushima, Luo & Tseng: SIAM J. Optim. 12, 2002) is phi = x + y - (x^2 + y^2)^(1/2). phi
 * vanishes if x and y lie in the cone and are orthogonal. Squares and the root on the second-order
 * cone use its Jordan algebra, x o y = (x.y, x_0 y_T + y_0 x_T). The derivative of the root s is
 * the inverse of L_s, the matrix of s o.
 */
static const double root_half = 0.70710678118654752; /* a limit, if both arguments vanish */

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

/* If a bound is at infinity, its function tends to the other argument. */
static dual map_row_fischer(double lower, double upper, double rho, double z, double w) {
  dual result = {rho * w, 0.0, rho};
  if (isfinite(upper)) {
    result = fischer((dual){upper - z, -1.0, 0.0}, (dual){-rho * w, 0.0, -rho});
    result = (dual){-result.value, -result.dz, -result.dw};
  }
  return isfinite(lower) ? fischer((dual){z - lower, 1.0, 0.0}, result) : result;
}

static void map_rows_fischer(const nsds_block *block, const double *rho, const double *z,
                             const double *w, double *phi, double *A, double *B) {
  int m = block->size;
  for (int i = 0; i < m; ++i) {
    dual row = map_row_fischer(nsds_lower(block, i), nsds_upper(block, i), rho[i], z[i], w[i]);
    phi[i] = row.value;
    if (A) A[i + i * m] = row.dz;
    if (A) B[i + i * m] = row.dw;
  }
}

/* Computes s = (x^2 + y^2 + e^2)^(1/2), e a number times the unit. */
static void set_map_root(int m, const double *x, const double *y, double e, double *s) {
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

/* Computes D = I - L_s^-1 L_x. */
static void set_map_derivative(int m, const double *s, const double *x, double *D) {
  for (int j = 0; j < m; ++j) {
    double *c = D + j * m; /* column j of L_x */
    for (int i = 0; i < m; ++i) c[i] = i == j ? x[0] : i == 0 ? x[j] : j == 0 ? x[i] : 0.0;
    nsds_cone_divide(m, s, c, c);
    for (int i = 0; i < m; ++i) c[i] = (i == j) - c[i];
  }
}

/* In the variables (mu z_N, z_T) and (w_N / mu, w_T) the cone is its own dual. The root has no
 * derivative when x^2 + y^2 lies on the edge. The derivative of a smoothed root is then close to a
 * limit of derivatives. */
static void map_cone_fischer(const nsds_block *block, const double *rho, const double *z,
                             const double *w, double *phi, double *A, double *B) {
  static const double smoothing = 1e-8; /* of the size: the root of rounding */
  int m = block->size;
  double x[most] = {0.0}, y[most] = {0.0}, s[most], size = 0.0;
  for (int i = 0; i < m; ++i) {
    x[i] = z[i] * (i == 0 ? block->mu : 1.0);
    y[i] = rho[i] * w[i] / (i == 0 ? block->mu : 1.0);
    size += x[i] * x[i] + y[i] * y[i];
  }
  set_map_root(m, x, y, 0.0, s);
  for (int i = 0; i < m; ++i) phi[i] = x[i] + y[i] - s[i];
  if (!A) return;
  set_map_root(m, x, y, size > 0.0 ? smoothing * sqrt(size) : 1.0, s);
  set_map_derivative(m, s, x, A);
  set_map_derivative(m, s, y, B);
  for (int i = 0; i < m; ++i) A[i] *= block->mu;
  for (int i = 0; i < m; ++i) B[i] /= block->mu;
  for (int i = 0; i < m * m; ++i) B[i] *= rho[0];
}

/* Returns false, and does nothing, if the set has no such equation. */
static bool map_fischer(const nsds_block *block, const double *rho, const double *z,
                        const double *w, double *phi, double *A, double *B) {
  bool rows = block->set == NSDS_SET_NONNEGATIVE || block->set == NSDS_SET_BOX;
  bool cone = block->set == NSDS_SET_CONE || block->set == NSDS_SET_COULOMB;
  if (rows) map_rows_fischer(block, rho, z, w, phi, A, B);
  if (cone && block->mu > 0.0) map_cone_fischer(block, rho, z, w, phi, A, B);
  return rows || (cone && block->mu > 0.0);
}

/* ---- the equations ---- */

void nsds_set_map(nsds_map map, const nsds_block *block, const double *rho, const double *z,
                  const double *w, double *phi, double *A, double *B) {
  int m = block->size;
  if (m <= 0) return;
  for (int i = 0; A && i < m * m; ++i) A[i] = B[i] = 0.0;
  bool shifts = map != NSDS_MAP_ALART_CURNIER &&
                (block->set == NSDS_SET_COULOMB || block->set == NSDS_SET_ROLLING);
  double x[most], p[most], shifted[most];
  const double *v = w;
  if (shifts) {
    nsds_set_shift(block, w, shifted);
    v = shifted;
  }
  if (map != NSDS_MAP_FISCHER || !map_fischer(block, rho, z, v, phi, A, B)) {
    for (int i = 0; i < m; ++i) x[i] = z[i] - rho[i] * v[i];
    map_of_x(map, block, x, p, A);
    for (int i = 0; i < m; ++i) phi[i] = z[i] - p[i];
    for (int j = 0; A && j < m; ++j)
      for (int i = 0; i < m; ++i) {
        double g = A[i + j * m];
        A[i + j * m] = (i == j) - g;
        B[i + j * m] = g * rho[j];
      }
  }
  if (A && shifts) add_shift(block, w, B);
}

/* Returns the number of rows from row i on that share one rho. */
static int set_map_rows_together(const nsds_block *block, int i) {
  nsds_part part[2];
  switch (block->set) {
  case NSDS_SET_DISC:
  case NSDS_SET_CONE:
  case NSDS_SET_POLYHEDRON: return block->size;
  case NSDS_SET_COULOMB:
  case NSDS_SET_ROLLING: nsds_set_parts(block, part); break;
  default: return 1;
  }
  return i == 0 ? 1 : part[i != part[0].first].count;
}

void nsds_set_map_scale(const nsds_block *block, const double *M, double *rho) {
  int m = block->size;
  for (int i = 0, end; i < m; i = end) {
    double largest = 0.0;
    end = i + set_map_rows_together(block, i);
    for (int j = i; j < end; ++j) largest = fmax(largest, M[j + j * m]);
    for (int j = i; j < end; ++j) rho[j] = largest > 0.0 ? 1.0 / largest : 1.0;
  }
}
