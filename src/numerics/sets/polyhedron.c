/*
 * Projection on a polyhedron by a dual active-set method (Goldfarb & Idnani: Math. Programming 27,
 * 1983, with the identity as Hessian): starting from p = x, facets that p violates are taken in one
 * by one; the multipliers stay nonnegative, the distance to x increases with every facet taken in,
 * so the method ends with the projection or with the proof that there is no point.
 *
 * The normals of the active facets are kept orthonormalised, N = Q R; there are never more than m.
 */
#include "polyhedron.h"
#include "blockwise.h"

#include <float.h>

enum {
  most = NSDS_COUPLED_ROWS,
  least_steps = 100, /* facets taken in: the method is finite, rounding may make it cycle */
  steps_each = 20,
};

static const double flat = 1e-13; /* largest gap, over its terms, that opposite facets may have */
static const double dependent_square = 1e-24; /* of a normal's part beside the others: rounding */

typedef struct active_set {
  const nsds_block *block;
  const double *scale;   /* of the variables, or NULL */
  int count;             /* active facets */
  int *facet;            /* their numbers */
  double *multiplier;    /* of each, >= 0 */
  double tolerance;      /* of a facet's gap over its terms */
  double *Q;             /* m x count, orthonormal columns */
  double R[most * most]; /* count x count upper triangle, leading dimension `most` */
} active_set;

/* Without K, 0: the cone of the rays. */
static double offset_of(const nsds_block *block, int facet) {
  return block->K ? block->K[facet] : 0.0;
}

static void normal_of(const active_set *s, int facet, double *h) {
  const nsds_block *block = s->block;
  for (int j = 0; j < block->size; ++j) {
    h[j] = block->H[facet + (size_t)j * (size_t)block->nfacet];
    if (s->scale) h[j] /= s->scale[j];
  }
}

/* h = (I - Q Q^T) h over the first `count` columns, the coefficients go to c; twice is enough. */
static void orthogonalise(const active_set *s, int count, double *h, double *c) {
  int m = s->block->size;
  for (int k = 0; k < count; ++k) c[k] = 0.0;
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < count; ++k) {
      const double *q = s->Q + k * m;
      double t = nsds_dot(m, q, h);
      c[k] += t;
      for (int i = 0; i < m; ++i) h[i] -= t * q[i];
    }
}

/* Solves R x = c in place. */
static void back_substitute(const active_set *s, int count, double *c) {
  for (int k = count - 1; k >= 0; --k) {
    c[k] /= s->R[k + k * most];
    for (int i = 0; i < k; ++i) c[i] -= s->R[i + k * most] * c[k];
  }
}

/* Column k of Q and R from the normal of facet[k]. */
static void append_column(active_set *s, int k) {
  int m = s->block->size;
  double *q = s->Q + k * m;
  normal_of(s, s->facet[k], q);
  orthogonalise(s, k, q, s->R + k * most);
  double size = sqrt(nsds_dot(m, q, q));
  s->R[k + k * most] = size;
  for (int i = 0; i < m; ++i) q[i] /= size;
}

static void drop(active_set *s, int k) {
  --s->count;
  for (int j = k; j < s->count; ++j) {
    s->facet[j] = s->facet[j + 1];
    s->multiplier[j] = s->multiplier[j + 1];
    append_column(s, j);
  }
}

static bool is_active(const active_set *s, int facet) {
  for (int k = 0; k < s->count; ++k)
    if (s->facet[k] == facet) return true;
  return false;
}

/* Size of the terms of a facet's gap at p. */
static double terms(const active_set *s, int facet, const double *h, const double *p) {
  double sum = fabs(offset_of(s->block, facet));
  for (int i = 0; i < s->block->size; ++i) sum += fabs(h[i] * p[i]);
  return sum;
}

/* The facet that p violates most, by distance and beyond rounding; -1 if none. */
static int most_violated(const active_set *s, const double *p) {
  const nsds_block *block = s->block;
  int worst = -1, m = block->size;
  double most_distance = 0.0, h[most];
  for (int k = 0; k < block->nfacet; ++k) {
    normal_of(s, k, h);
    double gap = nsds_dot(m, h, p) - offset_of(block, k);
    if (gap >= 0.0 || -gap <= s->tolerance * terms(s, k, h, p) || is_active(s, k)) continue;
    double size = sqrt(nsds_dot(m, h, h));
    double distance = size > 0.0 ? -gap / size : INFINITY;
    if (distance > most_distance) {
      most_distance = distance;
      worst = k;
    }
  }
  return worst;
}

