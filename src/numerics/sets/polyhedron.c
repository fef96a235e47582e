/*
 * Projection on a polyhedron by a dual active-set method (Goldfarb & Idnani: Math. Programming 27,
 * 1983, with the identity as Hessian). From p = x on, facets that p violates are taken in one by
 * one. The multipliers stay nonnegative, and the distance to x increases with every facet. The
 * method therefore ends with the projection, or with the proof that there is no point.
 *
 * The normals of the active facets are kept orthonormalized, N = Q R; there are never more than m.
 */
#include "numerics/sets/polyhedron.h"

#include "base/base.h"
#include "base/finite.h"
#include "numerics/linear/inner_products.h"
#include "numerics/linear/orthogonal.h"
#include "numerics/store.h"

#include <float.h>

enum {
  most = NSDS_COUPLED_ROWS,
  least_steps = 100, /* facets taken in: the method is finite, but rounding may make it cycle; */
  steps_each = 20    /* for each facet and row, far more than it ever takes */
};

static const double flat = 1e-13; /* largest gap, over its terms, that opposite facets may have */
static const double equal = 1e-9; /* gap over its terms, above rounding of spanned equalities, */
static const double rounding = 64 * DBL_EPSILON; /* or over the distance of the point from 0 */
static const double dependent_square = 1e-24; /* of a normal's part beside the others: rounding */

typedef struct active_set {
  const nsds_block *block;
  const double *scale; /* of the variables, or NULL */
  int m, count;        /* variables, active facets */
  int equalities;      /* first facets, which mean H z = K */
  int fixed;           /* active equalities, also the first */
  int *facet;          /* m: their numbers */
  double *multiplier;  /* m: of each, >= 0 */
  double tolerance;    /* of a facet's gap over its terms */
  double *Q;           /* m x count, orthonormal columns */
  double *R;           /* count x count upper triangle, leading dimension m */
  const double *start; /* m: the point to project, */
  double far;          /* and its largest entry */
  double *h, *z, *r;   /* m each: work */
} active_set;

/* Without K the offset is 0: the cone of the rays. */
static double offset_of(const nsds_block *block, int facet) {
  return block->K ? block->K[facet] : 0.0;
}

static void polyhedron_normal_of(const active_set *s, int facet, double *restrict h) {
  const double *restrict H = s->block->H + facet, *restrict scale = s->scale;
  size_t m = (size_t)s->m, stride = (size_t)s->block->nfacet;
  for (size_t j = 0; j < m; ++j) h[j] = scale ? H[j * stride] / scale[j] : H[j * stride];
}

/* Solves R x = c in place. */
static void back_substitute(const active_set *s, double *c) {
  int m = s->m;
  for (int k = s->count - 1; k >= 0; --k) {
    c[k] /= s->R[k + k * m];
    for (int i = 0; i < k; ++i) c[i] -= s->R[i + k * m] * c[k];
  }
}

/* Computes column k of Q and R from the normal of facet[k]. */
static void append_column(active_set *s, int k) {
  int m = s->m;
  double *q = s->Q + k * m;
  polyhedron_normal_of(s, s->facet[k], q);
  double size = sqrt(nsds_orthogonalise(m, k, s->Q, q, s->R + k * m));
  s->R[k + k * m] = size;
  for (int i = 0; i < m; ++i) q[i] /= size;
}

