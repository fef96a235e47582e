/*
 * Violations in the units of the data, see certify_answer.h. The scale follows from the data alone
 * (certify_scale.c), so reactions without bound excuse nothing.
 */
#include "numerics/certify/certify_answer.h"

#include "base/base.h"
#include "numerics/certify/certify_halo.h"
#include "numerics/certify/certify_law.h"
#include "numerics/certify/certify_scale.h"
#include "numerics/certify/certify_sets.h"
#include "numerics/certify/certify_sums.h"
#include "numerics/certify/certify_twice.h"
#include "numerics/certify/certify_units.h"
#include "numerics/sets/bounds.h"

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

void nsds_complete_by_columns(const nsds_problem *problem, const double *z, const double *own,
                              const double *scale, double *d) {
  for (int i = 0; i < problem->n; ++i) {
    if (own[i] != 0.0 || (z && z[i] == 0.0) || !(scale[i] > 0.0)) continue;
    double unit = unit_of_column(&problem->M, i, scale);
    if (unit > 0.0) d[i] = unit;
  }
}

/* Returns the largest error over scale that rounding of w may hide. */
static double find_hidden(const nsds_problem *problem, const double *terms, const double *scale) {
  double most = 0.0;
  for (int i = 0; i < problem->n; ++i)
    if (scale[i] > 0.0) nsds_raise(&most, terms[i] / scale[i]);
  nsds_most_of_parts(problem, 1, &most);
  return nsds_answer_rounding * most;
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

/* Takes the largest violation over the parts of a distributed problem. */
static void take_worst_part(const nsds_problem *problem, nsds_violation *v) {
  double x[2] = {v->error, v->whole};
  nsds_most_of_parts(problem, 2, x);
  if (x[0] > v->error) v->block = v->row = -1;
  v->error = x[0];
  v->whole = x[1];
}

/* Judges all of them. */
static void judge_blocks(const nsds_claim *c, const double *excused, nsds_violation *v) {
  *v = (nsds_violation){.block = -1, .row = -1};
  for (int a = 0, row = 0; a < c->problem->nblock; row += c->problem->block[a++].size)
    judge_block(c, excused, a, row, v);
  if (NSDS_UNLIKELY(c->problem->halo)) take_worst_part(c->problem, v);
}

/* Returns true if an error of the size `hidden` decides. */
static bool is_close(const nsds_violation *v, double limit, double hidden) {
  return fabs(v->error - limit) <= hidden || fabs(v->whole - limit) <= hidden;
}

void nsds_certify_violation(const nsds_problem *problem, const double *z, const double *low,
                            const double *scale, double *work, double tolerance,
                            nsds_violation *v) {
  size_t n = (size_t)problem->n;
  nsds_sums t = {work, work + n, work + 2 * n};
  double *own = work + 3 * n, *spare = work + 4 * n, *plain = work + 5 * n, *d = work + 6 * n;
  if (scale) nsds_copy_doubles(own, scale, n);
  else nsds_find_scale(problem, t.d, own, spare);
  nsds_scale_share(problem, own, t.s);
  complete_units(problem, z, t, d);
  nsds_complete_by_columns(problem, z, t.d, own, d);
  double hidden = find_hidden(problem, t.s, own);
  bool twice = low || hidden > tolerance;
  nsds_copy_doubles(plain, t.w, n);
  nsds_claim claim = {problem, z, low, t.w, d, own, t.s};
  for (;; twice = true) {
    if (twice) nsds_compute_twice(problem, z, low, t.w, spare, work + 7 * n);
    nsds_find_load(problem, d, own, spare);
    find_excused(problem, t.s, spare);
    judge_blocks(&claim, spare, v);
    if (twice || !is_close(v, nsds_violation_limit(problem, tolerance), hidden)) break;
  }
  if (!low) nsds_copy_doubles(t.w, plain, n);
  for (size_t i = 0; i < n; ++i)
    if (own[i] > 0.0) nsds_raise(&v->reaction, d[i] * fabs(z[i]) / own[i]);
  nsds_most_of_parts(problem, 1, &v->reaction);
}

/* ---- bounds, without the scale ---- */

/* Figures of the rows of a block that share a scale. */
typedef struct bound_part {
  double data;  /* largest datum, at most the scale of the rows */
  double terms; /* sum of s_i / sqrt(d_i) */
  double root;  /* largest sqrt(d_i) */
} bound_part;

static inline bool look_at_rows(const double *data, const nsds_sums *t, int row, int end,
                                bound_part *part) {
  double last = 0.0, root = 0.0;
  *part = (bound_part){0.0, 0.0, 0.0};
  for (int i = row; i < end; ++i) {
    double size = fabs(data[i]), d = t->d[i];
    if (size > part->data) part->data = size;
    if (d != last) root = sqrt(d);
    last = d;
    if (root > part->root) part->root = root;
    part->terms += t->s[i] / root;
  }
  return part->terms < INFINITY && part->data > 0.0;
}

/* Returns the natural map of a row, or of a block, in units of sqrt(d) z. */
static double map_of_rows(const nsds_block *b, const double *z, const nsds_sums *t, int row,
                          int i) {
  if (nsds_law_is_alone(b))
    return fabs(nsds_certify_row(b, i, t->d[row + i], z[row + i], t->w[row + i])) /
           sqrt(t->d[row + i]);
  nsds_units units;
  int normal = b->set == NSDS_SET_DISC ? 0 : 1;
  if (normal) nsds_certify_unit(t->d[row], 0, 1, &units);
  if (b->size > normal) nsds_certify_unit(t->d[row + normal], normal, b->size, &units);
  return nsds_certify_map(b, &units, z + row, t->w + row);
}

static double certify_largest(const double *z, int row, int end) {
  double most = 0.0;
  for (int i = row; i < end; ++i) nsds_raise(&most, fabs(z[i]));
  return most;
}

static inline bool has_no_bound(const nsds_block *b) {
  return b->set == NSDS_SET_ROLLING || b->set == NSDS_SET_POLYHEDRON;
}

/*
 * The natural map y - P(y - v), with y_i = sqrt(d_i) z_i and v_i = w_i / sqrt(d_i), gives a point P
 * whose law holds exactly for v - (y - P); De Saxce's shift moves w_N by mu times that of w_T more.
 * So the violation is at most (1 + mu) sqrt(d) |y - P| / s. The residual is |y - P| beside the terms.
 */
nsds_violation_bound nsds_bound_violation(const nsds_problem *problem, const double *data,
                                          const double *z, double *work) {
  size_t n = (size_t)problem->n;
  nsds_sums t = {work, work + n, work + 2 * n};
  nsds_violation_bound bound = {0.0, 0.0, 0.0};
  static const nsds_violation_bound none = {INFINITY, INFINITY, INFINITY};
  double load = 0.0, size = 0.0;
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size) {
    const nsds_block *b = &problem->block[a];
    bool alone = nsds_law_is_alone(b);
    double times = alone ? 1.0 : 1.0 + b->mu;
    if (has_no_bound(b)) return none;
    for (int i = 0, count = alone ? 1 : b->size; i < b->size; i += count) {
      bound_part part;
      if (!look_at_rows(data, &t, row + i, row + i + count, &part)) return none;
      double ratio = times * part.root / part.data, error = map_of_rows(b, z, &t, row, i);
      nsds_raise(&load, part.data / part.root);
      nsds_raise(&size, part.root * certify_largest(z, row + i, row + i + count));
      nsds_raise(&bound.violation, ratio * (error + nsds_answer_rounding * part.terms));
      nsds_raise(&bound.reaction, ratio * part.terms);
    }
  }
  bound.overall = size / load;
  return bound;
}

