/*
 * The law of one block by its states, see certify_law.h.
 *
 * Each state of a law is a set of equations and inequalities. The defect of a state is the largest
 * change of a row that makes them hold, over the scale of the row. The error is the least defect:
 *
 *     open      z = 0,  w in the dual cone
 *     stick     w = 0,  z in the set
 *     slip      z at the end of the set,  w along its normal there
 *
 * The natural map y - P(y - v) loses w beside y where reactions are large. These differences do not:
 * z meets only its own set, in twice the precision, and w only zero and directions.
 */
#include "numerics/certify/certify_law.h"

#include "base/base.h"
#include "numerics/certify/certify_sets.h"
#include "numerics/certify/twice.h"
#include "numerics/sets/bounds.h"

static inline double scale_at(const nsds_claim *c, int i) {
  return c->scale[i] > 0.0 ? c->scale[i] : c->terms[i];
}

/* Returns a defect of w_i, or of d_i z_i, in scales. */
static inline double in_scale(const nsds_claim *c, int i, double defect) {
  if (defect == 0.0) return 0.0;
  return defect / scale_at(c, i) + 0.0 * defect;
}

static double larger(double a, double b) { return isnan(a) || isnan(b) ? NAN : a > b ? a : b; }

static double smaller(double a, double b) { return isnan(a) || isnan(b) ? NAN : a < b ? a : b; }

/* Returns z_i - x. */
static inline double z_less(const nsds_claim *c, int i, double x) {
  return (c->z[i] - x) + (c->low ? c->low[i] : 0.0);
}

/* ---- rows that stand alone ---- */

static double law_of_row(const nsds_claim *c, const nsds_block *block, int k, int i) {
  double w = c->w[i], d = c->d[i], e = fabs(w);
  if (block->set != NSDS_SET_EQUALITY) {
    double lower = nsds_lower(block, k), upper = nsds_upper(block, k);
    double below = lower > -INFINITY ? d * z_less(c, i, lower) : INFINITY;
    double above = upper < INFINITY ? d * z_less(c, i, upper) : -INFINITY;
    double inside = larger(e, larger(larger(-below, above), 0.0));
    double at_lower = larger(fabs(below), larger(-w, 0.0));
    double at_upper = larger(fabs(above), larger(w, 0.0));
    e = smaller(inside, smaller(at_lower, at_upper));
  }
  return in_scale(c, i, e + 0.0 * (c->z[i] + w));
}

/* ---- discs and cones ---- */

/* Rows of x bounded by |z_part| <= limit. */
typedef struct law_part {
  int first, count;
  double mu;
} law_part;

static double norm_at(const double *x, const law_part *p) {
  double norm = 0.0;
  for (int i = p->first; i < p->first + p->count; ++i) norm = nsds_certify_norm(norm, x[i]);
  return norm;
}

static nsds_twice square_at(const nsds_claim *c, int i) {
  nsds_twice z = {c->z[i], c->low ? c->low[i] : 0.0};
  return nsds_twice_times(z, z);
}

/* Returns |z_part| less the limit: mu z_N, or a radius if `normal` is -1. */
static double beyond_limit(const nsds_claim *c, const law_part *p, int normal) {
  double length = norm_at(c->z, p), limit = normal < 0 ? p->mu : p->mu * c->z[normal];
  nsds_twice sum = {0.0, 0.0}, most = nsds_twice_of_product(p->mu, p->mu);
  if (!(limit > 0.0) || !(length > 0.5 * limit) || length > 1e150) return length - limit;
  if (length < 1e-140) return length - limit;
  for (int i = p->first; i < p->first + p->count; ++i) sum = nsds_twice_add(sum, square_at(c, i));
  if (normal >= 0) most = nsds_twice_times(most, square_at(c, normal));
  sum = nsds_twice_add(sum, nsds_twice_minus(most));
  return sum.high / (length + limit);
}

/* Returns the defect of w_part in sliding against z_part: the part of w across z, and along z. */
static double off_direction(const nsds_claim *c, const law_part *p, double size) {
  double along = 0.0, across = 0.0;
  for (int i = p->first; i < p->first + p->count; ++i) along += c->w[i] * (c->z[i] / size);
  for (int i = p->first; i < p->first + p->count; ++i)
    across = nsds_certify_norm(across, c->w[i] - fmin(along, 0.0) * (c->z[i] / size));
  return across;
}

/* Returns the least defect of a part over sticking and sliding. */
static double law_of_part(const nsds_claim *c, const law_part *p, int normal) {
  if (p->count == 0) return 0.0;
  double size = norm_at(c->z, p), beyond = beyond_limit(c, p, normal), d = c->d[p->first];
  double stick = larger(norm_at(c->w, p), d * fmax(beyond, 0.0));
  double slip = size > 0.0 ? larger(off_direction(c, p, size), d * fabs(beyond)) : INFINITY;
  /* At a limit of almost zero any direction is near: z = 0 with w at will. */
  double limit = normal < 0 ? p->mu : p->mu * fmax(c->z[normal], 0.0);
  double at_will = larger(d * size, d * limit);
  return in_scale(c, p->first, smaller(smaller(stick, slip), at_will));
}

