/*
 * The certifier's natural map of one block, and the effect of an uncertain q on it. No projection
 * is shared with the solvers, except that on a polyhedron. That projection counts as a claim:
 * feasibility, the signs of the multipliers and stationarity are checked, and defects count as
 * residual.
 */
#include "numerics/certify/certify_sets.h"

#include "base/base.h"
#include "numerics/sets/polyhedron.h"

int nsds_certify_group(const nsds_block *block, int i) {
  int m = block->size;
  switch (block->set) {
  case NSDS_SET_DISC: return m - i;
  case NSDS_SET_CONE:
  case NSDS_SET_COULOMB: return i == 0 ? 1 : m - i;
  case NSDS_SET_ROLLING: return i == 0 ? 1 : i <= (m - 1) / 2 ? (m + 1) / 2 - i : m - i;
  default: return 1;
  }
}

void nsds_certify_unit(double d, int first, int end, nsds_units *units) {
  double root = sqrt(d), inverse = 1.0 / root;
  for (int i = first; i < end; ++i) {
    units->root[i] = root;
    units->inverse[i] = inverse;
  }
}

NSDS_INLINE double certify_sets_norm_of(int n, const double *x) {
  double sum = 0.0, slow = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  if (sum > nsds_least_square && sum < nsds_most_square) return sqrt(sum);
  for (int i = 0; i < n; ++i)
    if (x[i] != 0.0) slow = hypot(slow, x[i]);
  return slow;
}

double nsds_certify_size(int n, const double *unit, const double *x) {
  double y[NSDS_COUPLED_ROWS];
  for (int i = 0; i < n; ++i) y[i] = unit[i] * x[i];
  return certify_sets_norm_of(n, y);
}

/* A block in the variables y and v of the map, with x = y - v. */
typedef struct point {
  double y[NSDS_COUPLED_ROWS], v[NSDS_COUPLED_ROWS], x[NSDS_COUPLED_ROWS];
} point;

NSDS_INLINE void bring(int m, const nsds_units *units, const double *z, const double *w, point *p) {
  for (int i = 0; i < m; ++i) {
    p->y[i] = units->root[i] * z[i];
    p->v[i] = units->inverse[i] * w[i];
    p->x[i] = p->y[i] - p->v[i];
  }
}

/* ---- discs and products of circular cones over one normal component ---- */

/* Rows of x bounded by || x || <= mu y_N, mu in these variables, or by a radius. */
typedef struct part {
  int first, count;
  double mu, length; /* length: || x || */
} part;

/* Writes y minus x shortened to the limit to x. */
NSDS_INLINE void certify_sets_shorten(const part *p, double limit, point *at) {
  double factor = p->length > limit ? limit / p->length : 1.0;
  for (int i = p->first; i < p->first + p->count; ++i) at->x[i] = at->y[i] - factor * at->x[i];
}

/*
 * Returns y_N of the projection of x: the root, or 0 if that is negative, of
 *
 *     g(y) = y - x_N - sum mu max(0, || x_part || - mu y).
 *
 * As g is increasing and concave, Newton's method from below takes at most one step per part and
 * one more.
 */
NSDS_INLINE double certify_sets_nearest_normal(int nparts, const part *p, double x) {
  double y = 0.0;
  for (int step = 0; step <= nparts; ++step) {
    double sum = x, slope = 1.0;
    for (int k = 0; k < nparts; ++k)
      if (p[k].length > p[k].mu * y) {
        sum += p[k].mu * p[k].length;
        slope += p[k].mu * p[k].mu;
      }
    double next = sum / slope;
    if (!(next > y)) return isnan(next) ? next : y;
    y = next;
  }
  return y;
}

static bool is_zero(int n, const double *x) {
  for (int i = 0; i < n; ++i)
    if (x[i] != 0.0) return false;
  return true;
}

/* Computes x of a cone with its shift, and its parts; returns y_N of the projection. The last
 * `rolling` of the m rows are rolling rows. */
NSDS_INLINE double open_cone(int m, int rolling, const nsds_block *block, const nsds_units *units,
                             const double *z, const double *w, point *at, part *p, int *nparts) {
  p[0] = (part){.first = 1, .count = m - 1 - rolling};
  p[1] = (part){.first = m - rolling, .count = rolling};
  *nparts = rolling > 0 ? 2 : m > 1 ? 1 : 0;
  bring(m, units, z, w, at);
  for (int k = 0; k < *nparts; ++k) {
    double mu = k == 0 ? block->mu : block->mu_rolling;
    p[k].mu = mu * (units->root[p[k].first] * units->inverse[0]);
    p[k].length = certify_sets_norm_of(p[k].count, at->x + p[k].first);
    if (block->set != NSDS_SET_CONE)
      at->x[0] -= p[k].mu * certify_sets_norm_of(p[k].count, at->v + p[k].first);
  }
  return certify_sets_nearest_normal(*nparts, p, at->x[0]);
}

