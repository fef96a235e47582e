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

static void add_unit(double *G, int m, int first, int count, double factor) {
  for (int i = first; i < first + count; ++i) G[i + i * m] += factor;
}

/* p on the rows of a part: x shortened to slope p_0 or, for a disc, a fixed limit; and the same
 * rows of G from that of p_0. */
static void map_part(int m, const nsds_part *part, double limit, const double *of_normal,
                     const double *x, double *p, double *G) {
  int first = part->first, end = first + part->count;
  double size = nsds_length(part->count, x + first), share = size <= limit ? 1.0 : limit / size;
  for (int i = first; i < end; ++i) p[i] = share * x[i];
  if (!G) return;
  for (int i = first; i < end && size > limit; ++i) {
    double direction = x[i] / size;
    for (int j = 0; j < m; ++j) G[i + j * m] += part->slope * direction * of_normal[j];
    for (int j = first; j < end; ++j) G[i + j * m] -= share * direction * x[j] / size;
  }
  add_unit(G, m, first, part->count, share);
}

/* On a cone the parts that are too long make p_N = (x_N + sum mu_i |x_i|) / (1 + sum mu_i^2). */
static void normal_derivative(const nsds_block *block, const double *x, double p_N, double *slope) {
  nsds_part part[2];
  double sum = 1.0;
  int count = nsds_set_parts(block, part);
  slope[0] = 1.0;
  for (int k = 0; k < count; ++k) {
    double size = nsds_length(part[k].count, x + part[k].first);
    if (!(size > part[k].slope * p_N)) continue;
    sum += part[k].slope * part[k].slope;
    for (int i = part[k].first; i < part[k].first + part[k].count; ++i)
      slope[i] = part[k].slope * x[i] / size;
  }
  for (int i = 0; i < block->size; ++i) slope[i] /= sum;
}

/* Alart & Curnier's p_N is max(0, x_N), whatever the other parts; otherwise p is the projection. */
static void map_cone(bool apart, const nsds_block *block, const double *x, double *p, double *G) {
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

/* G = the projector on what is orthogonal to the normals of the facets that p rests on. */
static void map_polyhedron(const nsds_block *block, const double *x, double *p, double *G) {
  nsds_facets facets;
  int m = block->size;
  nsds_polyhedron_project(block, NULL, x, p, &facets);
  if (!G) return;
  add_unit(G, m, 0, m, 1.0);
  for (int k = 0; k < facets.count; ++k)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j) G[i + j * m] -= facets.Q[i + k * m] * facets.Q[j + k * m];
}

/* p(x) and G, which is zero on entry. */
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
  case NSDS_SET_ROLLING: map_cone(map == NSDS_MAP_ALART_CURNIER, block, x, p, G); break;
  case NSDS_SET_CONE: map_cone(false, block, x, p, G); break;
  case NSDS_SET_POLYHEDRON: map_polyhedron(block, x, p, G); break;
  }
}

/* B <- B (I + e_N s'(w)^T), s the shift. */
static void add_shift(const nsds_block *block, const double *w, double *B) {
  int m = block->size;
  nsds_part part[2];
  int count = nsds_set_parts(block, part);
  for (int k = 0; k < count; ++k) {
    int first = part[k].first, end = first + part[k].count;
    double size = nsds_length(part[k].count, w + first);
    for (int j = first; j < end && size > 0.0; ++j)
      for (int i = 0; i < m; ++i) B[i + j * m] += B[i] * (part[k].slope * w[j]) / size;
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

/* Rows from row i on that share one rho. */
static int rows_together(const nsds_block *block, int i) {
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
    end = i + rows_together(block, i);
    for (int j = i; j < end; ++j) largest = fmax(largest, M[j + j * m]);
    for (int j = i; j < end; ++j) rho[j] = largest > 0.0 ? 1.0 / largest : 1.0;
  }
}
