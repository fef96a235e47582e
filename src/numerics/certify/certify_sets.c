/*
 * The certifier's natural map of one block, and what an uncertain q can do to it. Shares nothing
 * with the projections that solvers use; that on a polyhedron is taken from there, but only as a
 * claim: feasibility, the signs of the multipliers and stationarity are checked, and what is
 * missing counts as residual.
 */
#include "certify_sets.h"
#include "polyhedron.h"

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

static double root_of(const double *d, int i) { return d ? sqrt(d[i]) : 1.0; }

/* ---- rows on their own ---- */

static double map_rows(const nsds_block *block, const double *d, const double *z, const double *w) {
  double norm = 0.0;
  for (int i = 0; i < block->size; ++i) {
    double root = root_of(d, i);
    norm = nsds_certify_norm(norm, nsds_certify_row(block, i, root, z[i], w[i] / root));
  }
  return norm;
}

/* ---- discs and products of circular cones over one normal component ---- */

/* Rows first .. first + count - 1 with x = y - v, bounded by || x || <= mu y_N or by a radius. */
typedef struct part {
  int first, count;
  double root;   /* sqrt(d) of the rows */
  double mu;     /* in the variables y */
  double length; /* || x || */
} part;

static double x_of(const part *p, int i, const double *z, const double *w) {
  return p->root * z[i] - w[i] / p->root;
}

static part part_of(int first, int count, const double *d, const double *z, const double *w) {
  part p = {.first = first, .count = count, .root = root_of(d, first)};
  for (int i = first; i < first + count; ++i)
    p.length = nsds_certify_norm(p.length, x_of(&p, i, z, w));
  return p;
}

/* || y - x shortened to the limit || over the rows of the part. */
static double distance(const part *p, double limit, const double *z, const double *w) {
  double norm = 0.0, factor = p->length > limit ? limit / p->length : 1.0;
  for (int i = p->first; i < p->first + p->count; ++i)
    norm = nsds_certify_norm(norm, p->root * z[i] - factor * x_of(p, i, z, w));
  return norm;
}

/*
 * y_N of the projection of x: root of g(y) = y - x_N - sum mu max(0, || x_part || - mu y), or 0 if
 * that is negative. g is increasing and concave, so Newton's method from below ends in at most one
 * step per part and one more.
 */
static double nearest_normal(int nparts, const part *p, double x) {
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

static int cone_parts(const nsds_block *block, const double *d, const double *z, const double *w,
                      double normal_root, part *p) {
  int m = block->size, rolling = block->set == NSDS_SET_ROLLING ? (m - 1) / 2 : 0, count = 0;
  if (m == 1) return 0;
  p[count] = part_of(1, m - 1 - rolling, d, z, w);
  p[count].mu = block->mu * p[count].root / normal_root;
  ++count;
  if (rolling == 0) return count;
  p[count] = part_of(m - rolling, rolling, d, z, w);
  p[count].mu = block->mu_rolling * p[count].root / normal_root;
  return count + 1;
}

/* || v || over the rows of the part. */
static double velocity(const part *p, const double *w) {
  double norm = 0.0;
  for (int i = p->first; i < p->first + p->count; ++i)
    norm = nsds_certify_norm(norm, w[i] / p->root);
  return norm;
}

static double map_cone(const nsds_block *block, const double *d, const double *z, const double *w) {
  part p[2];
  double root = root_of(d, 0), v = w[0] / root;
  int nparts = cone_parts(block, d, z, w, root, p);
  for (int k = 0; block->set != NSDS_SET_CONE && k < nparts; ++k) v += p[k].mu * velocity(&p[k], w);
  double normal = nearest_normal(nparts, p, root * z[0] - v), norm = fabs(root * z[0] - normal);
  for (int k = 0; k < nparts; ++k)
    norm = nsds_certify_norm(norm, distance(&p[k], p[k].mu * normal, z, w));
  return norm;
}

static double map_disc(const nsds_block *block, const double *d, const double *z, const double *w) {
  part p = part_of(0, block->size, d, z, w);
  return distance(&p, p.root * block->radius, z, w);
}

/* ---- polyhedra ---- */

/* What is missing for the claim p = x + sum of multiplier * normal, H p >= K. */
static double doubt(const nsds_block *block, const double *scale, const double *x, const double *p,
                    const nsds_facets *facets) {
  double rest[NSDS_COUPLED_ROWS], missing = 0.0;
  for (int i = 0; i < block->size; ++i) rest[i] = p[i] - x[i];
  for (int k = 0; k < block->nfacet; ++k) {
    double gap = -block->K[k], size = 0.0, multiplier = 0.0;
    for (int j = 0; j < facets->count; ++j)
      if (facets->facet[j] == k) multiplier = facets->multiplier[j];
    for (int i = 0; i < block->size; ++i) {
      double h = block->H[k + (size_t)i * (size_t)block->nfacet] / scale[i];
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

static double map_polyhedron(const nsds_block *block, const double *d, const double *z,
                             const double *w) {
  double scale[NSDS_COUPLED_ROWS], x[NSDS_COUPLED_ROWS], p[NSDS_COUPLED_ROWS], norm = 0.0;
  nsds_facets facets;
  for (int i = 0; i < block->size; ++i) {
    scale[i] = root_of(d, i);
    x[i] = scale[i] * z[i] - w[i] / scale[i];
  }
  if (!nsds_polyhedron_project(block, scale, x, p, &facets)) return INFINITY;
  for (int i = 0; i < block->size; ++i) norm = nsds_certify_norm(norm, scale[i] * z[i] - p[i]);
  return norm + doubt(block, scale, x, p, &facets);
}

static const double bounded = 1e-9; /* a projection of length 1 that is rounding */

/* A ray r, H r >= 0, has a positive component along one of +-e_i, whose projection on the cone of
 * all rays is then not zero. */
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

double nsds_certify_map(const nsds_block *block, const double *d, const double *z,
                        const double *w) {
  switch (block->set) {
  case NSDS_SET_EQUALITY:
  case NSDS_SET_NONNEGATIVE:
  case NSDS_SET_BOX: return map_rows(block, d, z, w);
  case NSDS_SET_DISC: return map_disc(block, d, z, w);
  case NSDS_SET_CONE:
  case NSDS_SET_COULOMB:
  case NSDS_SET_ROLLING: return map_cone(block, d, z, w);
  case NSDS_SET_POLYHEDRON: return map_polyhedron(block, d, z, w);
  }
  return INFINITY; /* a set not known here is never certified */
}

/* The map is nonexpansive in w + shift, and the shift is mu || w_T ||. */
double nsds_certify_slack(const nsds_block *block, const double *d, const double *error) {
  int m = block->size, rolling = block->set == NSDS_SET_ROLLING ? (m - 1) / 2 : 0;
  double normal = 0.0, rest = 0.0, tangential = 0.0, turning = 0.0;
  for (int i = 0; i < m; ++i) {
    double e = error[i] / root_of(d, i);
    if (i == 0) normal = e;
    else rest = nsds_certify_norm(rest, e);
    if (i > 0 && i < m - rolling) tangential = nsds_certify_norm(tangential, error[i]);
    if (i >= m - rolling) turning = nsds_certify_norm(turning, error[i]);
  }
  if (block->set == NSDS_SET_COULOMB || block->set == NSDS_SET_ROLLING)
    normal +=
        (block->mu * tangential + (rolling ? block->mu_rolling * turning : 0.0)) / root_of(d, 0);
  return nsds_certify_norm(normal, rest);
}