/* The same in the units least favourable, for all blocks at once. */
double nsds_bound_terms(const nsds_problem *problem, const double *work) {
  const double *s = work + problem->n, *d = s + problem->n, *q = problem->q;
  double terms = 0.0, data = INFINITY, times = 1.0, least = INFINITY, most = 0.0;
  for (const nsds_block *b = problem->block, *end = b + problem->nblock; b < end; ++b) {
    double largest = 0.0;
    bool alone = ((unsigned)b->set & nsds_bound_sets) != 0;
    if (has_no_bound(b)) return INFINITY;
    for (int i = 0; i < b->size; ++i, ++s, ++d, ++q) {
      double size = fabs(*q);
      if (alone) data = size < data ? size : data;
      else largest = size > largest ? size : largest;
      terms = *s > terms ? *s : terms;
      least = *d < least ? *d : least;
      most = *d > most ? *d : most;
    }
    if (alone || b->size == 0) continue;
    data = largest < data ? largest : data;
    times = fmax(times, (1.0 + b->mu) * b->size);
  }
  double bound = times * terms * sqrt(most / least) / data;
  return bound < INFINITY ? bound : INFINITY;
}

/* ---- what a solved problem may show ---- */

double nsds_violation_limit_of(const nsds_problem *problem, unsigned sets, double tolerance) {
  static const double times = 0x1p4, most = 0x1p-15;
  bool inferred = nsds_scale_is_inferred(problem, sets);
  return inferred ? fmax(tolerance, fmin(times * tolerance, most)) : tolerance;
}

double nsds_violation_limit(const nsds_problem *problem, double tolerance) {
  unsigned sets = 0;
  for (int a = 0; a < problem->nblock; ++a) sets |= (unsigned)problem->block[a].set;
  if (problem->halo) sets = problem->halo->sets;
  return nsds_violation_limit_of(problem, sets, tolerance);
}
