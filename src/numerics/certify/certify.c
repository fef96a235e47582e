/*
 * The certifier: residual of an answer z, computed from the problem alone. No code is shared with
 * the solvers or with nsds_problem_multiply(), so that a mistake in either shows. The definitions of
 * sets and matrices are shared.
 *
 * Two measures are combined: the componentwise backward error of w_i (Oettli & Prager 1964; Higham,
 * Accuracy and Stability, 7.1), and the natural map. On nonnegative rows the map is min(w, d z)
 * (Cottle, Pang & Stone 1992, 1.5). The factor d_i = |M_ii| brings z to the unit of w. Sets of
 * several rows: certify_sets.c.
 */
#include "numerics/certify/certify.h"

#include "base/base.h"
#include "base/finite.h"
#include "base/parallel.h"
#include "numerics/certify/certify_answer.h"
#include "numerics/certify/certify_halo.h"
#include "numerics/certify/certify_loads.h"
#include "numerics/certify/certify_rounding.h"
#include "numerics/certify/certify_sets.h"
#include "numerics/certify/certify_sums.h"
#include "numerics/certify/certify_units.h"

#include <float.h>

/* Squares of numbers below sqrt(DBL_MIN) = 1.5e-154 vanish, and so does every norm. No relative
 * accuracy is possible for rows with such terms. */
static const double underflow = 1.4916681462400413e-154 / DBL_EPSILON;

/* ---- one row: a body on the ground, the most frequent problem ---- */

/* Returns M, and the size of its terms in *size. */
static double certify_entry_of_one(const nsds_matrix *M, double *size) {
  if (M->storage == NSDS_DENSE) {
    *size = fabs(M->x[0]);
    return M->x[0];
  }
  const nsds_factored *f = M->factored;
  double m = f->D && f->D[0] ? f->D[0][0] : 0.0, sum = fabs(m);
  for (const nsds_edge *e = f->edge, *end = e + f->first_edge[1]; e < end; ++e)
    for (int c = 0; c < e->size; ++c) {
      double term = e->H[c] * (e->Y ? e->Y[c] : f->gain[e->column + c] * e->H[c]);
      m += term;
      sum += fabs(term);
    }
  *size = sum;
  return m;
}

/* Returns e; writes w, s and d to work. */
NSDS_INLINE double error_of_one(const nsds_problem *problem, double z, double *work) {
  double size, m = certify_entry_of_one(&problem->M, &size), q = problem->q[0], e = q + m * z;
  work[0] = e;
  work[1] = fabs(q) + size * fabs(z);
  work[2] = fabs(m);
  if (problem->block[0].set == NSDS_SET_NONNEGATIVE) {
    double dz = m != 0.0 ? fabs(m) * z : z;
    e = (e < dz ? e : dz) + 0.0 * (e + dz);
  }
  e = fabs(e);
  if (problem->q_error) e = e <= problem->q_error[0] ? 0.0 : e - problem->q_error[0];
  return e;
}

static double ratio_of_one(double e, double s) {
  if (e == 0.0) return 0.0;
  e /= s + underflow;
  return isnan(e) ? INFINITY : e;
}

double nsds_certified_residual_of_one(const nsds_problem *problem, double z, double *work,
                                      int *worst_block) {
  *worst_block = 0;
  double e = error_of_one(problem, z, work);
  return ratio_of_one(e, work[1]);
}

/* ---- verdicts: the row or block with the largest error relative to its terms ---- */

/* The largest e_i / s_i so far; its block is set at the end. */
typedef struct worst_row {
  double ratio, e, s;
  int row, block;
  bool coupled;   /* rows judged together were met that may run off */
  bool elsewhere; /* the ratio is that of a row in another part */
} worst_row;

/* Records a row worse than all before; NaN and terms that overflow always are. Kept out of the
 * loops, since few rows are worse. */