NSDS_INLINE double certify_sets_distance(int m, int rolling, const nsds_block *block,
                                         const nsds_units *units, const double *z,
                                         const double *w) {
  point at;
  part p[2];
  int nparts;
  double normal = open_cone(m, rolling, block, units, z, w, &at, p, &nparts);
  at.x[0] = at.y[0] - normal;
  for (int k = 0; k < nparts; ++k) certify_sets_shorten(&p[k], p[k].mu * normal, &at);
  return certify_sets_norm_of(m, at.x);
}

static double certify_sets_map_cone(const nsds_block *block, const nsds_units *units,
                                    const double *z, const double *w) {
  enum { in_space = 3 }; /* rows of most contacts; a constant for the compiler */
  int m = block->size;
  bool shifted = block->set != NSDS_SET_CONE;
  if (shifted && w[0] >= 0.0 && is_zero(m, z)) return 0.0; /* w_T shifts w into the dual cone */
  if (block->set == NSDS_SET_ROLLING)
    return certify_sets_distance(m, (m - 1) / 2, block, units, z, w);
  if (m == in_space) return certify_sets_distance(in_space, 0, block, units, z, w);
  return certify_sets_distance(m, 0, block, units, z, w);
}

static double map_disc(const nsds_block *block, const nsds_units *units, const double *z,
                       const double *w) {
  point at;
  bring(block->size, units, z, w, &at);
  part p = {.count = block->size, .length = certify_sets_norm_of(block->size, at.x)};
  certify_sets_shorten(&p, units->root[0] * block->radius, &at);
  return certify_sets_norm_of(block->size, at.x);
}

/* ---- polyhedra ---- */

double nsds_certify_doubt(const nsds_block *block, const double *scale, const double *x,
                          const double *p, const nsds_facets *facets) {
  double rest[NSDS_COUPLED_ROWS], missing = 0.0;
  for (int i = 0; i < block->size; ++i) rest[i] = p[i] - x[i];
  for (int k = 0; k < block->nfacet; ++k) {
    double gap = -block->K[k], size = 0.0, multiplier = 0.0;
    for (int j = 0; j < facets->count; ++j)
      if (facets->facet[j] == k) multiplier = facets->multiplier[j];
    for (int i = 0; i < block->size; ++i) {
      double h = block->H[k + (ptrdiff_t)i * block->nfacet] / scale[i];
      gap += h * p[i];
      size = nsds_certify_norm(size, h);
      rest[i] -= multiplier * h;
    }
    if (size == 0.0) continue;
    double off = multiplier > 0.0 ? fabs(gap) : fmax(-gap, 0.0);
    missing =
        nsds_certify_norm(missing, off / size + (multiplier < 0.0 ? -multiplier * size : 0.0));
  }
  for (int i = 0; i < block->size; ++i) missing = nsds_certify_norm(missing, rest[i]);
  return missing;
}

static double certify_sets_map_polyhedron(const nsds_block *block, const nsds_units *units,
                                          const double *z, const double *w) {
  double p[NSDS_COUPLED_ROWS], norm = 0.0;
  nsds_facets facets;
  point at;
  bring(block->size, units, z, w, &at);
  if (!nsds_polyhedron_project(block, units->root, at.x, p, &facets)) return INFINITY;
  for (int i = 0; i < block->size; ++i) norm = nsds_certify_norm(norm, at.y[i] - p[i]);
  return norm + nsds_certify_doubt(block, units->root, at.x, p, &facets);
}

static const double bounded = 1e-9; /* a smaller projection of a unit vector is rounding */

/* A ray r, H r >= 0, has a positive component along one of +-e_i. The projection of this vector on
 * the cone of all rays is then not zero. */
bool nsds_certify_bounded(const nsds_block *block) {
  double x[NSDS_COUPLED_ROWS], p[NSDS_COUPLED_ROWS];
  nsds_block rays = *block;
  rays.K = NULL;
  for (int k = 0; k < 2 * block->size; ++k) {
    for (int i = 0; i < block->size; ++i) x[i] = i != k / 2 ? 0.0 : k % 2 ? -1.0 : 1.0;
    if (!nsds_polyhedron_project(&rays, NULL, x, p, NULL)) return false;
    for (int i = 0; i < block->size; ++i)
      if (fabs(p[i]) > bounded) return false;
  }
  return true;
}

double nsds_certify_map(const nsds_block *block, const nsds_units *units, const double *z,
                        const double *w) {
  switch (block->set) {
  case NSDS_SET_DISC: return map_disc(block, units, z, w);
  case NSDS_SET_CONE:
  case NSDS_SET_COULOMB:
  case NSDS_SET_ROLLING: return certify_sets_map_cone(block, units, z, w);
  case NSDS_SET_POLYHEDRON: return certify_sets_map_polyhedron(block, units, z, w);
  default: return INFINITY; /* an unknown set is never certified */
  }
}

double nsds_certify_natural(const nsds_block *block, const double *z, const double *w) {
  double norm = 0.0;
  nsds_units ones;
  if (block->set > NSDS_SET_BOX) {
    nsds_certify_unit(1.0, 0, block->size, &ones);
    return nsds_certify_map(block, &ones, z, w);
  }
  for (int i = 0; i < block->size; ++i)
    norm = nsds_certify_norm(norm, nsds_certify_row(block, i, 1.0, z[i], w[i]));
  return norm;
}

