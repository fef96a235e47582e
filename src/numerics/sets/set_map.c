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

/* A part of x that the cone bounds in length by slope p_N. */
typedef struct part {
  int first, count;
  double slope, size;
  bool exceeds; /* longer than that */
} part;

/*
 * On the cone |x_i| <= mu_i p_N, i one part or two, those too long make p_N = (x_N + sum mu_i
 * |x_i|) / (1 + sum mu_i^2) and p_i = mu_i p_N x_i / |x_i|; the others stay.
 */
static void cone_derivative(const nsds_block *block, const double *x, const double *p, double *G) {
  int m = block->size, rolling = block->set == NSDS_SET_ROLLING ? (m - 1) / 2 : 0;
  part parts[2] = {{1, m - 1 - rolling, block->mu, 0.0, false},
                   {m - rolling, rolling, block->mu_rolling, 0.0, false}};
  double slope[most] = {1.0}, sum = 1.0; /* dp_N, times the sum */
  for (part *a = parts; a < parts + 2; ++a) {
    a->size = length(x + a->first, a->count);
    a->exceeds = a->size > a->slope * p[0];
    if (!a->exceeds) continue;
    sum += a->slope * a->slope;
    for (int i = a->first; i < a->first + a->count; ++i) slope[i] = a->slope * x[i] / a->size;
  }
  if (!(p[0] > 0.0)) return;
  for (int j = 0; j < m; ++j) G[j * m] = slope[j] / sum;
  for (const part *a = parts; a < parts + 2; ++a) {
    double share = a->exceeds ? a->slope * p[0] / a->size : 1.0;
    add_unit(G, m, a->first, a->count, share);
    for (int i = a->first; a->exceeds && i < a->first + a->count; ++i) {
      double direction = x[i] / a->size;
      for (int j = 0; j < m; ++j) G[i + j * m] += a->slope * direction * G[j * m];
      for (int j = a->first; j < a->first + a->count; ++j)
        G[i + j * m] -= share * direction * (x[j] / a->size);
    }
  }
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
static void map_of_x(nsds_map map, const nsds_block *block, const double *x, double *p, double *G) {
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
  case NSDS_SET_COULOMB:
  case NSDS_SET_ROLLING:
    if (map == NSDS_MAP_ALART_CURNIER) {
      map_friction(block, x, p, G);
      break;
    } /* fallthrough */
  case NSDS_SET_CONE:
    nsds_set_project(block, x, p);
    if (G) cone_derivative(block, x, p, G);
    break;
  case NSDS_SET_POLYHEDRON:
    nsds_polyhedron_project(block, NULL, x, p, &facets);
    if (G) polyhedron_derivative(block, &facets, G);
    break;
  }
}

/* B <- B (I + e_N s'(w)^T), s the shift. */
static void add_shift(const nsds_block *block, const double *w, double *B) {
  int m = block->size, rolling = block->set == NSDS_SET_ROLLING ? (m - 1) / 2 : 0;
  double tangential = length(w + 1, m - 1 - rolling), rolled = length(w + m - rolling, rolling);
  for (int j = 1; j < m; ++j) {
    double size = j < m - rolling ? tangential : rolled;
    double slope = (j < m - rolling ? block->mu : block->mu_rolling) * w[j];
    for (int i = 0; size > 0.0 && i < m; ++i) B[i + j * m] += B[i] * slope / size;
  }
}

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
  if (map != NSDS_MAP_FISCHER || !nsds_set_map_fischer(block, rho, z, v, phi, A, B)) {
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
