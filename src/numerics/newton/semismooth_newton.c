/*
 * Semismooth Newton on the natural map H_i(z) = d_i z_i - P_i(d_i z_i - w_i), P_i the projection on
 * d_i [l_i, u_i], as a primal-dual active set method (Qi & Sun 1993; Hintermueller, Ito & Kunisch
 * 2003, where the two are shown to be one). For a nonnegative row H_i = min(w_i, d_i z_i).
 *
 * The generalised derivative at z selects w_i = 0 on the rows of a set A (equality rows always;
 * others when d_i z_i - w_i lies within the bounds) and z_i = b_i, the lower or the upper bound,
 * elsewhere, so a step solves
 *
 *     M_AA z_A = -q_A - M_AI b_I,   z_I = b_I,   w_I = M_IA z_A + M_II b_I + q_I
 *
 * and then exchanges the rows of A with z_i out of bounds and those of I with w_i of the wrong
 * sign. When for a few steps the number of such rows does not fall, one row at a time is exchanged,
 * the last one, until it does: block principal pivoting (Judice & Pires 1994), finite for
 * P-matrices, where full steps may cycle: with the last row held, w_i as a function of z_i rises.
 *
 * A singular M_AA (redundant contacts) is met by the proximal point iteration
 * z_{k+1} = solution for (M + P, q - P z_k), P a small diagonal: every step is the problem above
 * with a matrix that is nonsingular for positive semidefinite M, and the iterates converge to a
 * solution when there is one (Rockafellar 1976; Cottle, Pang & Stone 1992, 5.6).
 *
 * Kept between solves: the set A and the factors of its system, reused while the stamp of M is the
 * same; then a solve is one pair of triangular solves. Dense up to dense_rows rows or when M is
 * dense; otherwise sparse on the pattern of M, with the inactive rows and columns replaced by those
 * of the identity so that one symbolic analysis serves every set.
 */
#include "bounds.h"
#include "certify.h"
#include "chain.h"
#include "factor.h"
#include "solver_internal.h"

#include <float.h>

enum { OPTION_REGULARIZE = OPTION_FIRST_OWN };

enum {
  tiny_rows = 12,
  dense_rows = 64,
  patience = 10,        /* full steps without fewer infeasible rows before single exchanges */
  proximal_steps = 200, /* of the outer iteration for singular systems */
};

/* Rows violated by less than this part of the tolerance, in certificate units, do not count. */
static const double noise = 1e-2;

static const double rounding = 64 * DBL_EPSILON;

/* P_ii = weight d_i. Large weights are easy to solve and move little, small ones the other way: the
 * iteration starts with the first and divides until the last. */
static const double first_weight = 1e-1;
static const double weight_factor = 1e-1;
static const double last_weight = 1e-5;

/* M as the method sees it: dense columns or CSC with complete diagonal. */
typedef struct operator_view {
  int n;
  const double *dense; /* n x n, or NULL */
  const nsds_csc_form *csc;
} operator_view;

typedef struct newton_state {
  nsds_factor *factor;
  unsigned char *active; /* n: row in A */
  unsigned char *kept;   /* n: A of the last factorisation */
  unsigned char *up;     /* n: the bound of a row outside A is the upper one */
  double *lower, *upper; /* n each: bounds */
  int *index;            /* n: rows of A in order, dense systems */
  size_t active_capacity, kept_capacity, up_capacity, index_capacity;
  size_t lower_capacity, upper_capacity;
  int nonnegative; /* leading rows whose bounds are known to be 0 and infinity */
  uint64_t stamp;  /* of the matrix in `factor`; 0: not reusable */
  int n;           /* of the kept set, 0: none */
  operator_view M; /* of the problem reserved for */
  nsds_chain chain;
  double weight; /* the factor is of M + P, P_ii = weight d_i */
  int size;      /* rows in the kept set */
} newton_state;

typedef struct newton {
  nsds_solver *solver;
  newton_state *state;
  const nsds_problem *problem;
  operator_view M;
  const double *q; /* of the problem, or q - P z_k in the proximal iteration */
  double weight;   /* of P; 0: no P */
  bool has_d;
  bool chain_tried;
  bool boxes;                     /* some bound may be other than 0 */
  double *z, *w, *scale, *d;      /* n each: trial point, M z + q, rounding scale, |diagonal| */
  double *q_shifted, *z_previous; /* n each: proximal iteration */
  double *system;                 /* dense: n x n; CSC: values on the pattern */
  nsds_solver_info *info;
} newton;

