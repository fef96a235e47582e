/*
 * Violations in the units of the data, see certify_answer.h. The scale follows from the data alone
 * (certify_scale.c), so reactions without bound excuse nothing.
 */
#include "numerics/certify/certify_answer.h"

#include "base/base.h"
#include "numerics/certify/certify_law.h"
#include "numerics/certify/certify_scale.h"
#include "numerics/certify/certify_sums.h"
#include "numerics/certify/certify_twice.h"
#include "numerics/certify/certify_units.h"

/* Rounding of w relative to its terms, with room for sums of some hundred terms. */
static const double rounding = 0x1p-46;

/* Copies d, and fills it in rows without a diagonal. */
static void complete_units(const nsds_problem *problem, const double *z, nsds_sums t, double *d) {
  for (int i = 0; i < problem->n; ++i) {
    d[i] = t.d[i];
    if (d[i] == 0.0 && (t.s[i] > 0.0 || z[i] != 0.0))
      d[i] = nsds_unit_without_diagonal(&problem->M, i);
  }
}

/* Returns what z_i does to the row that it violates most, in units of row i: s_i |M_ji| / s_j. */
static double unit_of_column(const nsds_matrix *M, int i, const double *scale) {
  bool dense = M->storage == NSDS_DENSE;
  double most = 0.0;
  if (!dense && M->storage != NSDS_CSC) return 0.0;
  int end = dense ? M->n : M->p[i + 1];
  for (int k = dense ? 0 : M->p[i]; k < end; ++k) {
    int j = dense ? k : M->i[k];
    if (scale[j] > 0.0)
      nsds_raise(&most, fabs(M->x[dense ? k + (ptrdiff_t)i * M->n : k]) / scale[j]);
  }
  return most * scale[i];
}

/* Gives rows without a diagonal the unit of their column, which other units change as they change z. */
static void complete_by_columns(const nsds_problem *problem, const double *z, const double *own,
                                const double *scale, double *d) {
  for (int i = 0; i < problem->n; ++i) {
    if (own[i] != 0.0 || z[i] == 0.0 || !(scale[i] > 0.0)) continue;
    double unit = unit_of_column(&problem->M, i, scale);
    if (unit > 0.0) d[i] = unit;
  }
}

static bool rounding_hides(const nsds_problem *problem, nsds_sums t, const double *scale,
                           double tolerance) {
  for (int i = 0; i < problem->n; ++i)
    if (scale[i] > 0.0 && rounding * t.s[i] > tolerance * scale[i]) return true;
  return false;
}

/* Writes to `load` the error of w in each row that rounding of z explains. Such an error counts for
 * nothing if it is rounding of the load too. Reactions without bound explain no more than that. */
static void find_excused(const nsds_problem *problem, const double *terms, double *load) {
  static const double of_terms = 0x1p-50, of_load = 0x1p-40;
  for (int i = 0; i < problem->n; ++i) load[i] = fmin(of_terms * terms[i], of_load * load[i]);
}

static void judge_block(const nsds_claim *c, const double *excused, int a, int first,
                        nsds_violation *v) {
  const nsds_block *block = &c->problem->block[a];
  const double *known = c->problem->q_error;
  int count = nsds_law_is_alone(block) ? block->size : block->size > 0;
  for (int i = 0; i < count; ++i) {
    double whole = nsds_law_error(c, block, first, i);
    if (whole > 0.0) whole = fmax(0.0, whole - nsds_law_slack(c, block, excused, first, i));
    double error = whole;
    if (known && whole > 0.0) error = fmax(0.0, whole - nsds_law_slack(c, block, known, first, i));
    if (isnan(whole)) error = whole = INFINITY;
    nsds_raise(&v->whole, whole);
    if (error <= v->error && v->block >= 0) continue;
    v->error = error;
    v->block = a;
    v->row = first + i;
  }
}

