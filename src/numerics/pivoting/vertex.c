/*
 * Coordinates of polyhedra, see vertex.h. A vertex is found from the projection of the origin,
 * which lies in the polyhedron, along directions that keep the facets of the basis active, each
 * time to the first facet in the way, until the normals of the basis span those of all facets.
 */
#include "vertex.h"
#include "blockwise.h"
#include "orthogonal.h"
#include "polyhedron.h"

enum { most = NSDS_COUPLED_ROWS };

static const double dependent = 1e-9; /* part of a normal outside a span that counts as none */

/* Distances to facets that differ by this part are one. */
static const double rounding = 1e-14;

typedef struct search {
  const nsds_block *block;
  int m, count;          /* rows, facets of the basis */
  int *facet;            /* most */
  double Q[most * most]; /* m x count: their normals orthonormalised, N = Q R */
  double R[most * most]; /* count x count upper triangle, leading dimension m */
  double p[most];        /* a point of the polyhedron */
} search;

bool nsds_facet_normal(const nsds_block *block, int facet, double *h, double *k) {
  int m = block->size;
  double largest = 0.0;
  for (int j = 0; j < m; ++j) {
    h[j] = block->H[facet + (size_t)j * (size_t)block->nfacet];
    largest = fmax(largest, fabs(h[j]));
  }
  if (!(largest > 0.0)) return false;
  for (int j = 0; j < m; ++j) h[j] /= largest;
  double length = sqrt(nsds_dot(m, h, h));
  for (int j = 0; j < m; ++j) h[j] /= length;
  *k = block->K[facet] / largest / length;
  return true;
}

/* Takes a facet into the basis if its normal is independent of the others. */
static bool take_in(search *s, int facet) {
  int m = s->m, k = s->count;
  double h[most], c[most], at;
  if (k == m || !nsds_facet_normal(s->block, facet, h, &at)) return false;
  double length = nsds_orthogonalise(m, k, s->Q, h, c);
  if (!(length > dependent)) return false;
  for (int i = 0; i < k; ++i) s->R[i + k * m] = c[i];
  s->R[k + k * m] = length;
  for (int i = 0; i < m; ++i) s->Q[i + k * m] = h[i] / length;
  s->facet[s->count++] = facet;
  return true;
}

/* The facet whose normal is least spanned by the basis, with the direction towards it; -1 if all
 * are. */
static int least_spanned(const search *s, double *d) {
  int best = -1;
  double longest = dependent, h[most], c[most], at;
  for (int k = 0; k < s->block->nfacet; ++k) {
    if (!nsds_facet_normal(s->block, k, h, &at)) continue;
    double length = nsds_orthogonalise(s->m, s->count, s->Q, h, c);
    if (!(length > longest)) continue;
    longest = length;
    best = k;
    for (int i = 0; i < s->m; ++i) d[i] = -h[i] / length;
  }
  return best;
}

/* Goes from p along d to the first facet and takes it in; of those at one distance the steepest. */
static bool advance(search *s, const double *d) {
  double step = INFINITY, steepest = 0.0, h[most], at;
  int blocking = -1;
  for (int k = 0; k < s->block->nfacet; ++k) {
    if (!nsds_facet_normal(s->block, k, h, &at)) continue;
    double slope = -nsds_dot(s->m, h, d), reach = fmax(nsds_dot(s->m, h, s->p) - at, 0.0);
    if (!(slope > dependent)) continue;
    double margin = rounding * (1.0 + step);
    if (reach / slope > step + margin || (reach / slope > step - margin && slope < steepest))
      continue;
    step = fmin(step, reach / slope);
    steepest = slope;
    blocking = k;
  }
  if (blocking < 0) return false;
  for (int i = 0; i < s->m; ++i) s->p[i] += step * d[i];
  return take_in(s, blocking);
}

/* N^T z = K and N^T D = I in the span of N = Q R: D = Q R^-T, and the point is D K. */
static void make_coordinates(search *s, nsds_vertex *v) {
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

/* The lineality space: Q completed by the unit vectors that it spans least. */
static void complete(search *s, nsds_vertex *v) {
  int m = s->m;
  double c[most], e[most];
  for (int k = s->count; k < m; ++k) {
    double longest = 0.0;
    for (int j = 0; j < m; ++j) {
      for (int i = 0; i < m; ++i) e[i] = i == j;
      double length = nsds_orthogonalise(m, k, s->Q, e, c);
      if (!(length > longest)) continue;
      longest = length;
      for (int i = 0; i < m; ++i) v->direction[i + k * m] = e[i] / length;
    }
    for (int i = 0; i < m; ++i) s->Q[i + k * m] = v->direction[i + k * m];
  }
}

bool nsds_vertex_find(const nsds_block *block, nsds_vertex *vertex) {
  search s = {.block = block, .m = block->size, .facet = vertex->facet};
  nsds_facets facets;
  double origin[most] = {0.0}, d[most];
  vertex->empty = !nsds_polyhedron_project(block, NULL, origin, s.p, &facets);
  if (vertex->empty) return false;
  for (int k = 0; k < facets.count; ++k) take_in(&s, facets.facet[k]);
  while (least_spanned(&s, d) >= 0)
    if (!advance(&s, d)) return false;
  make_coordinates(&s, vertex);
  complete(&s, vertex);
  vertex->rank = s.count;
  return true;
}