/* ---- products with the view ---- */

/* w += m z for a dense matrix of constant size: rows in pairs, sums in registers. */
static inline void add_constant(const int n, const double *restrict m, const double *restrict z,
                                double *restrict w) {
  int i = 0;
  for (; i + 1 < n; i += 2) {
    double a = w[i], b = w[i + 1];
    for (int j = 0; j < n; ++j) {
      a += m[i + j * n] * z[j];
      b += m[i + 1 + j * n] * z[j];
    }
    w[i] = a;
    w[i + 1] = b;
  }
  for (int j = 0; i < n && j < n; ++j) w[i] += m[i + j * n] * z[j];
}

static void add_dense(int n, const double *restrict m, const double *restrict z,
                      double *restrict w) {
  switch (n) {
  case 4: add_constant(4, m, z, w); return;
  case 5: add_constant(5, m, z, w); return;
  case 6: add_constant(6, m, z, w); return;
  case 7: add_constant(7, m, z, w); return;
  case 8: add_constant(8, m, z, w); return;
  default: break;
  }
  for (int j = 0; j < n; ++j, m += n)
    for (int i = 0; z[j] != 0.0 && i < n; ++i) w[i] += m[i] * z[j];
}

static void add_csc(const nsds_csc_form *f, const double *restrict z, double *restrict w) {
  for (int j = 0; j < f->n; ++j) {
    double zj = z[j];
    if (zj == 0.0) continue;
    for (int k = f->p[j]; k < f->p[j + 1]; ++k) w[f->i[k]] += f->x[k] * zj;
  }
}

/* w = (M + P) z + q */
static void multiply(const newton *t, const double *z, double *w) {
  int n = t->M.n;
  memcpy(w, t->q, (size_t)n * sizeof *w);
  if (t->M.dense) add_dense(n, t->M.dense, z, w);
  else add_csc(t->M.csc, z, w);
  for (int i = 0; t->weight > 0.0 && i < n; ++i) w[i] += t->weight * t->d[i] * z[i];
}

/* scale = |M| |z| + |q|, what rounding in w is measured against. */
static void rounding_scale(const newton *t, const double *z, double *scale) {
  int n = t->M.n;
  for (int i = 0; i < n; ++i) scale[i] = fabs(t->q[i]);
  for (int j = 0; j < n; ++j) {
    double zj = fabs(z[j]);
    if (zj == 0.0) continue;
    if (t->M.dense)
      for (int i = 0; i < n; ++i) scale[i] += fabs(t->M.dense[i + (size_t)j * (size_t)n]) * zj;
    else
      for (int k = t->M.csc->p[j]; k < t->M.csc->p[j + 1]; ++k)
        scale[t->M.csc->i[k]] += fabs(t->M.csc->x[k]) * zj;
  }
}

/* Largest entry of a column, 1 for a zero column. */
static double column_maximum(const operator_view *M, int j) {
  int n = M->n, first = M->dense ? 0 : M->csc->p[j], end = M->dense ? n : M->csc->p[j + 1];
  const double *x = M->dense ? M->dense + (size_t)j * (size_t)n : M->csc->x;
  double most = 0.0;
  for (int k = first; k < end; ++k) most = fmax(most, fabs(x[k]));
  return most > 0.0 ? most : 1.0;
}

/* Fills d, with the column's maximum where the diagonal vanishes; the path of a warm start that
 * needs no exchange does without. */
static void need_diagonal(newton *t) {
  if (t->has_d) return;
  const operator_view *M = &t->M;
  for (int i = 0; i < M->n; ++i) {
    t->d[i] =
        fabs(M->dense ? M->dense[i + (size_t)i * (size_t)M->n] : M->csc->x[M->csc->diagonal[i]]);
    if (t->d[i] == 0.0) t->d[i] = column_maximum(M, i);
  }
  t->has_d = true;
}

/* ---- the active set ---- */

