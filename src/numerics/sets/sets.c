/*
 * Projection on the sets of blocks, De Saxce's shift and the natural map.
 *
 * All projections are exact up to rounding. On cones the tangential parts enter by their lengths
 * only: with x = (n, x_T), t = ||x_T||, the projection is p_N (1, mu x_T / t) where (n, t) leaves
 * the cone, and p_N is the root of a monotone piecewise linear function (De Saxce & Feng 1998 for
 * the circular cone). The shift w_N + mu ||w_T|| is that of the bipotential (De Saxce & Feng:
 * Math. Comput. Modelling 28, 1998).
 */
#include "sets.h"
#include "polyhedron.h"

/* Length without overflow or underflow on the way. */
static double length(const double *x, int n) {
  if (n == 1) return fabs(x[0]);
  double sum = 0.0, result = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  if (sum > 1e-280 && sum < 1e280) return sqrt(sum);
  for (int i = 0; i < n; ++i) result = hypot(result, x[i]);
  return result;
}

/* p = x shortened to `limit`; `size` is the length of x. */
static void shorten(const double *x, int n, double size, double limit, double *p) {
  double factor = size > limit ? limit / size : 1.0;
  for (int i = 0; i < n; ++i) p[i] = factor * x[i];
}

static void project_box(const nsds_block *block, const double *x, double *p) {
  for (int i = 0; i < block->size; ++i) {
    double least = x[i] > block->upper[i] ? block->upper[i] : x[i];
    p[i] = least < block->lower[i] ? block->lower[i] : least;
  }
}

/* Strictly inside; most points of an iteration are, and this takes no square root. */
static bool inside_cone(double mu, int m, const double *x) {
  double limit = mu * x[0], sum = 0.0;
  for (int i = 1; i < m; ++i) sum += x[i] * x[i];
  return x[0] > 0.0 && sum < (1.0 - 1e-15) * (limit * limit);
}

static void project_cone(double mu, int m, const double *x, double *p) {
  if (inside_cone(mu, m, x)) {
    if (p != x) memcpy(p, x, (size_t)m * sizeof *p);
    return;
  }
  double n = x[0], t = length(x + 1, m - 1);
  if (t > mu * n) n = (n + mu * t) / (1.0 + mu * mu);
  if (n < 0.0) n = 0.0;
  p[0] = n;
  shorten(x + 1, m - 1, t, mu * n, p + 1);
}

/* Rows of the tangential part of a rolling block; the rolling part has as many. */
static int tangents(const nsds_block *block) { return (block->size - 1) / 2; }

/*
 * p_N minimises (p_N - n)^2 + max(0, t - mu p_N)^2 + max(0, r - mu_r p_N)^2 over p_N >= 0. Half the
 * derivative is the least of four increasing linear functions, one for each choice of the parts
 * that are too long; so its root is the largest of theirs.
 */
static double rolling_normal(const nsds_block *block, double n, double t, double r) {
  double mu = block->mu, mu_r = block->mu_rolling;
  double none = n, only_t = (n + mu * t) / (1.0 + mu * mu);
  double only_r = (n + mu_r * r) / (1.0 + mu_r * mu_r);
  double both = (n + mu * t + mu_r * r) / (1.0 + mu * mu + mu_r * mu_r);
  double largest = none > only_t ? none : only_t;
  largest = largest > only_r ? largest : only_r;
  return largest > both ? largest : both;
}

static void project_rolling(const nsds_block *block, const double *x, double *p) {
  int k = tangents(block);
  double t = length(x + 1, k), r = length(x + 1 + k, k), n = rolling_normal(block, x[0], t, r);
  if (n < 0.0) n = 0.0;
  p[0] = n;
  shorten(x + 1, k, t, block->mu * n, p + 1);
  shorten(x + 1 + k, k, r, block->mu_rolling * n, p + 1 + k);
}

void nsds_set_project(const nsds_block *block, const double *x, double *p) {
  int m = block->size;
  switch (block->set) {
  case NSDS_SET_EQUALITY:
    if (p != x) memcpy(p, x, (size_t)m * sizeof *p);
    break;
  case NSDS_SET_NONNEGATIVE:
    for (int i = 0; i < m; ++i) p[i] = x[i] < 0.0 ? 0.0 : x[i];
    break;
  case NSDS_SET_BOX: project_box(block, x, p); break;
  case NSDS_SET_DISC: shorten(x, m, length(x, m), block->radius, p); break;
  case NSDS_SET_CONE:
  case NSDS_SET_COULOMB: project_cone(block->mu, m, x, p); break;
  case NSDS_SET_ROLLING: project_rolling(block, x, p); break;
  case NSDS_SET_POLYHEDRON: nsds_polyhedron_project(block, NULL, x, p, NULL); break;
  }
}

