/*
 * Projection on the sets of blocks, and De Saxce's shift.
 *
 * All projections are exact up to rounding. On cones the parts enter by their lengths only. With x
 * = (n, x_T), t = ||x_T||, the projection is p_N (1, mu x_T / t) if (n, t) lies outside the cone.
 * Then p_N is the root of a monotone piecewise linear function (De Saxce & Feng 1998 for the
 * circular cone). The shift w_N + mu ||w_T|| is that of the bipotential (De Saxce & Feng: Math.
 * Comput. Modelling 28, 1998).
 */
#include "numerics/sets/sets.h"

#include "base/base.h"
#include "numerics/sets/bounds.h"
#include "numerics/sets/polyhedron.h"

/* Sums of squares within these bounds have lost nothing, and their squares stay in the range of
 * doubles. */
static const double least_square = 1e-280;
static const double most_square = 1e280;

static const double strictly = 1.0 - 1e-15; /* inside for any rounding of the squares */

double nsds_vector_length(int n, const double *x) {
  if (n == 1) return fabs(x[0]);
  double sum = 0.0, result = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  if (sum > least_square && sum < most_square) return sqrt(sum);
  for (int i = 0; i < n; ++i) result = hypot(result, x[i]);
  return result;
}

/* Computes p = x shortened to `limit`; `size` is the length of x. */
static void sets_shorten(const double *x, int n, double size, double limit, double *p) {
  double factor = size > limit ? limit / size : 1.0;
  for (int i = 0; i < n; ++i) p[i] = factor * x[i];
}

/* Returns true strictly inside a cone with one part. Most points of an iteration are inside, and
 * the test needs no square root. */
static bool inside_cone(double mu, int m, const double *x) {
  double limit = mu * x[0], sum = 0.0;
  for (int i = 1; i < m; ++i) sum += x[i] * x[i];
  return x[0] > 0.0 && sum < strictly * (limit * limit);
}

/*
 * p_N minimizes (p_N - n)^2 + sum of max(0, t_k - mu_k p_N)^2 over the parts k, over p_N >= 0. Half
 * the derivative is increasing and concave. Newton's method from below, with the slope of the parts
 * that are too long, therefore ends in at most one step for each part.
 */
double nsds_nearest_normal(int count, const nsds_part *part, const double *size, double n) {
  double p = n;
  for (int step = 0; step < count; ++step) {
    double up = n, down = 1.0;
    for (int k = 0; k < count; ++k) {
      if (!(size[k] > part[k].slope * p)) continue;
      up += part[k].slope * size[k];
      down += part[k].slope * part[k].slope;
    }
    p = up / down;
  }
  return p < 0.0 ? 0.0 : p;
}

static void sets_project_cone(const nsds_block *block, const double *x, double *p) {
  nsds_part part[2];
  double size[2];
  int count = nsds_set_parts(block, part);
  if (count == 1 && inside_cone(block->mu, block->size, x)) {
    if (p != x) memcpy(p, x, (size_t)block->size * sizeof *p);
    return;
  }
  for (int k = 0; k < count; ++k) size[k] = nsds_vector_length(part[k].count, x + part[k].first);
  p[0] = nsds_nearest_normal(count, part, size, x[0]);
  for (int k = 0; k < count; ++k)
    sets_shorten(x + part[k].first, part[k].count, size[k], part[k].slope * p[0],
                 p + part[k].first);
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
  case NSDS_SET_BOX:
    for (int i = 0; i < m; ++i) {
      double least = x[i] > block->upper[i] ? block->upper[i] : x[i];
      p[i] = least < block->lower[i] ? block->lower[i] : least;
    }
    break;
  case NSDS_SET_DISC: sets_shorten(x, m, nsds_vector_length(m, x), block->radius, p); break;
  case NSDS_SET_CONE:
  case NSDS_SET_COULOMB:
  case NSDS_SET_ROLLING: sets_project_cone(block, x, p); break;
  case NSDS_SET_POLYHEDRON: nsds_polyhedron_project(block, NULL, x, p, NULL); break;
  }
}

