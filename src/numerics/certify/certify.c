/*
 * The certifier: residual of an answer z, computed from the problem alone. It shares no code with
 * the solvers nor with nsds_problem_multiply(), so that a mistake in either shows.
 *
 * Componentwise backward error of w_i (Oettli & Prager 1964; Higham, Accuracy and Stability, 7.1)
 * combined with the natural map, min(w, d z) on nonnegative rows (Cottle, Pang & Stone 1992, 1.5),
 * d_i = |M_ii| bringing z to the unit of w. Sets of several rows: certify_sets.c.
 */
#include "certify.h"
#include "certify_sets.h"
#include "certify_sums.h"

#include <float.h>

/* ---- one row: a body on the ground, the most frequent problem of all ---- */

/* M and, in the same passage, the size of its terms. */
static double entry_of_one(const nsds_matrix *M, double *size) {
  if (M->storage == NSDS_DENSE) {
    *size = fabs(M->x[0]);
    return M->x[0];
  }
  const nsds_factored *f = M->factored;
  double m = f->D && f->D[0] ? f->D[0][0] : 0.0, sum = fabs(m);
  for (const nsds_edge *e = f->edge, *end = e + f->first_edge[1]; e < end; ++e)
    for (int c = 0; c < e->size; ++c) {
      double term = e->H[c] * e->Y[c];
      m += term;
      sum += fabs(term);
    }
  *size = sum;
  return m;
}

/* Squares of numbers below sqrt(DBL_MIN) = 1.5e-154 vanish, and with them every norm a method can
 * form: no relative accuracy can be asked of rows whose terms lie there. */
static const double underflow = 1.4916681462400413e-154 / DBL_EPSILON;

double nsds_certified_residual_of_one(const nsds_problem *problem, double z, double *w,
                                      int *worst_block) {
  double size, m = entry_of_one(&problem->M, &size), q = problem->q[0], e = q + m * z;
  *worst_block = 0;
  *w = e;
  if (problem->block[0].set == NSDS_SET_NONNEGATIVE) {
    double dz = m != 0.0 ? fabs(m) * z : z;
    e = (e < dz ? e : dz) + 0.0 * (e + dz);
  }
  e = fabs(e);
  if (problem->q_error) e = e <= problem->q_error[0] ? 0.0 : e - problem->q_error[0];
  if (e == 0.0) return 0.0;
  e /= fabs(q) + size * fabs(z) + underflow;
  return isnan(e) ? INFINITY : e;
}

/* ---- verdicts ---- */

/* d_i of a row whose diagonal vanishes. */
static double d_without_diagonal(const nsds_matrix *M, int row) {
  double most = nsds_row_maximum(M, row);
  return most > 0.0 ? most : 1.0;
}

/* The largest e_i / s_i so far and its row. */
typedef struct worst_row {
  double ratio;
  int row;
} worst_row;

/* Kept out of the loops: few rows beat the worst before them. NaN does. */
static void beat(worst_row *worst, double e, double s, int row) {
  if (isnan(worst->ratio)) return;
  worst->ratio = e / (s + underflow);
  worst->row = row;
}

static void check_equalities(nsds_sums t, int row, int end, worst_row *worst) {
  for (; row < end; ++row) {
    double e = fabs(t.w[row]);
    if (!(e <= worst->ratio * t.s[row])) beat(worst, e, t.s[row], row);
  }
}

static void check_nonnegatives(const nsds_problem *problem, const double *z, nsds_sums t, int row,
                               int end, worst_row *worst) {
  worst_row so_far = *worst;
  for (; row < end; ++row) {
    double d = t.d[row], w = t.w[row];
    if (NSDS_UNLIKELY(d == 0.0) && z[row] != 0.0) d = d_without_diagonal(&problem->M, row);
    double dz = d * z[row], least = w < dz ? w : dz;
    double e = fabs(least) + 0.0 * (w + dz); /* NaN in either spreads */
    if (!(e <= so_far.ratio * t.s[row])) beat(&so_far, e, t.s[row], row);
  }
  *worst = so_far;
}