static NSDS_NOINLINE void certify_beat(worst_row *worst, double e, double s, int row) {
  if (isnan(worst->ratio)) return;
  worst->ratio = s < INFINITY ? e / (s + underflow) : NAN;
  worst->e = e;
  worst->s = s;
  worst->row = row;
}

static int certify_block_of(const nsds_problem *problem, int row) {
  int a = 0;
  for (int end = problem->block[0].size; end <= row; end += problem->block[a].size) ++a;
  return a;
}

/* Checks nonnegative rows or equalities. If s is infinite, the term 0 s makes e NaN, which beats
 * any ratio. */
static inline void check_run(bool nonnegative, const nsds_problem *problem, const double *z,
                             const nsds_sums *t, int row, int end, worst_row *worst) {
  for (; row < end; ++row) {
    double w = t->w[row], s = t->s[row], dz = 0.0;
    if (nonnegative) {
      double d = t->d[row];
      if (NSDS_UNLIKELY(d == 0.0) && z[row] != 0.0)
        d = nsds_unit_without_diagonal(&problem->M, row);
      dz = d * z[row];
    }
    double e = nonnegative ? fabs(w < dz ? w : dz) + 0.0 * (w + dz + s) : fabs(w) + 0.0 * s;
    if (!(e <= worst->ratio * s)) certify_beat(worst, e, s, row);
  }
}

/* The answer to be judged, and the worst rows by parts of the blocks. */
typedef struct trial {
  const nsds_problem *problem;
  const double *z;
  const nsds_sums *sums;
  const double *slack, *load; /* or NULL */
  bool strict;                /* see nsds_visible */
  int first_row[nsds_most_parts];
  worst_row worst[nsds_most_parts];
} trial;

/* Compares an error e with its terms *s and the load, in one unit. Terms out of all proportion
 * count up to nsds_outsized times the load. An error that rounding of these terms explains does not
 * count. Returns the rest of e. */
static double answer_load(const trial *own, double load, double e, double *s) {
  if (!(load > 0.0)) return e;
  if (*s > nsds_outsized * load) {
    double rounding = 4.0 * nsds_certified_rounding * *s;
    *s = nsds_outsized * load;
    e = e <= rounding ? 0.0 : e - rounding;
  }
  if (own->strict && e > 0.0) *s = fmin(*s, nsds_visible * load * (load / e));
  return e;
}

/* Checks the rows of an equality, nonnegative or box block, with uncertain q, slack and load. */
static NSDS_NOINLINE void certify_check_rows(const trial *own, const nsds_block *block, int row,
                                             worst_row *worst) {
  const nsds_problem *problem = own->problem;
  const nsds_sums *t = own->sums;
  const double *z = own->z, *slack = own->slack, *known = problem->q_error;
  for (int i = 0; i < block->size; ++i, ++row) {
    double d = t->d[row], w = t->w[row], s = t->s[row];
    if (NSDS_UNLIKELY(d == 0.0)) d = nsds_unit_without_diagonal(&problem->M, row);
    double e = fabs(nsds_certify_row(block, i, d, z[row], w)) + 0.0 * s;
    if (known) e = e <= known[row] ? 0.0 : e - known[row];
    if (slack && e <= slack[row]) continue;
    if (own->load) e = answer_load(own, own->load[row] * sqrt(d), e, &s);
    if (!(e <= worst->ratio * s)) certify_beat(worst, e, s, row);
  }
}

/* Gives each group of rows that a block judges together one value of d, and fills `units`. */
static inline void certify_share_d(const nsds_problem *problem, const nsds_block *block, int first,
                                   double *d, nsds_units *units) {
  for (int i = 0, count; i < block->size; i += count) {
    double most = 0.0, unit = 0.0;
    count = nsds_certify_group(block, i);
    for (int j = i; j < i + count; ++j) most = d[first + j] > most ? d[first + j] : most;
    for (int j = i; most == 0.0 && j < i + count; ++j)
      unit = fmax(unit, nsds_unit_without_diagonal(&problem->M, first + j));
    if (most == 0.0) most = unit;
    for (int j = i; j < i + count; ++j) d[first + j] = most;
    nsds_certify_unit(most, i, i + count, units);
  }
}