static void find_bounds(const newton *t) {
  newton_state *s = t->state;
  if (t->solver->toolbox->sets != NSDS_SET_NONNEGATIVE) {
    nsds_row_bounds(t->problem, s->lower, s->upper);
    s->nonnegative = 0;
    return;
  }
  for (; s->nonnegative < t->M.n; ++s->nonnegative) {
    s->lower[s->nonnegative] = 0.0;
    s->upper[s->nonnegative] = INFINITY;
  }
}

/* True when the start has the pattern of the kept set, whose factors then serve again. */
static bool start_matches_kept(const newton *t, const double *z) {
  const newton_state *s = t->state;
  if (s->stamp == 0 || s->stamp != t->problem->M.stamp || s->n != t->M.n) return false;
  unsigned differs = 0;
  for (int i = 0; i < t->M.n; ++i)
    differs |= (unsigned)((z[i] > s->lower[i]) & (z[i] < s->upper[i])) ^ s->kept[i];
  return !differs;
}

static void take_kept(const newton *t, const double *z) {
  newton_state *s = t->state;
  memcpy(s->active, s->kept, (size_t)t->M.n);
  for (int i = 0; t->boxes && i < t->M.n; ++i) s->up[i] = z[i] >= s->upper[i];
}

static void make_finite(double *z, int n) {
  if (nsds_first_nonfinite(z, n) < 0) return;
  for (int i = 0; i < n; ++i)
    if (!isfinite(z[i])) z[i] = 0.0;
}

/*
 * A of the Newton step from z: rows where d_i z_i - w_i lies within the bounds. Ties, as w_i = z_i
 * = 0, stay out, since a contact that is redundant at z would make M_AA singular; but from z = 0
 * they go in, where `touching`: a touching contact without load of its own will mostly get some
 * from its neighbours. Returns whether any went in.
 */
static bool choose_set(newton *t, double *z, bool touching) {
  newton_state *s = t->state;
  double margin = noise * t->solver->value[OPTION_TOLERANCE];
  bool cold = touching, any = false;
  for (int i = 0; i < t->M.n; ++i) {
    cold = cold && z[i] == 0.0;
    z[i] = nsds_clip(z[i], s->lower[i], s->upper[i]);
  }
  need_diagonal(t);
  multiply(t, z, t->w);
  rounding_scale(t, z, t->scale);
  for (int i = 0; i < t->M.n; ++i) {
    double least = cold ? 0.0 : margin * t->scale[i];
    double over = t->d[i] * (z[i] - s->lower[i]) - t->w[i];
    double under = t->d[i] * (s->upper[i] - z[i]) + t->w[i];
    bool ties = cold && s->lower[i] < s->upper[i];
    s->active[i] = ties ? over >= least && under >= least : over > least && under > least;
    any = any || (s->active[i] && (over == 0.0 || under == 0.0));
    s->up[i] = under < over;
  }
  return any;
}

/* ---- the reduced system ---- */

static bool factor_is_kept(const newton *t) {
  const newton_state *s = t->state;
  return s->stamp != 0 && s->stamp == t->problem->M.stamp && s->n == t->M.n &&
         s->weight == t->weight && memcmp(s->kept, s->active, (size_t)t->M.n) == 0;
}

static nsds_status factor_dense(newton *t) {
  newton_state *s = t->state;
  size_t n = (size_t)t->M.n;
  int k = 0;
  for (int i = 0; i < t->M.n; ++i)
    if (s->active[i]) s->index[k++] = i;
  if (k == t->M.n && t->weight == 0.0) return nsds_factor_dense(s->factor, k, t->M.dense);
  double *a = t->system;
  for (int j = 0; j < k; ++j) {
    const double *column = t->M.dense + (size_t)s->index[j] * n;
    for (int i = 0; i < k; ++i) *a++ = column[s->index[i]];
    if (t->weight > 0.0) a[j - k] += t->weight * t->d[s->index[j]];
  }
  return nsds_factor_dense(s->factor, k, t->system);
}

static nsds_status factor_csc(newton *t) {
  const newton_state *s = t->state;
  const nsds_csc_form *f = t->M.csc;
  for (int j = 0; j < t->M.n; ++j) {
    for (int k = f->p[j]; k < f->p[j + 1]; ++k)
      t->system[k] = s->active[j] && s->active[f->i[k]] ? f->x[k] : 0.0;
    if (!s->active[j]) t->system[f->diagonal[j]] = 1.0;
    else t->system[f->diagonal[j]] += t->weight * t->d[j];
  }
  return nsds_factor_csc(s->factor, t->M.n, f->p, f->i, t->system, f->pattern);
}