/* What the shift adds to the first component. */
static double shift_of(const nsds_block *block, const double *w) {
  if (block->set == NSDS_SET_COULOMB) return block->mu * length(w + 1, block->size - 1);
  if (block->set != NSDS_SET_ROLLING) return 0.0;
  int k = tangents(block);
  return block->mu * length(w + 1, k) + block->mu_rolling * length(w + 1 + k, k);
}

void nsds_set_shift(const nsds_block *block, const double *w, double *shifted) {
  if (block->size == 0) return;
  double first = w[0] + shift_of(block, w);
  if (shifted != w) memcpy(shifted, w, (size_t)block->size * sizeof *w);
  shifted[0] = first;
}

void nsds_set_natural_map(const nsds_block *block, double rho, const double *z, const double *w,
                          double *e) {
  if (block->size == 0) return;
  double shift = shift_of(block, w);
  for (int i = 0; i < block->size; ++i) e[i] = z[i] - rho * (i == 0 ? w[0] + shift : w[i]);
  nsds_set_project(block, e, e);
  for (int i = 0; i < block->size; ++i) e[i] = z[i] - e[i];
}

/* Largest error of the first `count` rows from row `first` on, by length. */
static double uncertainty(const double *q_error, int first, int count) {
  return q_error ? length(q_error + first, count) : 0.0;
}

static bool zero_solves_row(double lower, double upper, double q, double error) {
  if (lower > 0.0 || upper < 0.0) return false;
  return (lower == 0.0 || q <= error) && (upper == 0.0 || q >= -error);
}

static bool zero_solves_polyhedron(const nsds_block *block, const double *q, double error) {
  double zero[NSDS_COUPLED_ROWS] = {0.0}, e[NSDS_COUPLED_ROWS];
  nsds_set_natural_map(block, 1.0, zero, q, e);
  return length(e, block->size) <= error;
}

static NSDS_NOINLINE bool zero_solves_any(const nsds_block *block, const double *q,
                                          const double *q_error) {
  int m = block->size;
  double tangential = 0.0;
  switch (block->set) {
  case NSDS_SET_EQUALITY:
  case NSDS_SET_NONNEGATIVE:
  case NSDS_SET_BOX: {
    bool box = block->set == NSDS_SET_BOX, equality = block->set == NSDS_SET_EQUALITY;
    for (int i = 0; i < m; ++i)
      if (!zero_solves_row(box        ? block->lower[i]
                           : equality ? -INFINITY
                                      : 0.0,
                           box ? block->upper[i] : INFINITY, q[i], q_error ? q_error[i] : 0.0))
        return false;
    return true;
  }
  case NSDS_SET_DISC: return block->radius == 0.0 || length(q, m) <= uncertainty(q_error, 0, m);
  case NSDS_SET_CONE: tangential = length(q + 1, m - 1) - uncertainty(q_error, 1, m - 1); break;
  case NSDS_SET_COULOMB: /* the shifted w lies in the dual cone where w_N >= 0 */
  case NSDS_SET_ROLLING: break;
  case NSDS_SET_POLYHEDRON: return zero_solves_polyhedron(block, q, uncertainty(q_error, 0, m));
  }
  return q[0] + uncertainty(q_error, 0, 1) >= block->mu * fmax(tangential, 0.0);
}

bool nsds_set_zero_solves(const nsds_block *block, const double *q, const double *q_error) {
  if (block->size == 0) return true;
  if (block->set != NSDS_SET_NONNEGATIVE || q_error) return zero_solves_any(block, q, q_error);
  for (int i = 0; i < block->size; ++i) /* the most frequent kind */
    if (!(q[i] >= 0.0)) return false;
  return true;
}

/* ---- the set sC ---- */

size_t nsds_block_scale_size(const nsds_block *block) {
  if (block->set == NSDS_SET_BOX) return 2 * (size_t)block->size;
  return block->set == NSDS_SET_POLYHEDRON ? (size_t)block->nfacet : 0;
}

static const double *scaled(int n, double factor, const double *x, double *y) {
  for (int i = 0; i < n; ++i) y[i] = isinf(x[i]) ? x[i] : factor * x[i];
  return y;
}

nsds_block nsds_block_scale(const nsds_block *block, double factor, double *memory) {
  nsds_block result = *block;
  if (nsds_block_scale_size(block) == 0) {
    if (block->set == NSDS_SET_DISC) result.radius = factor * block->radius;
  } else if (block->set == NSDS_SET_BOX) {
    result.lower = scaled(block->size, factor, block->lower, memory);
    result.upper = scaled(block->size, factor, block->upper, memory + block->size);
  } else {
    result.K = scaled(block->nfacet, factor, block->K, memory);
  }
  return result;
}