/* Rows of any kind, with boxes and with an uncertain q. */
static void check_rows(const nsds_problem *problem, const nsds_block *block, const double *z,
                       nsds_sums t, int first, worst_row *worst) {
  for (int i = 0; i < block->size; ++i) {
    int row = first + i;
    double d = t.d[row], w = t.w[row], e = w;
    if (NSDS_UNLIKELY(d == 0.0)) d = d_without_diagonal(&problem->M, row);
    if (block->set != NSDS_SET_EQUALITY) {
      double lower = block->set == NSDS_SET_BOX ? block->lower[i] : 0.0;
      double upper = block->set == NSDS_SET_BOX ? block->upper[i] : INFINITY;
      double below = d * (z[row] - lower), above = d * (z[row] - upper);
      e = w < below ? w : below;
      e = (e > above ? e : above) + 0.0 * (w + d * z[row]);
    }
    e = fabs(e);
    if (problem->q_error) e = e <= problem->q_error[row] ? 0.0 : e - problem->q_error[row];
    if (!(e <= worst->ratio * t.s[row])) beat(worst, e, t.s[row], row);
  }
}

/* d of the rows that a block judges together, one value to a group. */
static void share_d(const nsds_problem *problem, const nsds_block *block, int first, double *d) {
  for (int i = 0, count; i < block->size; i += count) {
    double most = 0.0;
    count = nsds_certify_group(block, i);
    for (int j = i; j < i + count; ++j) most = fmax(most, d[first + j]);
    for (int j = i; most == 0.0 && j < i + count; ++j)
      most = fmax(most, nsds_row_maximum(&problem->M, first + j));
    for (int j = i; j < i + count; ++j) d[first + j] = most > 0.0 ? most : 1.0;
  }
}

static void check_block(const nsds_problem *problem, const nsds_block *block, const double *z,
                        nsds_sums t, int first, worst_row *worst) {
  share_d(problem, block, first, t.d);
  const double *d = t.d + first;
  double s = 0.0, y = 0.0, e = nsds_certify_map(block, d, z + first, t.w + first);
  for (int i = 0; i < block->size; ++i) {
    s += t.s[first + i] * (t.s[first + i] / d[i]);
    y += z[first + i] * (z[first + i] * d[i]);
  }
  s = sqrt(s);
  y = sqrt(y);
  /* Without a diagonal y need not show in s; then w may vanish beside it in y - P(y - w). */
  if (y > s) e = e > 4 * DBL_EPSILON * y ? e : 4 * DBL_EPSILON * y + 0.0 * e;
  if (problem->q_error && isfinite(e)) {
    double slack = nsds_certify_slack(block, d, problem->q_error + first);
    e = e <= slack ? 0.0 : e - slack;
  }
  if (isinf(s)) e = NAN; /* beside squares that overflow every error is small */
  if (!(e <= worst->ratio * s)) beat(worst, e, s, first);
}

static int block_of_row(const nsds_problem *problem, int row) {
  int a = 0;
  for (int end = problem->block[0].size; row >= end; end += problem->block[a].size) ++a;
  return a;
}

/* Every block; runs of equality and of nonnegative blocks go row by row. */
static worst_row check_all(const nsds_problem *problem, const double *z, nsds_sums t) {
  worst_row worst = {0.0, 0};
  const nsds_block *block = problem->block;
  for (int a = 0, row = 0, end; a < problem->nblock; row = end) {
    nsds_set set = block[a].set;
    bool alone = set == NSDS_SET_EQUALITY || set == NSDS_SET_NONNEGATIVE;
    end = row + block[a].size;
    if (!alone || problem->q_error) {
      if (alone || set == NSDS_SET_BOX) check_rows(problem, &block[a], z, t, row, &worst);
      else if (end > row) check_block(problem, &block[a], z, t, row, &worst);
      ++a;
      continue;
    }
    while (++a < problem->nblock && block[a].set == set) end += block[a].size;
    if (set == NSDS_SET_EQUALITY) check_equalities(t, row, end, &worst);
    else check_nonnegatives(problem, z, t, row, end, &worst);
  }
  return worst;
}