/*
 * ---- how far rounding moves z ----
 *
 * In the variables y and v, with S_i = s_i / sqrt(d_i), P moves by at most S. At the end of the set
 * P moves only along this end. A load that the set holds moves nothing.
 */

/* Bounds the rows of a part that is held at `limit`: they turn, and grow with the limit by
 * `more`. */
static void hold_part(const part *p, double limit, double more, const double *y, const double *S,
                      double *U) {
  double size = fmin(
      limit, certify_sets_norm_of(p->count, y + p->first)); /* for huge x the limit is rounding */
  double turn = size / p->length * certify_sets_norm_of(p->count, S + p->first);
  for (int i = p->first; i < p->first + p->count; ++i) U[i] = fmin(S[i], fabs(y[i]) + turn + more);
}

/* Returns the terms of w that the set does not hold; 0 if the difference is rounding. */
static double unheld(double S, double v) {
  double rest = S - fabs(v);
  return rest > 1e-14 * S ? rest : 0.0;
}

static void free_disc(const nsds_block *block, const nsds_units *units, const point *at,
                      const double *S, double *U) {
  part p = {.count = block->size, .length = certify_sets_norm_of(block->size, at->x)};
  double limit = units->root[0] * block->radius;
  if (p.length > limit) hold_part(&p, limit, 0.0, at->y, S, U);
}

static void free_cone(const nsds_block *block, const nsds_units *units, const double *z,
                      const double *w, const double *S, double *U) {
  int m = block->size, rolling = block->set == NSDS_SET_ROLLING ? (m - 1) / 2 : 0, nparts;
  bool held = false;
  point at;
  part p[2];
  double normal = open_cone(m, rolling, block, units, z, w, &at, p, &nparts);
  if (is_zero(m, z) || normal == 0.0) {
    for (int i = 0; i < m; ++i) U[i] = fmin(S[i], fabs(at.y[i]));
    return;
  }
  for (int k = 0; k < nparts; ++k) held = held || p[k].length > p[k].mu * normal;
  if (held && block->set == NSDS_SET_CONE) U[0] = fmin(S[0], fabs(at.y[0]) + unheld(S[0], at.v[0]));
  for (int k = 0; k < nparts; ++k)
    if (p[k].length > p[k].mu * normal)
      hold_part(&p[k], p[k].mu * normal, p[k].mu * U[0], at.y, S, U);
}

static void free_polyhedron(const nsds_block *block, const nsds_units *units, const point *at,
                            const double *S, double *U) {
  double p[NSDS_COUPLED_ROWS], rest[NSDS_COUPLED_ROWS];
  nsds_facets facets;
  int m = block->size;
  if (!nsds_polyhedron_project(block, units->root, at->x, p, &facets) || facets.count == 0) return;
  for (int i = 0; i < m; ++i) rest[i] = unheld(S[i], at->v[i]);
  for (int i = 0; i < m; ++i) {
    double sum = fabs(at->y[i]);
    for (int j = 0; j < m; ++j) { /* along the facets: I - Q Q^T */
      double along = i == j ? 1.0 : 0.0;
      for (int c = 0; c < facets.count; ++c) along -= facets.Q[i + c * m] * facets.Q[j + c * m];
      sum += fabs(along) * rest[j];
    }
    U[i] = fmin(S[i], sum);
  }
}

void nsds_certify_freedom(const nsds_block *block, const nsds_units *units, const double *z,
                          const double *w, const double *s, double *u) {
  double S[NSDS_COUPLED_ROWS];
  point at;
  if (block->size < 1) return;
  bring(block->size, units, z, w, &at);
  for (int i = 0; i < block->size; ++i) u[i] = S[i] = units->inverse[i] * s[i];
  switch (block->set) {
  case NSDS_SET_DISC: free_disc(block, units, &at, S, u); break;
  case NSDS_SET_POLYHEDRON: free_polyhedron(block, units, &at, S, u); break;
  default: free_cone(block, units, z, w, S, u);
  }
  for (int i = 0; i < block->size; ++i) u[i] *= units->inverse[i];
}

/* The map is nonexpansive in w + shift, and the shift is mu || w_T ||. */
double nsds_certify_slack(const nsds_block *block, const nsds_units *units, const double *error) {
  int m = block->size, rolling = block->set == NSDS_SET_ROLLING ? (m - 1) / 2 : 0;
  double normal = units->inverse[0] * error[0];
  if (block->set == NSDS_SET_COULOMB || block->set == NSDS_SET_ROLLING)
    normal +=
        units->inverse[0] *
        (block->mu * certify_sets_norm_of(m - 1 - rolling, error + 1) +
         (rolling ? block->mu_rolling * certify_sets_norm_of(rolling, error + m - rolling) : 0.0));
  return nsds_certify_norm(normal, nsds_certify_size(m - 1, units->inverse + 1, error + 1));
}