static const double cancelled = 4 * DBL_EPSILON; /* rounding of a difference, relative to a term */

static NSDS_NOINLINE void check_block(const trial *own, const nsds_block *block, int first,
                                      worst_row *worst) {
  const nsds_problem *problem = own->problem;
  const nsds_sums *t = own->sums;
  const double *z = own->z, *slack = own->slack;
  static const unsigned unbounded =
      NSDS_SET_CONE | NSDS_SET_COULOMB | NSDS_SET_ROLLING | NSDS_SET_POLYHEDRON;
  worst->coupled = worst->coupled || ((unsigned)block->set & unbounded);
  nsds_units units;
  certify_share_d(problem, block, first, t->d, &units);
  double e = nsds_certify_map(block, &units, z + first, t->w + first);
  double s = nsds_certify_size(block->size, units.inverse, t->s + first);
  double y = nsds_certify_size(block->size, units.root, z + first);
  /* Without a diagonal y may exceed s. Then w may vanish beside y in y - P(y - w). */
  if (y > s) e = e > cancelled * y ? e : cancelled * y;
  e += 0.0 * (s + y);
  if (problem->q_error && isfinite(e)) {
    double known = nsds_certify_slack(block, &units, problem->q_error + first);
    e = e <= known ? 0.0 : e - known;
  }
  if (slack && e <= nsds_certify_slack(block, &units, slack + first)) return;
  if (own->load) e = answer_load(own, own->load[first], e, &s);
  if (!(e <= worst->ratio * s)) certify_beat(worst, e, s, first);
}

/* Checks the blocks from `block` to before `last`, from this row on. Runs of equality or
 * nonnegative blocks go row by row. */
static void certify_check_blocks(const trial *t, const nsds_block *block, const nsds_block *last,
                                 int row, worst_row *worst) {
  const nsds_problem *problem = t->problem;
  *worst = (worst_row){.row = row};
  for (int end; block < last; row = end) {
    nsds_set_kind set = block->set;
    bool alone = set == NSDS_SET_EQUALITY || set == NSDS_SET_NONNEGATIVE;
    end = row + block->size;
    if (!alone || problem->q_error || t->slack || t->load) {
      if (alone || set == NSDS_SET_BOX) certify_check_rows(t, block, row, worst);
      else if (end > row) check_block(t, block, row, worst);
      ++block;
      continue;
    }
    while (++block < last && block->set == set) end += block->size;
    if (set == NSDS_SET_EQUALITY) check_run(false, problem, t->z, t->sums, row, end, worst);
    else check_run(true, problem, t->z, t->sums, row, end, worst);
  }
}

static void check_part(void *self, int part, int parts) {
  trial *t = self;
  const nsds_block *block = t->problem->block;
  int nblock = t->problem->nblock;
  certify_check_blocks(t, block + nsds_part_begin(nblock, part, parts),
                       block + nsds_part_begin(nblock, part + 1, parts), t->first_row[part],
                       &t->worst[part]);
}

/* Takes the largest ratio over the parts of a distributed problem. A ratio that is no number becomes
 * infinite. */
static NSDS_NOINLINE void look_at_parts(const nsds_problem *problem, worst_row *worst) {
  double x[2] = {isnan(worst->ratio) ? INFINITY : worst->ratio, worst->coupled};
  nsds_most_of_parts(problem, 2, x);
  worst->elsewhere = x[0] > worst->ratio;
  worst->ratio = x[0];
  worst->coupled = x[1] > 0.0;
}

/* Checks all blocks, on the threads of the context. Errors in w up to `slack` do not count; NULL:
 * all count. Errors are also compared with `load`, by rows; NULL: are not. */