/* Returns the shift of the first component. */
static double sets_shift_of(const nsds_block *block, const double *w) {
  nsds_part part[2];
  double sum = 0.0;
  if (block->set != NSDS_SET_COULOMB && block->set != NSDS_SET_ROLLING) return sum;
  int count = nsds_set_parts(block, part);
  for (int k = 0; k < count; ++k)
    sum += part[k].slope * nsds_vector_length(part[k].count, w + part[k].first);
  return sum;
}

void nsds_set_shift(const nsds_block *block, const double *w, double *shifted) {
  if (block->size == 0) return;
  double first = w[0] + sets_shift_of(block, w);
  if (shifted != w) memcpy(shifted, w, (size_t)block->size * sizeof *w);
  shifted[0] = first;
}

static bool zero_solves_rows(const nsds_block *block, const double *q, const double *q_error) {
  for (int i = 0; i < block->size; ++i) {
    double lower = nsds_lower(block, i), upper = nsds_upper(block, i);
    double error = q_error ? q_error[i] : 0.0;
    if (lower > 0.0 || upper < 0.0) return false;
    if (lower != 0.0 && !(q[i] <= error)) return false;
    if (upper != 0.0 && !(q[i] >= -error)) return false;
  }
  return true;
}

/* Returns true if a contact closes at z = 0, and not by rounding: the short way, mostly. */
static bool zero_pushes(const nsds_block *block, const double *q, const double *q_error) {
  if (q_error || block->set != NSDS_SET_COULOMB || !(q[0] < 0.0)) return false;
  double slip = 0.0;
  for (int i = 1; i < block->size; ++i) slip += fabs(q[i]);
  return q[0] < -0x1p-48 * block->mu * slip;
}

/* The natural map at 0 is the projection of -q, shifted. */
static NSDS_NOINLINE bool zero_solves_coupled(const nsds_block *block, const double *q,
                                              const double *q_error) {
  double p[NSDS_COUPLED_ROWS] = {0.0};
  int m = block->size;
  if (zero_pushes(block, q, q_error)) return false;
  nsds_set_shift(block, q, p);
  for (int i = 0; i < m; ++i) p[i] = -p[i];
  nsds_set_project(block, p, p);
  return nsds_vector_length(m, p) <= (q_error ? nsds_vector_length(m, q_error) : 0.0);
}

bool nsds_set_zero_solves(const nsds_block *block, const double *q, const double *q_error) {
  if (block->size == 0) return true;
  if (block->set & nsds_bound_sets && (block->set != NSDS_SET_NONNEGATIVE || q_error))
    return zero_solves_rows(block, q, q_error);
  if (block->set != NSDS_SET_NONNEGATIVE) return zero_solves_coupled(block, q, q_error);
  for (int i = 0; i < block->size; ++i) /* the most frequent kind */
    if (!(q[i] >= 0.0)) return false;
  return true;
}

/* ---- the set sC ---- */

size_t nsds_block_scale_size(const nsds_block *block) {
  if (block->set == NSDS_SET_BOX) return 2 * (size_t)block->size;
  return block->set == NSDS_SET_POLYHEDRON ? (size_t)block->nfacet : 0;
}

static const double *sets_scaled(int n, double factor, const double *x, double *y) {
  for (int i = 0; i < n; ++i) y[i] = isinf(x[i]) ? x[i] : factor * x[i];
  return y;
}

nsds_block nsds_block_scale(const nsds_block *block, double factor, double *memory) {
  nsds_block result = *block;
  if (nsds_block_scale_size(block) == 0) {
    if (block->set == NSDS_SET_DISC) result.radius = factor * block->radius;
  } else if (block->set == NSDS_SET_BOX) {
    result.lower = sets_scaled(block->size, factor, block->lower, memory);
    result.upper = sets_scaled(block->size, factor, block->upper, memory + block->size);
  } else {
    result.K = sets_scaled(block->nfacet, factor, block->K, memory);
  }
  return result;
}