static nsds_status factor_system(newton *t) {
  newton_state *s = t->state;
  if (factor_is_kept(t)) return NSDS_OK;
  s->stamp = 0;
  ++t->info->factorizations;
  need_diagonal(t);
  nsds_status status = t->M.dense ? factor_dense(t) : factor_csc(t);
  if (status) return status;
  memcpy(s->kept, s->active, (size_t)t->M.n);
  s->size = 0;
  for (int i = 0; i < t->M.n; ++i) s->size += s->active[i];
  s->n = t->M.n;
  s->stamp = t->problem->M.stamp;
  s->weight = t->weight;
  return NSDS_OK;
}

/* The right-hand side for the rows of A: minus the w that the rows at their bounds make. Leaves in
 * z the bounds, in w that part of w. */
static const double *bound_part(newton *t) {
  const newton_state *s = t->state;
  int n = t->M.n;
  if (!t->boxes) return t->q;
  for (int i = 0; i < n; ++i) t->z[i] = s->active[i] ? 0.0 : s->up[i] ? s->upper[i] : s->lower[i];
  multiply(t, t->z, t->w);
  return t->w;
}

static void solve_system(newton *t) {
  newton_state *s = t->state;
  const double *w = bound_part(t);
  int n = t->M.n;
  if (!t->M.dense || s->size == n) {
    for (int i = 0; i < n; ++i) t->z[i] = s->active[i] ? -w[i] : t->boxes ? t->z[i] : 0.0;
    nsds_factor_solve(s->factor, 1, t->z);
    return;
  }
  int k = 0;
  for (int i = 0; i < n; ++i)
    if (s->active[i]) {
      s->index[k] = i;
      t->system[k++] = -w[i];
    }
  nsds_factor_solve(s->factor, 1, t->system);
  for (int i = 0; !t->boxes && i < n; ++i) t->z[i] = 0.0;
  for (int i = 0; i < k; ++i) t->z[s->index[i]] = t->system[i];
}

/* ---- steps ---- */

static bool wrong(const newton *t, int i) {
  const newton_state *s = t->state;
  if (s->active[i]) return (t->z[i] < s->lower[i]) | (t->z[i] > s->upper[i]);
  if (!t->boxes) return t->w[i] < 0.0;
  return (s->up[i] ? t->w[i] > 0.0 : t->w[i] < 0.0) && s->lower[i] < s->upper[i];
}

/* Rows whose sign is wrong by more than noise; the exact signs where `strict`. */
static bool infeasible(const newton *t, int i, bool strict) {
  const newton_state *s = t->state;
  if (!wrong(t, i)) return false;
  if (strict) return true;
  double limit = noise * t->solver->value[OPTION_TOLERANCE] * t->scale[i];
  if (!s->active[i]) return fabs(t->w[i]) > limit;
  return fmax(s->lower[i] - t->z[i], t->z[i] - s->upper[i]) * t->d[i] > limit;
}

/* w where some row is inactive, otherwise it is not needed; number of rows with a wrong sign. */
static int count_wrong(newton *t) {
  const newton_state *s = t->state;
  int n = t->M.n, count = 0;
  if (s->size == n) {
    for (int i = 0; i < n; ++i) count += (t->z[i] < s->lower[i]) | (t->z[i] > s->upper[i]);
    return count;
  }
  multiply(t, t->z, t->w);
  for (int i = 0; i < n; ++i) count += wrong(t, i);
  return count;
}

static void clip(newton *t) {
  const newton_state *s = t->state;
  for (int i = 0; i < t->M.n; ++i) t->z[i] = nsds_clip(t->z[i], s->lower[i], s->upper[i]);
}

/* Residual of the clipped trial point, certificate measure, with this method's own q. */
static double clipped_residual(newton *t) {
  const newton_state *s = t->state;
  double worst = 0.0;
  need_diagonal(t);
  clip(t);
  multiply(t, t->z, t->w);
  rounding_scale(t, t->z, t->scale);
  for (int i = 0; i < t->M.n; ++i) {
    double e = fabs(nsds_bound_map(t->z[i], t->w[i], t->d[i], s->lower[i], s->upper[i]));
    if (!(e <= worst * t->scale[i])) worst = e / t->scale[i];
  }
  return isnan(worst) ? INFINITY : worst;
}