static void check_all(const nsds_context *context, const nsds_problem *problem, const double *z,
                      const nsds_sums *sums, const double *slack, const double *load, bool strict,
                      worst_row *worst) {
  trial t; /* large; every field is written before it is read */
  t.problem = problem;
  t.z = z;
  t.sums = sums;
  t.slack = slack;
  t.load = load;
  t.strict = strict;
  int parts = nsds_cut_blocks(context, problem, t.first_row);
  nsds_share_out(context, parts, check_part, &t);
  *worst = t.worst[0];
  for (int part = 1; part < parts; ++part) {
    bool coupled = worst->coupled || t.worst[part].coupled;
    if (!(t.worst[part].ratio <= worst->ratio) && !isnan(worst->ratio)) *worst = t.worst[part];
    worst->coupled = coupled;
  }
  if (NSDS_UNLIKELY(problem->halo)) look_at_parts(problem, worst);
  if (problem->n > 0) worst->block = certify_block_of(problem, worst->row);
}

void nsds_certify_diagonal(const nsds_problem *problem, double *work) {
  size_t n = (size_t)problem->n;
  double *d = work + 2 * n, *zero = work + 3 * n;
  memset(zero, 0, n * sizeof *zero);
  nsds_compute_sums(NULL, problem, zero, (nsds_sums){work, work + n, d}, work + 7 * n);
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size) {
    const nsds_block *block = &problem->block[a];
    nsds_units units;
    if (block->set > NSDS_SET_BOX) certify_share_d(problem, block, row, d, &units);
  }
}

/* ---- the law alone ---- */

double nsds_certified_law(const nsds_problem *law, const double *z, const nsds_sums *t,
                          int *worst_block) {
  worst_row worst;
  check_all(NULL, law, z, t, NULL, NULL, false, &worst);
  *worst_block = law->n > 0 ? worst.block : -1;
  return worst.ratio;
}

/* ---- the residual ---- */

static nsds_sums sums_in(const nsds_problem *problem, double *work) {
  size_t n = (size_t)problem->n;
  return (nsds_sums){work, work + n, work + 2 * n};
}

/* An iterate is judged quickly, a verdict closely. Both compare sets whose rows are judged together
 * with the load; an answer compares all sets. */
typedef enum look { ITERATE, VERDICT, ANSWER } look;

/* Judges z against the load, after the check without load in *worst; `slack` as in check_all(). */
static double certify_judge(const nsds_context *context, const nsds_problem *problem,
                            const double *z, double *work, const double *slack, look kind,
                            worst_row *worst) {
  nsds_sums t = sums_in(problem, work);
  bool all = kind == ANSWER, strict = kind != ITERATE;
  if (!isfinite(worst->ratio)) return INFINITY;
  if (!all && !worst->coupled) return worst->ratio;
  double limit = strict ? fmin(nsds_outsized, sqrt(nsds_visible / worst->ratio)) : nsds_outsized;
  nsds_loads loads = nsds_certify_loads(context, problem, z, work, !all, limit);
  if (!loads.of) return worst->ratio;
  if (loads.ratio > (all ? nsds_drowned : nsds_diverged)) return INFINITY;
  check_all(context, problem, z, &t, slack, loads.of, strict, worst);
  return worst->ratio;
}

double nsds_certified_residual(const nsds_context *context, const nsds_problem *problem,
                               const double *z, double *work, int *worst_block) {
  if (nsds_is_one_row(problem))
    return nsds_certified_residual_of_one(problem, z[0], work, worst_block);
  worst_row worst;
  nsds_sums t = sums_in(problem, work);
  nsds_compute_sums(context, problem, z, t, work + 3 * (size_t)problem->n);
  check_all(context, problem, z, &t, NULL, NULL, false, &worst);
  double residual = INFINITY;
  if (nsds_first_nonfinite(z, problem->n) < 0)
    residual = certify_judge(context, problem, z, work, NULL, ITERATE, &worst);
  *worst_block = problem->n > 0 ? worst.block : -1;
  return residual;
}

double nsds_certified_answer(const nsds_context *context, const nsds_problem *problem,
                             const double *z, double *work) {
  worst_row worst;
  nsds_sums t = sums_in(problem, work);
  check_all(context, problem, z, &t, NULL, NULL, false, &worst);
  return certify_judge(context, problem, z, work, NULL, ANSWER, &worst);
}