/* Terms this much larger than q, in the unit that q_i^2 / d_i has in all rows, are no answer to q.
 */
static const double diverged = 1e10;

/*
 * Along a direction in which M nearly vanishes a reaction may grow until every residual relative to
 * its terms is small. With the laws of several rows, friction above all, methods do run off there.
 */
static bool has_diverged(const nsds_problem *problem, nsds_sums t) {
  static const unsigned bounds = NSDS_SET_EQUALITY | NSDS_SET_NONNEGATIVE | NSDS_SET_BOX;
  double terms = 0.0, given = 0.0;
  bool coupled = false;
  for (int a = 0; a < problem->nblock; ++a)
    coupled =
        coupled || (!((unsigned)problem->block[a].set & bounds) && problem->block[a].size > 0);
  for (int i = 0; coupled && i < problem->n; ++i) {
    double unit = t.d[i] > 0.0 ? 1.0 / sqrt(t.d[i]) : 1.0;
    terms = fmax(terms, t.s[i] * unit);
    given = fmax(given, fabs(problem->q[i]) * unit);
  }
  return given > 0.0 && terms > diverged * given;
}

static NSDS_NOINLINE double residual_of_any(const nsds_problem *problem, const double *z,
                                            double *work, int *worst_block) {
  int n = problem->n;
  *worst_block = n > 0 ? 0 : -1;
  nsds_sums t = {work, work + n, work + 2 * (size_t)n};
  nsds_compute_sums(problem, z, t);
  worst_row worst = check_all(problem, z, t);
  if (worst.ratio == 0.0) return 0.0;
  *worst_block = block_of_row(problem, worst.row);
  return isfinite(worst.ratio) && !has_diverged(problem, t) ? worst.ratio : INFINITY;
}

double nsds_certified_residual(const nsds_problem *problem, const double *z, double *work,
                               int *worst_block) {
  if (nsds_is_one_row(problem))
    return nsds_certified_residual_of_one(problem, z[0], work, worst_block);
  return residual_of_any(problem, z, work, worst_block);
}

/* ---- the figure of the literature ---- */

/* Euclidean norm built entry by entry, free of overflow: scale * sqrt(sum). */
typedef struct norm {
  double scale, sum;
} norm;

static void add_to_norm(norm *t, double x) {
  x = fabs(x);
  if (x == 0.0) return;
  if (x > t->scale) {
    double ratio = t->scale / x;
    t->sum = 1.0 + t->sum * ratio * ratio;
    t->scale = x;
  } else {
    double ratio = x / t->scale;
    t->sum += ratio * ratio;
  }
}

static double length(norm t) { return t.scale * sqrt(t.sum); }

static double standard_residual(const nsds_problem *problem, const double *z, const double *w) {
  static const unsigned friction_sets =
      NSDS_SET_DISC | NSDS_SET_CONE | NSDS_SET_COULOMB | NSDS_SET_ROLLING;
  norm error = {0.0, 0.0}, size_q = {0.0, 0.0}, size_z = {0.0, 0.0}, size_w = {0.0, 0.0};
  bool friction = false;
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size) {
    const nsds_block *block = &problem->block[a];
    if (block->size == 0) continue;
    add_to_norm(&error, nsds_certify_map(block, NULL, z + row, w + row));
    friction = friction || ((unsigned)block->set & friction_sets);
  }
  for (int i = 0; i < problem->n; ++i) {
    add_to_norm(&size_q, problem->q[i]);
    add_to_norm(&size_z, z[i]);
    add_to_norm(&size_w, w[i]);
  }
  double size = length(size_q);
  if (friction) size = fmax(size, fmax(length(size_z), length(size_w)));
  return size > (friction ? DBL_EPSILON : 0.0) ? length(error) / size : length(error);
}

void nsds_certify(const nsds_problem *problem, const double *z, double *work,
                  nsds_certificate *certificate) {
  certificate->residual = nsds_certified_residual(problem, z, work, &certificate->worst_block);
  certificate->standard = standard_residual(problem, z, work);
}