/* State of the block principal pivoting rule. */
typedef struct exchange {
  int fewest;     /* infeasible rows at best */
  int left;       /* full steps still allowed without improvement */
  bool minkowski; /* of this matrix full steps are monotone and finite */
} exchange;

/* Off-diagonal entries <= 0 and rows or columns weakly dominant (Hintermueller, Ito & Kunisch 2003,
 * Theorem 3.2); nonnegative rows. */
static bool is_minkowski(newton *t) {
  const nsds_csc_form *f = t->M.csc;
  bool columns = true, rows = true;
  if (t->M.dense || t->solver->toolbox->sets != NSDS_SET_NONNEGATIVE) return false;
  double *sum_of_row = t->scale;
  memset(sum_of_row, 0, (size_t)f->n * sizeof *sum_of_row);
  for (int j = 0; j < f->n; ++j) {
    double sum = 0.0;
    for (int k = f->p[j]; k < f->p[j + 1]; ++k) {
      columns = columns && (f->i[k] == j || f->x[k] <= 0.0);
      rows = rows && (f->i[k] == j || f->x[k] <= 0.0);
      sum += f->x[k];
      sum_of_row[f->i[k]] += f->x[k];
    }
    columns = columns && sum >= -rounding * f->x[f->diagonal[j]];
  }
  for (int i = 0; i < f->n; ++i) rows = rows && sum_of_row[i] >= -rounding * f->x[f->diagonal[i]];
  rounding_scale(t, t->z, t->scale);
  return columns || rows;
}

/* The set of a chain of bodies, where loads would run through the rows step by step. */
static bool take_chain(newton *t) {
  newton_state *s = t->state;
  if (t->chain_tried || t->M.dense || t->weight > 0.0 ||
      t->solver->toolbox->sets != NSDS_SET_NONNEGATIVE)
    return false;
  t->chain_tried = true;
  return nsds_chain_solve(&s->chain, t->M.csc, t->q, s->active);
}

/* A row at a bound whose w asks for more than the way to the other bound: a relay that switches. */
static bool jumps(const newton *t, int i) {
  const newton_state *s = t->state;
  return !s->active[i] && fabs(t->w[i]) > t->d[i] * (s->upper[i] - s->lower[i]);
}

/* A row of A whose distance to a bound is rounding of the terms in its row leaves A: what would be
 * zero must not decide the signs of its neighbours. */
static void drop_rounding(newton *t, int i) {
  newton_state *s = t->state;
  double limit = rounding * t->scale[i], to_lower = t->d[i] * fabs(t->z[i] - s->lower[i]);
  double to_upper = t->d[i] * fabs(t->z[i] - s->upper[i]);
  if (!s->active[i] || (to_lower > limit && to_upper > limit)) return;
  s->active[i] = 0;
  s->up[i] = to_upper < to_lower;
}

static void exchange_row(newton *t, int i, bool may_jump) {
  newton_state *s = t->state;
  if (s->active[i]) s->up[i] = t->z[i] > s->upper[i];
  if (may_jump && jumps(t, i)) s->up[i] = !s->up[i];
  else s->active[i] = !s->active[i];
}

static void exchange_rows(newton *t, exchange *rule, int count, bool strict) {
  newton_state *s = t->state;
  bool all = true, removes = false;
  for (int i = 0; i < t->M.n && !removes; ++i)
    removes = infeasible(t, i, strict) && (s->active[i] || jumps(t, i));
  if (count < rule->fewest) {
    rule->fewest = count;
    rule->left = patience;
  } else if (rule->left > 0) {
    rule->left -= removes; /* a growing set cannot cycle: a load runs through a stack row by row */
    rule->minkowski = rule->left == 0 && is_minkowski(t);
  } else {
    all = rule->minkowski && !strict;
  }
  for (int i = t->M.n - 1; i >= 0; --i)
    if (infeasible(t, i, strict)) {
      exchange_row(t, i, all);
      if (!all) return;
    } else if (all && !strict) {
      drop_rounding(t, i);
    }
}

typedef enum step_result { STEP_SOLVED, STEP_FAILED, STEP_SINGULAR, STEP_STOPPED } step_result;

