/*
 * Nonsmooth equations of the laws and their generalised derivatives (Alart & Curnier: Comput.
 * Methods Appl. Mech. Engrg. 92, 1991; Hayashi, Yamashita & Fukushima: SIAM J. Optim. 15, 2005, for
 * the derivative of the projection on a cone).
 *
 * Every equation has the form phi = z - p(x), x = z - rho w, so that with G = dp/dx
 * A = I - G and B = G diag(rho).
 */
#include "set_map.h"
#include "polyhedron.h"
#include "sets.h"

enum { most = NSDS_COUPLED_ROWS };

static double length(const double *x, int n) {
  if (n == 1) return fabs(x[0]);
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return sqrt(sum);
}

static void add_unit(double *G, int m, int first, int count, double factor) {
  for (int i = first; i < first + count; ++i) G[i + i * m] += factor;
}

/* Rows first .. first + count - 1 of p: x shortened to `limit`, which depends on x_0 by the slope;
 * and the same rows of G. */
static void map_disc(int m, int first, int count, double limit, double slope, const double *x,
                     double *p, double *G) {
  double size = length(x + first, count);
  if (size <= limit) {
    for (int i = first; i < first + count; ++i) p[i] = x[i];
    if (G) add_unit(G, m, first, count, 1.0);
    return;
  }
  for (int i = first; i < first + count; ++i) p[i] = limit / size * x[i];
  if (!G) return;
  for (int i = first; i < first + count; ++i) {
    double direction = x[i] / size;
    G[i] += slope * direction;
    for (int j = first; j < first + count; ++j)
      G[i + j * m] -= limit / size * direction * x[j] / size;
  }
  add_unit(G, m, first, count, limit / size);
}

static void map_friction(const nsds_block *block, const double *x, double *p, double *G) {
  int m = block->size, rolling = block->set == NSDS_SET_ROLLING ? (m - 1) / 2 : 0;
  bool closed = x[0] > 0.0;
  p[0] = closed ? x[0] : 0.0;
  if (G && closed) G[0] = 1.0;
  map_disc(m, 1, m - 1 - rolling, block->mu * p[0], closed ? block->mu : 0.0, x, p, G);
  if (rolling > 0)
    map_disc(m, m - rolling, rolling, block->mu_rolling * p[0], closed ? block->mu_rolling : 0.0, x,
             p, G);
}

/* Outside the cone and its polar: p_N = (x_N + mu ||x_T||) / (1 + mu^2), p_T = mu p_N x_T /
 * ||x_T||. */
static void cone_derivative(const nsds_block *block, const double *x, const double *p, double *G) {
  int m = block->size;
  double mu = block->mu, size = length(x + 1, m - 1), share = 1.0 / (1.0 + mu * mu);
  if (size <= mu * x[0]) {
    add_unit(G, m, 0, m, 1.0);
    return;
  }
  if (!(p[0] > 0.0)) return;
  G[0] = share;
  for (int i = 1; i < m; ++i) {
    double direction = x[i] / size;
    G[i] = G[i * m] = share * mu * direction;
    for (int j = 1; j < m; ++j)
      G[i + j * m] += (mu * mu * share - mu * p[0] / size) * direction * (x[j] / size);
  }
  add_unit(G, m, 1, m - 1, mu * p[0] / size);
}

/* G = the projector on what is orthogonal to the normals of the facets that p rests on. */
static void polyhedron_derivative(const nsds_block *block, const nsds_facets *facets, double *G) {
  int m = block->size, count = 0;
  double Q[most * most];
  add_unit(G, m, 0, m, 1.0);
  for (int k = 0; k < facets->count; ++k) {
    double *q = Q + count * m;
    if (!(facets->multiplier[k] > 0.0)) continue;
    for (int j = 0; j < m; ++j)
      q[j] = block->H[facets->facet[k] + (size_t)j * (size_t)block->nfacet];
    for (int pass = 0; pass < 2; ++pass)
      for (int c = 0; c < count; ++c) {
        double t = 0.0;
        for (int j = 0; j < m; ++j) t += Q[j + c * m] * q[j];
        for (int j = 0; j < m; ++j) q[j] -= t * Q[j + c * m];
      }
    double size = length(q, m);
    for (int j = 0; j < m; ++j) q[j] /= size;
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j) G[i + j * m] -= q[i] * q[j];
    ++count;
  }
}

/* p(x) and G, which is zero on entry. */
static void map_of_x(const nsds_block *block, const double *x, double *p, double *G) {
  nsds_facets facets;
  int m = block->size;
  switch (block->set) {
  case NSDS_SET_EQUALITY:
  case NSDS_SET_NONNEGATIVE:
  case NSDS_SET_BOX:
    nsds_set_project(block, x, p);
    for (int i = 0; G && i < m; ++i) G[i + i * m] = p[i] == x[i];
    break;
  case NSDS_SET_DISC: map_disc(m, 0, m, block->radius, 0.0, x, p, G); break;
  case NSDS_SET_CONE:
    nsds_set_project(block, x, p);
    if (G) cone_derivative(block, x, p, G);
    break;
  case NSDS_SET_COULOMB:
  case NSDS_SET_ROLLING: map_friction(block, x, p, G); break;
  case NSDS_SET_POLYHEDRON:
    nsds_polyhedron_project(block, NULL, x, p, &facets);
    if (G) polyhedron_derivative(block, &facets, G);
    break;
  }
}

void nsds_set_map(const nsds_block *block, const double *rho, const double *z, const double *w,
                  double *phi, double *A, double *B) {
  int m = block->size;
  if (m <= 0) return;
  for (int i = 0; A && i < m * m; ++i) A[i] = 0.0;
  double x[most], p[most];
  for (int i = 0; i < m; ++i) x[i] = z[i] - rho[i] * w[i];
  map_of_x(block, x, p, A);
  for (int i = 0; i < m; ++i) phi[i] = z[i] - p[i];
  for (int j = 0; A && j < m; ++j)
    for (int i = 0; i < m; ++i) {
      double g = A[i + j * m];
      A[i + j * m] = (i == j) - g;
      B[i + j * m] = g * rho[j];
    }
}

void nsds_set_map_scale(const nsds_block *block, const double *M, double *rho) {
  int m = block->size;
  bool friction = block->set == NSDS_SET_COULOMB || block->set == NSDS_SET_ROLLING;
  bool together = block->set == NSDS_SET_DISC || block->set == NSDS_SET_CONE ||
                  block->set == NSDS_SET_POLYHEDRON;
  int rolling = block->set == NSDS_SET_ROLLING ? (m - 1) / 2 : 0;
  for (int i = 0, end; i < m; i = end) {
    double most_d = 0.0;
    end = together ? m : friction && i > 0 ? (i < m - rolling ? m - rolling : m) : i + 1;
    for (int j = i; j < end; ++j) most_d = fmax(most_d, M[j + j * m]);
    for (int j = i; j < end; ++j) rho[j] = most_d > 0.0 ? 1.0 / most_d : 1.0;
  }
}