double nsds_certified_verdict(const nsds_context *context, const nsds_problem *problem,
                              const double *z, double *work, nsds_fault *fault) {
  if (nsds_is_one_row(problem)) {
    double e = error_of_one(problem, z[0], work);
    *fault = (nsds_fault){.error = e, .scale = work[1]};
    return ratio_of_one(e, work[1]);
  }
  worst_row worst;
  size_t n = (size_t)problem->n;
  nsds_sums t = sums_in(problem, work);
  check_all(context, problem, z, &t, NULL, NULL, false, &worst);
  double residual = certify_judge(context, problem, z, work, NULL, VERDICT, &worst);
  if (nsds_any_part(problem, nsds_first_nonfinite(z, problem->n) >= 0))
    residual = worst.ratio = INFINITY;
  if (residual > nsds_certified_rounding && worst.ratio < INFINITY &&
      nsds_may_be_excused(problem, t, worst.elsewhere ? -1 : worst.block, worst.row)) {
    const double *slack = nsds_rounding_of_w(problem, z, t, work + 3 * n);
    check_all(context, problem, z, &t, slack, NULL, false, &worst);
    residual = certify_judge(context, problem, z, work, slack, VERDICT, &worst);
  }
  bool none = problem->n == 0 || worst.elsewhere;
  *fault = (nsds_fault){none ? -1 : worst.block, none ? -1 : worst.row, worst.e, worst.s,
                        isinf(residual) && isfinite(worst.ratio)};
  return residual;
}

/* ---- the figure of the literature ---- */

/* A violation is computed to this part of the scale. */
static const double certified_closely = 1e-15;

static double standard_residual(const nsds_problem *problem, const double *z, const double *w) {
  static const unsigned friction_sets =
      NSDS_SET_DISC | NSDS_SET_CONE | NSDS_SET_COULOMB | NSDS_SET_ROLLING;
  double error = 0.0, size_q = 0.0, size_z = 0.0, size_w = 0.0;
  bool friction = false;
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size) {
    const nsds_block *block = &problem->block[a];
    if (block->size == 0) continue;
    error = nsds_certify_norm(error, nsds_certify_natural(block, z + row, w + row));
    friction = friction || ((unsigned)block->set & friction_sets);
  }
  for (int i = 0; i < problem->n; ++i) {
    size_q = nsds_certify_norm(size_q, problem->q[i]);
    size_z = nsds_certify_norm(size_z, z[i]);
    size_w = nsds_certify_norm(size_w, w[i]);
  }
  error = nsds_norm_of_parts(problem, error);
  size_q = nsds_norm_of_parts(problem, size_q);
  size_z = nsds_norm_of_parts(problem, size_z);
  size_w = nsds_norm_of_parts(problem, size_w);
  friction = nsds_any_part(problem, friction);
  double size = friction ? fmax(size_q, fmax(size_z, size_w)) : size_q;
  return size > (friction ? DBL_EPSILON : 0.0) ? error / size : error;
}

void nsds_certify(const nsds_problem *problem, const double *z, double *work,
                  nsds_certificate *certificate) {
  nsds_fault fault;
  nsds_compute_sums(NULL, problem, z, sums_in(problem, work), work + 3 * (size_t)problem->n);
  certificate->residual = nsds_certified_verdict(NULL, problem, z, work, &fault);
  certificate->worst_block = fault.block;
  certificate->worst_row = fault.row;
  certificate->error = fault.error;
  certificate->scale = fault.scale;
  certificate->diverged = fault.diverged;
  certificate->standard = standard_residual(problem, z, work);
  nsds_violation v;
  nsds_certify_violation(problem, z, NULL, NULL, work, certified_closely, &v);
  certificate->violation = v.error;
  certificate->violation_block = v.block;
  certificate->violation_row = v.row;
  certificate->reaction = v.reaction;
}