/* Newton steps from the set in `active` until the signs are right. */
static step_result iterate(newton *t, nsds_status *status) {
  int allowed = nsds_iteration_limit(t->solver, 0);
  int limit = allowed > 0 ? allowed - t->info->iterations : 300 + 2 * t->M.n;
  exchange rule = {t->M.n + 1, patience, false};
  for (int k = 0; k < limit; ++k) {
    if (nsds_solver_interrupted(t->solver, t->info->iterations, NAN)) return STEP_STOPPED;
    *status = factor_system(t);
    if (*status == NSDS_ERROR_SINGULAR) {
      *status = NSDS_OK;
      return STEP_SINGULAR;
    }
    if (*status) return STEP_FAILED;
    ++t->info->iterations;
    solve_system(t);
    if (count_wrong(t) == 0) return STEP_SOLVED;
    if (take_chain(t)) continue;
    rounding_scale(t, t->z, t->scale);
    need_diagonal(t);
    int count = 0;
    bool strict = false;
    for (int i = 0; i < t->M.n; ++i) count += infeasible(t, i, false);
    if (count == 0) { /* rounding alone: accept the clipped point if it stands on its own */
      if (clipped_residual(t) <= t->solver->value[OPTION_TOLERANCE]) return STEP_SOLVED;
      solve_system(t);
      strict = true;
      count = count_wrong(t);
    }
    exchange_rows(t, &rule, count, strict);
  }
  return STEP_FAILED;
}

/* q - P z */
static void shift(newton *t, const double *z) {
  need_diagonal(t);
  for (int i = 0; i < t->M.n; ++i) t->q_shifted[i] = t->problem->q[i] - t->weight * t->d[i] * z[i];
}

/* Proximal point iteration for singular systems, starting from the given z. */
static step_result iterate_proximal(newton *t, const double *start, double weight,
                                    nsds_status *status) {
  size_t bytes = (size_t)t->M.n * sizeof(double);
  double last = INFINITY;
  for (int i = 0; i < t->M.n; ++i)
    t->z_previous[i] = nsds_clip(start[i], t->state->lower[i], t->state->upper[i]);
  for (int k = 0; k < proximal_steps; ++k) {
    t->weight = weight;
    shift(t, t->z_previous);
    t->q = t->q_shifted;
    step_result result = iterate(t, status);
    t->q = t->problem->q;
    t->weight = 0.0;
    if (result != STEP_SOLVED) return result;
    double residual = clipped_residual(t);
    if (residual <= noise * t->solver->value[OPTION_TOLERANCE]) return STEP_SOLVED;
    if (residual <= t->solver->value[OPTION_TOLERANCE] && residual > 0.5 * last) return STEP_SOLVED;
    last = residual;
    memcpy(t->z_previous, t->z, bytes);
    if (weight > last_weight) weight = fmax(weight * weight_factor, last_weight);
  }
  return STEP_FAILED;
}

/* ---- operations of the method ---- */

/* Dense when given so, when tiny, or when of middle size and a quarter full. */
static nsds_status open_view(nsds_solver *solver, const nsds_problem *problem,
                             operator_view *view) {
  int n = view->n = problem->n;
  if (problem->M.storage == NSDS_DENSE || n <= tiny_rows)
    return nsds_form_dense(solver, problem, &view->dense);
  nsds_status status = nsds_form_csc(solver, problem, &view->csc);
  if (!status && n <= dense_rows && 4 * view->csc->p[n] >= n * n)
    status = nsds_form_dense(solver, problem, &view->dense);
  return status;
}

static nsds_status reserve_arrays(nsds_solver *solver, size_t n) {
  newton_state *s = solver->state;
  nsds_context *context = solver->context;
  nsds_status status;
  if (!s->factor && !(s->factor = nsds_factor_create(context))) return NSDS_ERROR_MEMORY;
  if ((status = NSDS_ENSURE(context, s->active, s->active_capacity, n)) ||
      (status = NSDS_ENSURE(context, s->kept, s->kept_capacity, n)) ||
      (status = NSDS_ENSURE(context, s->up, s->up_capacity, n)) ||
      (status = NSDS_ENSURE(context, s->lower, s->lower_capacity, n)) ||
      (status = NSDS_ENSURE(context, s->upper, s->upper_capacity, n)))
    return status;
  return NSDS_ENSURE(context, s->index, s->index_capacity, n);
}