void nsds_certify_violation(const nsds_problem *problem, const double *z, const double *low,
                            const double *known, double *work, double tolerance,
                            nsds_violation *v) {
  size_t n = (size_t)problem->n;
  nsds_sums t = {work, work + n, work + 2 * n};
  double *scale = work + 3 * n, *spare = work + 4 * n, *plain = work + 5 * n, *d = work + 6 * n;
  *v = (nsds_violation){.block = -1, .row = -1};
  if (known) nsds_copy_doubles(scale, known, n);
  else nsds_find_scale(problem, t.d, scale, spare);
  nsds_scale_share(problem, scale, t.s);
  complete_units(problem, z, t, d);
  complete_by_columns(problem, z, t.d, scale, d);
  bool twice = low || rounding_hides(problem, t, scale, tolerance);
  nsds_copy_doubles(plain, t.w, n);
  if (twice) nsds_compute_twice(problem, z, low, t.w, spare, work + 7 * n);
  nsds_find_load(problem, d, scale, spare);
  find_excused(problem, t.s, spare);
  nsds_claim claim = {problem, z, low, t.w, d, scale, t.s};
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size)
    judge_block(&claim, spare, a, row, v);
  if (!low) nsds_copy_doubles(t.w, plain, n);
  for (size_t i = 0; i < n; ++i)
    if (scale[i] > 0.0) nsds_raise(&v->reaction, d[i] * fabs(z[i]) / scale[i]);
}

/* ---- without the scale ---- */

/* Returns the terms of the rows of one scale beside their data, or INFINITY. */
static inline double terms_beside_data(const nsds_problem *problem, const double *work, int row,
                                       int end) {
  const double *s = work + problem->n, *d = s + problem->n;
  double terms = 0.0, data = 0.0;
  for (int i = row; i < end; ++i) {
    double size = problem->scale ? problem->scale[i] : fabs(problem->q[i]);
    if (!(d[i] > 0.0)) return INFINITY;
    if (size > data) data = size;
    terms += s[i];
  }
  return terms < INFINITY * data ? terms / data : INFINITY;
}

/*
 * The natural map y = P(z - w / d) - z gives a point z + y whose law holds exactly for w + d y, and
 * with De Saxce's shift for w + d y and mu d |y| more in w_N. So the violation is at most 1 + mu
 * times d |y|, the residual times the terms, beside the scale, which is at least |q|. A factor of 2
 * is for rounding.
 */
double nsds_bound_violation(const nsds_problem *problem, double residual, const double *work,
                            double *reaction) {
  double most = 0.0;
  if (problem->q_error) return INFINITY;
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size) {
    const nsds_block *b = &problem->block[a];
    bool together = b->set == NSDS_SET_DISC || b->set == NSDS_SET_CONE || b->set == NSDS_SET_COULOMB;
    if (!together && !nsds_law_is_alone(b)) return INFINITY;
    double times = together ? 1.0 + b->mu : 1.0;
    for (int i = 0, count = together ? b->size : 1; i < b->size; i += count) {
      double ratio = times * terms_beside_data(problem, work, row + i, row + i + count);
      if (ratio > most) most = ratio;
    }
  }
  *reaction = most;
  return most < INFINITY ? 2.0 * residual * most : INFINITY;
}

/* ---- what a solved problem may show ---- */

double nsds_violation_limit_of(const nsds_problem *problem, unsigned sets, double tolerance) {
  static const double times = 0x1p11, most = 0x1p-15;
  enum { few = 64 };
  bool inferred = problem->n > few && !problem->scale && (sets & (unsigned)nsds_friction_sets) != 0;
  return inferred ? fmax(tolerance, fmin(times * tolerance, most)) : tolerance;
}

double nsds_violation_limit(const nsds_problem *problem, double tolerance) {
  unsigned sets = 0;
  for (int a = 0; a < problem->nblock; ++a) sets |= (unsigned)problem->block[a].set;
  return nsds_violation_limit_of(problem, sets, tolerance);
}