static double law_of_disc(const nsds_claim *c, const nsds_block *b, int first) {
  law_part p = {first, b->size, b->radius};
  return law_of_part(c, &p, -1);
}

static double open_defect(const nsds_claim *c, const nsds_block *b, int first, bool shifted) {
  double w = c->w[first], worst = 0.0;
  law_part tangent = {first + 1, b->size - 1, b->mu};
  if (!shifted) w -= b->mu * norm_at(c->w, &tangent);
  worst = in_scale(c, first, larger(c->d[first] * fabs(c->z[first]), larger(-w, 0.0)));
  for (int i = first + 1; i < first + b->size; ++i)
    worst = larger(worst, in_scale(c, i, c->d[i] * fabs(c->z[i])));
  return worst;
}

/* With De Saxce's shift: w_N = 0, and each part sticks or slides. */
static double law_of_friction(const nsds_claim *c, const nsds_block *b, int first) {
  int rolling = b->set == NSDS_SET_ROLLING ? (b->size - 1) / 2 : 0;
  law_part p[2] = {{first + 1, b->size - 1 - rolling, b->mu},
                   {first + b->size - rolling, rolling, b->mu_rolling}};
  double closed = larger(fabs(c->w[first]), c->d[first] * fmax(-c->z[first], 0.0));
  closed = in_scale(c, first, closed);
  for (int k = 0; k < 2; ++k) closed = larger(closed, law_of_part(c, &p[k], first));
  return smaller(closed, open_defect(c, b, first, true));
}

/* Without shift: on the boundary w = a (mu, -t) with a >= 0; t is at will where mu z_N is almost
 * zero. */
static double law_of_cone(const nsds_claim *c, const nsds_block *b, int first) {
  law_part p = {first + 1, b->size - 1, b->mu};
  double size = norm_at(c->z, &p), w = c->w[first], beyond = beyond_limit(c, &p, first);
  double inside = 0.0, edge = INFINITY, point = INFINITY,
         pushes = c->d[first] * fmax(-c->z[first], 0.0);
  inside = in_scale(c, first, larger(fabs(w), pushes));
  if (p.count > 0) {
    double wide = c->d[p.first] * fmax(beyond, 0.0);
    inside = larger(inside, in_scale(c, p.first, larger(norm_at(c->w, &p), wide)));
  }
  if (p.count > 0) {
    double normal = fabs(w - b->mu * norm_at(c->w, &p)) + fmax(-w, 0.0);
    double limit = b->mu * fmax(c->z[first], 0.0);
    point = in_scale(c, first, larger(normal, pushes));
    point = larger(point, in_scale(c, p.first, c->d[p.first] * larger(size, limit)));
    if (!(size > 0.0)) return smaller(smaller(inside, point), open_defect(c, b, first, false));
    edge = in_scale(c, first, larger(normal, pushes));
    edge = larger(edge, in_scale(c, p.first,
                                 larger(off_direction(c, &p, size), c->d[p.first] * fabs(beyond))));
  }
  return smaller(smaller(inside, smaller(edge, point)), open_defect(c, b, first, false));
}

/* ---- polyhedra, by the natural map ---- */

static double law_of_polyhedron(const nsds_claim *c, const nsds_block *b, int first) {
  nsds_units units;
  double most = 0.0; /* facets tie the rows together */
  for (int i = 0; i < b->size; ++i) {
    nsds_certify_unit(c->d[first + i], i, i + 1, &units);
    nsds_raise(&most, scale_at(c, first + i) * units.inverse[i]);
  }
  double e = nsds_certify_map(b, &units, c->z + first, c->w + first);
  return e == 0.0 ? 0.0 : e / most;
}

bool nsds_law_is_alone(const nsds_block *block) {
  return ((unsigned)block->set & nsds_bound_sets) != 0;
}

double nsds_law_error(const nsds_claim *c, const nsds_block *block, int first, int i) {
  switch (block->set) {
  case NSDS_SET_DISC: return law_of_disc(c, block, first);
  case NSDS_SET_CONE: return law_of_cone(c, block, first);
  case NSDS_SET_COULOMB:
  case NSDS_SET_ROLLING: return law_of_friction(c, block, first);
  case NSDS_SET_POLYHEDRON: return law_of_polyhedron(c, block, first);
  default: return law_of_row(c, block, i, first + i);
  }
}

/* Changes of w enter each defect at most once; those of rows judged together by their norm. */
double nsds_law_slack(const nsds_claim *c, const nsds_block *block, const double *error, int first,
                      int i) {
  double worst = 0.0, norm = 0.0;
  error += first;
  if (nsds_law_is_alone(block)) return in_scale(c, first + i, error[i]);
  for (int k = 0; k < block->size; ++k) norm = nsds_certify_norm(norm, error[k]);
  for (int k = 0; k < block->size; ++k) worst = larger(worst, in_scale(c, first + k, norm));
  return worst;
}