static nsds_status reserve(nsds_solver *solver, const nsds_problem *problem) {
  newton_state *s = solver->state;
  size_t n = (size_t)problem->n;
  nsds_status status = reserve_arrays(solver, n);
  s->M = (operator_view){0};
  if (n == 0) return status;
  if (!status) status = open_view(solver, problem, &s->M);
  if (status) return status;
  size_t system = s->M.dense ? n * n : (size_t)s->M.csc->p[n];
  if (s->M.dense) status = nsds_factor_reserve_dense(s->factor, problem->n);
  else status = nsds_chain_reserve(solver->context, &s->chain, s->M.csc);
  return status ? status : nsds_solver_scratch(solver, 6 * n + system);
}

static void lay_out(newton *t) {
  size_t n = (size_t)t->M.n;
  t->z = t->solver->toolbox->scratch;
  t->w = t->z + n;
  t->scale = t->w + n;
  t->d = t->scale + n;
  t->q_shifted = t->d + n;
  t->z_previous = t->q_shifted + n;
  t->system = t->z_previous + n;
}

/* The trial point, clipped; the start stays where the trial is not finite. */
static void hand_over(newton *t, double *z) {
  if (nsds_first_nonfinite(t->z, t->M.n) >= 0) return;
  clip(t);
  memcpy(z, t->z, (size_t)t->M.n * sizeof *z);
}

static nsds_status solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                         nsds_solver_info *info) {
  if (problem->n == 0) return NSDS_OK;
  newton t = {
      .solver = solver, .state = solver->state, .problem = problem, .q = problem->q, .info = info};
  nsds_status status = NSDS_OK;
  t.M = t.state->M;
  t.boxes = (solver->toolbox->sets & NSDS_SET_BOX) != 0;
  lay_out(&t);
  find_bounds(&t);
  bool again = start_matches_kept(&t, z), regularize = solver->value[OPTION_REGULARIZE] > 0.0;
  double weight = again && regularize ? t.state->weight : 0.0;
  if (!again || weight > 0.0) make_finite(z, problem->n);
  if (again) take_kept(&t, z);
  bool touching = !again && choose_set(&t, z, true);
  step_result result = STEP_SINGULAR;
  if (weight == 0.0) result = iterate(&t, &status);
  if (result == STEP_SINGULAR && touching && info->iterations == 0) {
    choose_set(&t, z, false);
    result = iterate(&t, &status);
  }
  if (result == STEP_SINGULAR && regularize)
    result = iterate_proximal(&t, z, weight > 0.0 ? weight : first_weight, &status);
  if (status) return status;
  if (info->iterations > 0) hand_over(&t, z);
  if (result != STEP_SOLVED) make_finite(z, problem->n);
  info->outcome = result == STEP_SOLVED    ? NSDS_SOLVED
                  : result == STEP_STOPPED ? NSDS_INTERRUPTED
                                           : NSDS_NOT_CONVERGED;
  return NSDS_OK;
}

static void release(nsds_solver *solver) {
  newton_state *s = solver->state;
  nsds_factor_destroy(s->factor);
  nsds_chain_release(solver->context, &s->chain);
  nsds_release(solver->context, s->active);
  nsds_release(solver->context, s->kept);
  nsds_release(solver->context, s->up);
  nsds_release(solver->context, s->lower);
  nsds_release(solver->context, s->upper);
  nsds_release(solver->context, s->index);
}

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of Newton steps; 0: 300 + 2 n in a row"),
    {"regularize", "integer", "1: proximal point iteration when a system is singular; 0: give up",
     1.0, 0.0, 1.0},
    {0}};

const nsds_method nsds_method_semismooth_newton = {
    .row = {.name = "semismooth_newton",
            .summary = "Primal-dual active sets with block principal pivoting as safeguard; warm "
                       "started, one linear solve when the set is right.",
            .reference = "Qi, Sun: Math. Programming 58 (1993); Hintermueller, Ito, Kunisch: SIAM "
                         "J. Optim. 13 (2003); Judice, Pires: Comput. Oper. Res. 21 (1994)",
            .sets = nsds_bound_sets,
            .storages = nsds_all_storages,
            .option = options},
    .state_size = sizeof(newton_state),
    .reserve = reserve,
    .solve = solve,
    .release = release,
};