static void polyhedron_drop(active_set *s, int k) {
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

/* Returns the size of the terms of a facet's gap at p. p is start plus the parts that facets add.
 * The rounding of start and K therefore stays even where p vanishes, and facets carry it from any
 * entry of start to any of p. */
static double terms(const active_set *s, int facet, const double *h, const double *p) {
  double sum = fabs(offset_of(s->block, facet));
  for (int i = 0; i < s->m; ++i) sum += fabs(h[i]) * (fabs(p[i]) + s->far);
  return sum;
}

/* Sums the terms of the normal without storing the normal: most facets are not violated. */
static double gap_of(const active_set *s, int facet, const double *p) {
  const double *H = s->block->H + facet, *scale = s->scale;
  size_t m = (size_t)s->m, stride = (size_t)s->block->nfacet;
  double sum = 0.0;
  for (size_t j = 0; j < m; ++j) sum += (scale ? H[j * stride] / scale[j] : H[j * stride]) * p[j];
  return sum - offset_of(s->block, facet);
}

/* Returns the facet that p violates most, by distance and beyond rounding; -1 if none. */
static int most_violated(const active_set *s, const double *p) {
  const nsds_block *block = s->block;
  int worst = -1, m = s->m;
  double most_distance = 0.0, *h = s->h;
  for (int k = s->equalities; k < block->nfacet; ++k) {
    double gap = gap_of(s, k, p);
    if (gap >= 0.0) continue;
    polyhedron_normal_of(s, k, h);
    if (-gap <= s->tolerance * terms(s, k, h, p) || is_active(s, k)) continue;
    double size = sqrt(nsds_inner_product(m, h, h));
    double distance = size > 0.0 ? -gap / size : INFINITY;
    if (distance > most_distance) {
      most_distance = distance;
      worst = k;
    }
  }
  return worst;
}

/* Returns the largest step that keeps the multipliers lambda - t r nonnegative, and the facet that
 * stops it. */
static double dual_step(const active_set *s, const double *r, int *blocking) {
  double step = INFINITY;
  *blocking = -1;
  for (int k = s->fixed; k < s->count; ++k)
    if (r[k] > 0.0 && s->multiplier[k] < step * r[k]) {
      step = s->multiplier[k] / r[k];
      *blocking = k;
    }
  return step;
}

/* Takes facet `added` in and drops others when their multipliers vanish. Returns false if there is
 * no point. A gap of rounding that cannot be closed, as between opposite facets, becomes the
 * tolerance. */
static bool take_in(active_set *s, int added, double *p) {
  int m = s->m;
  double multiplier = 0.0, *h = s->h, *z = s->z, *r = s->r;
  polyhedron_normal_of(s, added, h);
  double size = nsds_inner_product(m, h, h);
  for (;;) {
    memcpy(z, h, (size_t)m * sizeof *z);
    double slope = nsds_orthogonalise(m, s->count, s->Q, z, r);
    back_substitute(s, r);
    double gap = offset_of(s->block, added) - nsds_inner_product(m, h, p);
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
    polyhedron_drop(s, blocking);
  }
}

/* Computes p, the nearest point to x of the intersection of the active facets, directly from x, and
 * its multipliers: with N = Q R, R^T c = K - N^T x, p = x + Q c and R multiplier = c. */
static void polyhedron_polish(active_set *s, const double *x, double *p) {
  int m = s->m;
  double *c = s->r, *h = s->h;
  for (int k = 0; k < s->count; ++k) {
    polyhedron_normal_of(s, s->facet[k], h);
    c[k] = offset_of(s->block, s->facet[k]) - nsds_inner_product(m, h, x);
    for (int i = 0; i < k; ++i) c[k] -= s->R[i + k * m] * c[i];
    c[k] /= s->R[k + k * m];
  }
  for (int i = 0; i < m; ++i) p[i] = x[i];
  for (int k = 0; k < s->count; ++k)
    for (int i = 0; i < m; ++i) p[i] += c[k] * s->Q[i + k * m];
  back_substitute(s, c);
  for (int k = 0; k < s->count; ++k) s->multiplier[k] = fmax(c[k], 0.0);
}

/* Brings p back onto the active facets. An entry that changes by a good part of itself is rounding
 * and becomes zero. Left as it is, it would decide rows whose other terms vanish. */
static void polyhedron_sharpen(active_set *s, double *p) {
  static const double no_digits = 0.125;
  double *before = s->z;
  memcpy(before, p, (size_t)s->m * sizeof *p);
  polyhedron_polish(s, before, p);
  for (int i = 0; i < s->m; ++i)
    if (fabs(p[i] - before[i]) > no_digits * fabs(p[i])) p[i] = 0.0;
}

/* Activates equalities that others do not span. The point nearest to `start` meets these. Returns
 * true if the point meets all equalities. */
static bool take_equalities(active_set *s, double *p) {
  for (int k = 0; k < s->equalities && s->count < s->m; ++k) {
    s->facet[s->count] = k;
    append_column(s, s->count);
    polyhedron_normal_of(s, k, s->h);
    double rest = s->R[s->count + s->count * s->m];
    if (rest * rest > dependent_square * nsds_inner_product(s->m, s->h, s->h)) ++s->count;
  }
  s->fixed = s->count;
  polyhedron_polish(s, s->start, p);
  polyhedron_sharpen(s, p);
  double far = sqrt(nsds_inner_product(s->m, p, p));
  for (int k = 0; k < s->equalities; ++k) {
    polyhedron_normal_of(s, k, s->h);
    double size = sqrt(nsds_inner_product(s->m, s->h, s->h)), gap = fabs(gap_of(s, k, p));
    if (!(gap <= equal * terms(s, k, s->h, p) || gap <= rounding * size * far)) return false;
  }
  return true;
}

/* Finds from p the point nearest to `start` on the active facets. */
static nsds_outcome polyhedron_find(active_set *s, double *p) {
  int limit = least_steps + steps_each * (s->block->nfacet + s->m);
  for (int k = 0; k < limit; ++k) {
    int facet = most_violated(s, p);
    if (facet < 0) return NSDS_SOLVED;
    if (!take_in(s, facet, p)) return NSDS_NO_SOLUTION;
    polyhedron_polish(s, s->start, p);
  }
  return NSDS_NOT_CONVERGED;
}

static const double first_tolerance = 4 * DBL_EPSILON;

bool nsds_polyhedron_project(const nsds_block *block, const double *scale, const double *x,
                             double *p, nsds_facets *facets) {
  nsds_facets own;
  double R[most * most], h[most], z[most], r[most], start[most];
  if (!facets) facets = &own;
  active_set s = {.block = block,
                  .scale = scale,
                  .m = block->size,
                  .facet = facets->facet,
                  .multiplier = facets->multiplier,
                  .tolerance = first_tolerance,
                  .Q = facets->Q,
                  .R = R,
                  .start = start,
                  .h = h,
                  .z = z,
                  .r = r};
  memcpy(start, x, (size_t)s.m * sizeof *start);
  for (int i = 0; i < s.m; ++i) nsds_raise(&s.far, fabs(start[i]));
  if (p != x) memcpy(p, start, (size_t)s.m * sizeof *p);
  bool found = nsds_first_nonfinite(start, s.m) < 0 && polyhedron_find(&s, p) != NSDS_NO_SOLUTION;
  for (int i = 0; !found && i < s.m; ++i) p[i] = NAN;
  facets->count = s.count;
  return found;
}

size_t nsds_polyhedron_work(int m) { return 2 * (size_t)m * (size_t)m + 5 * (size_t)m; }

nsds_outcome nsds_polyhedron_least(const nsds_block *block, int equalities, double *p, int *facet,
                                   double *work, bool *met) {
  size_t m = (size_t)block->size;
  active_set s = {.block = block,
                  .m = block->size,
                  .equalities = equalities,
                  .facet = facet,
                  .tolerance = first_tolerance};
  double **const part[] = {&s.multiplier, &s.h, &s.z, &s.r};
  double *start = NSDS_SHARE(work, m, part);
  s.Q = start + m;
  s.R = s.Q + m * m;
  memset(start, 0, m * sizeof *start);
  memset(p, 0, m * sizeof *p);
  s.start = start;
  *met = take_equalities(&s, p);
  nsds_outcome found = *met ? polyhedron_find(&s, p) : NSDS_NO_SOLUTION;
  if (*met && found != NSDS_SOLVED) {
    s.count = s.fixed;
    polyhedron_polish(&s, start, p);
  }
  if (*met) polyhedron_sharpen(&s, p);
  return found;
}

/*
 * ---- coordinates ----
 *
 * The search for a vertex begins at the projection of the origin, which lies in the polyhedron.
 * Each step keeps the facets of the basis active and goes to the first facet in the way. The search
 * ends when the normals of the basis, of length one, span the normals of all facets.
 */
static const double dependent = 1e-9; /* part of a normal outside a span that counts as none */

/* Distances to facets that differ by less than this part count as equal. */
static const double one_distance = 1e-14;

bool nsds_facet_normal(const nsds_block *block, int facet, double *h, double *k) {
  int m = block->size;
  double largest = 0.0;
  for (int j = 0; j < m; ++j) {
    h[j] = block->H[facet + (ptrdiff_t)j * block->nfacet];
    largest = fmax(largest, fabs(h[j]));
  }
  if (!(largest > 0.0)) return false;
  for (int j = 0; j < m; ++j) h[j] /= largest;
  double length = sqrt(nsds_inner_product(m, h, h));
  for (int j = 0; j < m; ++j) h[j] /= length;
  *k = block->K[facet] / largest / length;
  return true;
}

/* Takes a facet into the basis if its normal is independent of the others. */
static bool extend(active_set *s, int facet) {
  int m = s->m, k = s->count;
  double *q = s->Q + k * m, at;
  if (k == m || !nsds_facet_normal(s->block, facet, q, &at)) return false;
  double length = sqrt(nsds_orthogonalise(m, k, s->Q, q, s->R + k * m));
  if (!(length > dependent)) return false;
  s->R[k + k * m] = length;
  for (int i = 0; i < m; ++i) q[i] /= length;
  s->facet[s->count++] = facet;
  return true;
}

/* Returns the facet whose normal the basis spans least, with the direction towards it; -1 if all
 * are spanned. */
static int least_spanned(const active_set *s, double *d) {
  int best = -1;
  double longest = dependent, h[most], c[most], at;
  for (int k = 0; k < s->block->nfacet; ++k) {
    if (!nsds_facet_normal(s->block, k, h, &at)) continue;
    double length = sqrt(nsds_orthogonalise(s->m, s->count, s->Q, h, c));
    if (!(length > longest)) continue;
    longest = length;
    best = k;
    for (int i = 0; i < s->m; ++i) d[i] = -h[i] / length;
  }
  return best;
}

/* Goes from p along d to the first facet and takes it in. Among facets at the same distance it
 * takes the steepest. */
static bool polyhedron_advance(active_set *s, double *p, const double *d) {
  double step = INFINITY, steepest = 0.0, h[most], at;
  int blocking = -1;
  for (int k = 0; k < s->block->nfacet; ++k) {
    if (!nsds_facet_normal(s->block, k, h, &at)) continue;
    double slope = -nsds_inner_product(s->m, h, d),
           reach = fmax(nsds_inner_product(s->m, h, p) - at, 0.0);
    if (!(slope > dependent)) continue;
    double margin = one_distance * (1.0 + step);
    if (reach / slope > step + margin || (reach / slope > step - margin && slope < steepest))
      continue;
    step = fmin(step, reach / slope);
    steepest = slope;
    blocking = k;
  }
  if (blocking < 0) return false;
  for (int i = 0; i < s->m; ++i) p[i] += step * d[i];
  return extend(s, blocking);
}

/* Computes D = Q R^-T, with N^T z = K and N^T D = I in the span of N = Q R. The point is D K. */
static void make_coordinates(const active_set *s, nsds_vertex *v) {
  int m = s->m, r = s->count;
  double h[most], at;
  for (int i = 0; i < m; ++i) v->point[i] = 0.0;
  for (int i = 0; i < m; ++i)
    for (int k = r - 1; k >= 0; --k) {
      double t = s->Q[i + k * m];
      for (int j = k + 1; j < r; ++j) t -= v->direction[i + j * m] * s->R[k + j * m];
      v->direction[i + k * m] = t / s->R[k + k * m];
    }
  for (int k = 0; k < r; ++k) {
    nsds_facet_normal(s->block, s->facet[k], h, &at);
    for (int i = 0; i < m; ++i) v->point[i] += at * v->direction[i + k * m];
  }
}

/* Completes Q by the unit vectors that it spans least: the lineality space. */
static void polyhedron_complete(active_set *s, nsds_vertex *v) {
  int m = s->m;
  double c[most], e[most];
  for (int k = s->count; k < m; ++k) {
    double longest = 0.0;
    for (int j = 0; j < m; ++j) {
      for (int i = 0; i < m; ++i) e[i] = i == j;
      double length = sqrt(nsds_orthogonalise(m, k, s->Q, e, c));
      if (!(length > longest)) continue;
      longest = length;
      for (int i = 0; i < m; ++i) v->direction[i + k * m] = e[i] / length;
    }
    for (int i = 0; i < m; ++i) s->Q[i + k * m] = v->direction[i + k * m];
  }
}

bool nsds_vertex_find(const nsds_block *block, nsds_vertex *vertex) {
  nsds_facets facets;
  double Q[most * most], R[most * most], p[most], origin[most] = {0.0}, d[most];
  active_set s = {.block = block, .m = block->size, .facet = vertex->facet, .Q = Q, .R = R};
  vertex->empty = !nsds_polyhedron_project(block, NULL, origin, p, &facets);
  if (vertex->empty) return false;
  for (int k = 0; k < facets.count; ++k) extend(&s, facets.facet[k]);
  while (least_spanned(&s, d) >= 0)
    if (!polyhedron_advance(&s, p, d)) return false;
  make_coordinates(&s, vertex);
  polyhedron_complete(&s, vertex);
  vertex->rank = s.count;
  return true;
}