/* Largest step that keeps the multipliers lambda - t r nonnegative, and the facet that stops it. */
static double dual_step(const active_set *s, const double *r, int *blocking) {
  double step = INFINITY;
  *blocking = -1;
  for (int k = 0; k < s->count; ++k)
    if (r[k] > 0.0 && s->multiplier[k] < step * r[k]) {
      step = s->multiplier[k] / r[k];
      *blocking = k;
    }
  return step;
}

/* Takes facet `added` in, dropping others where their multipliers vanish; false: no point. A gap of
 * rounding that cannot be closed, as between opposite facets, becomes the tolerance. */
static bool take_in(active_set *s, int added, double *p) {
  int m = s->block->size;
  double multiplier = 0.0, h[most], z[most], r[most];
  normal_of(s, added, h);
  double size = nsds_dot(m, h, h);
  for (;;) {
    memcpy(z, h, (size_t)m * sizeof *z);
    orthogonalise(s, s->count, z, r);
    back_substitute(s, s->count, r);
    double slope = nsds_dot(m, z, z), gap = offset_of(s->block, added) - nsds_dot(m, h, p);
    bool dependent = s->count == m || !(slope > dependent_square * size);
    double primal = dependent ? INFINITY : fmax(gap, 0.0) / slope;
    int blocking;
    double dual = dual_step(s, r, &blocking), step = fmin(primal, dual);
    if (!isfinite(step)) {
      s->tolerance = 2.0 * gap / terms(s, added, h, p);
      return s->tolerance <= flat;
    }
    for (int k = 0; k < s->count; ++k) s->multiplier[k] = fmax(s->multiplier[k] - step * r[k], 0.0);
    multiplier += step;
    if (!dependent)
      for (int i = 0; i < m; ++i) p[i] += step * z[i];
    if (primal <= dual) {
      s->facet[s->count] = added;
      s->multiplier[s->count] = multiplier;
      append_column(s, s->count++);
      return true;
    }
    drop(s, blocking);
  }
}

/* p = the nearest point of the intersection of the active facets, from x directly, and its
 * multipliers: with N = Q R, R^T c = K - N^T x, p = x + Q c and R multiplier = c. */
static void polish(active_set *s, const double *x, double *p) {
  int m = s->block->size;
  double c[most], h[most];
  for (int k = 0; k < s->count; ++k) {
    normal_of(s, s->facet[k], h);
    c[k] = offset_of(s->block, s->facet[k]) - nsds_dot(m, h, x);
    for (int i = 0; i < k; ++i) c[k] -= s->R[i + k * most] * c[i];
    c[k] /= s->R[k + k * most];
  }
  for (int i = 0; i < m; ++i) p[i] = x[i];
  for (int k = 0; k < s->count; ++k)
    for (int i = 0; i < m; ++i) p[i] += c[k] * s->Q[i + k * m];
  back_substitute(s, s->count, c);
  for (int k = 0; k < s->count; ++k) s->multiplier[k] = fmax(c[k], 0.0);
}

bool nsds_polyhedron_project(const nsds_block *block, const double *scale, const double *x,
                             double *p, nsds_facets *facets) {
  active_set s;
  nsds_facets own;
  int m = block->size, limit = least_steps + steps_each * (block->nfacet + m);
  double start[most];
  if (!facets) facets = &own;
  s.block = block;
  s.scale = scale;
  s.count = 0;
  s.tolerance = 4 * DBL_EPSILON;
  s.facet = facets->facet;
  s.multiplier = facets->multiplier;
  s.Q = facets->Q;
  memcpy(start, x, (size_t)m * sizeof *start);
  bool found = nsds_first_nonfinite(start, m) < 0;
  if (p != x) memcpy(p, x, (size_t)m * sizeof *p);
  for (int k = 0; found && k < limit; ++k) {
    int facet = most_violated(&s, p);
    if (facet < 0) break;
    found = take_in(&s, facet, p);
    if (found) polish(&s, start, p);
  }
  for (int i = 0; !found && i < m; ++i) p[i] = NAN;
  facets->count = s.count;
  return found;
}
