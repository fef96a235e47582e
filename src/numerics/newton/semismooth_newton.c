/*
 * Semismooth Newton on the natural map H_i(z) = d_i z_i - P_i(d_i z_i - w_i), P_i the projection on
 * d_i [l_i, u_i], as a primal-dual active set method. Both are one method (Qi & Sun 1993;
 * Hintermueller, Ito & Kunisch 2003). For a nonnegative row H_i = min(w_i, d_i z_i).
 *
 * The generalised derivative at z selects w_i = 0 on the rows of a set A. Equality rows are always
 * in A, other rows if d_i z_i - w_i lies within the bounds. Elsewhere the derivative selects z_i =
 * b_i, the lower or the upper bound. A step solves
 *
 *     M_AA z_A = -q_A - M_AI b_I,   z_I = b_I,   w_I = M_IA z_A + M_II b_I + q_I
 *
 * and then exchanges the rows of A with z_i out of bounds and those of I with w_i of the wrong
 * sign. When the number of such rows does not fall for a few steps, only the last of them is
 * exchanged, until the number falls. This is block principal pivoting (Judice & Pires 1994), finite
 * for P-matrices, where full steps may cycle: with the last row held, w_i as a function of z_i
 * rises. Murty's method exchanges one row, the first, in every step.
 *
 * The proximal point iteration handles a singular M_AA (redundant contacts): z_{k+1} = solution for
 * (M + P, q - P z_k), P a small diagonal. Every step is the problem above, whose matrix is
 * nonsingular if M is positive semidefinite. The iterates converge to a solution if there is one
 * (Rockafellar 1976; Cottle, Pang & Stone 1992, 5.6).
 *
 * The set A and the factors of its system (active_system.h) are kept between solves and reused
 * while the stamp of M is the same. A solve is then one pair of triangular solves.
 */
#include "numerics/method_list.h"

#include "base/archive.h"
#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "numerics/linear/factor.h"
#include "numerics/linear/factor_dense.h"
#include "numerics/linear/forms.h"
#include "numerics/newton/active_system.h"
#include "numerics/newton/chain.h"
#include "numerics/sets/bounds.h"
#include "numerics/solver_internal.h"
#include "numerics/solver_tools.h"
#include "numerics/store.h"
#include "numerics/watch.h"

#include <float.h>
#include <limits.h>

enum { OPTION_REGULARIZE = OPTION_FIRST_OWN, OPTION_LEAST_INDEX };

enum {
  arrays = 6,           /* of one solve */
  tiny_rows = 12,       /* dense up to here for any entries: the kernels are unrolled */
  fixed_steps = 300,    /* by default: more than blocks ever took, */
  steps_per_row = 2,    /* and every row in and out */
  patience = 10,        /* full steps without fewer infeasible rows before single exchanges */
  proximal_steps = 200, /* of the outer iteration for singular systems */
};

/* Violations below this part of the tolerance, in certificate units, do not count. */
static const double noise = 1e-2;

/* The rest of the sum of a row that vanishes, relative to the size of its terms. */
static const double rounding = 64 * DBL_EPSILON;

/* A residual that falls by less than this in a proximal step is rounding. */
static const double stalled = 0.5;

/* P_ii = weight d_i. Large weights are easy to solve and move little, small ones the other way
 * round. The iteration starts with the first weight and divides it down to the last. */
static const double first_weight = 1e-1;
static const double weight_factor = 1e-1;
static const double last_weight = 1e-5;

/* ---- the active set ---- */

static void find_bounds(nsds_active_system *t) {
  if (t->solver->toolbox->sets != NSDS_SET_NONNEGATIVE) {
    nsds_row_bounds(t->problem, t->lower, t->upper);
    t->nonnegative = 0;
    return;
  }
  for (; t->nonnegative < t->M.n; ++t->nonnegative) {
    t->lower[t->nonnegative] = 0.0;
    t->upper[t->nonnegative] = INFINITY;
  }
}

/* Returns true if the start has the pattern of the kept set, whose factors then serve again. */
static bool start_matches_kept(const nsds_active_system *t, const double *z) {
  if (t->kept.stamp == 0 || t->kept.stamp != t->problem->M.stamp || t->kept.n != t->M.n)
    return false;
  unsigned differs = 0;
  if (t->kept.size == t->M.n) { /* the most frequent set */
    for (int i = 0; i < t->M.n; ++i)
      if (!(z[i] > t->lower[i] && z[i] < t->upper[i])) return false;
    return true;
  }
  for (int i = 0; i < t->M.n; ++i)
    differs |= (unsigned)((z[i] > t->lower[i]) & (z[i] < t->upper[i])) ^ t->kept.set[i];
  return !differs;
}

static void take_kept(nsds_active_system *t, const double *z) {
  memcpy(t->active, t->kept.set, (size_t)t->M.n);
  for (int i = 0; t->boxes && i < t->M.n; ++i) t->up[i] = z[i] >= t->upper[i];
}

/*
 * Chooses A of the Newton step from z: rows with d_i z_i - w_i within the bounds. Ties, such as w_i
 * = z_i = 0, stay out, because a contact that is redundant at z would make M_AA singular. With
 * `touching`, ties go in at z = 0: a touching contact without its own load mostly gets some from
 * its neighbors. Returns true if any ties went in.
 */
static bool choose_set(nsds_active_system *t, double *z, bool touching) {
  double margin = noise * t->solver->value[OPTION_TOLERANCE];
  bool cold = touching, any = false;
  for (int i = 0; i < t->M.n; ++i) {
    cold = cold && z[i] == 0.0;
    z[i] = nsds_clip(z[i], t->lower[i], t->upper[i]);
  }
  nsds_active_need_diagonal(t);
  nsds_active_multiply(t, z, t->w);
  nsds_active_scale(t, z, t->scale);
  for (int i = 0; i < t->M.n; ++i) {
    double least = cold ? 0.0 : margin * t->scale[i];
    double over = t->d[i] * (z[i] - t->lower[i]) - t->w[i];
    double under = t->d[i] * (t->upper[i] - z[i]) + t->w[i];
    bool ties = cold && t->lower[i] < t->upper[i];
    t->active[i] = ties ? over >= least && under >= least : over > least && under > least;
    any = any || (t->active[i] && (over == 0.0 || under == 0.0));
    t->up[i] = under < over;
  }
  return any;
}

/* Takes A from z. */
static void show_set(nsds_active_system *t, double *z) {
  for (int i = 0; i < t->M.n; ++i) {
    z[i] = nsds_clip(z[i], t->lower[i], t->upper[i]);
    t->active[i] = z[i] > t->lower[i] && z[i] < t->upper[i];
    t->up[i] = z[i] >= t->upper[i];
  }
}

/* ---- steps ---- */

static bool wrong(const nsds_active_system *t, int i) {
  if (t->active[i]) return (t->z[i] < t->lower[i]) | (t->z[i] > t->upper[i]);
  if (!t->boxes) return t->w[i] < 0.0;
  return (t->up[i] ? t->w[i] > 0.0 : t->w[i] < 0.0) && t->lower[i] < t->upper[i];
}

/* Error of q in a row that the problem states. */
static double error_of_q(const nsds_active_system *t, int i) {
  return t->problem->q_error ? t->problem->q_error[i] : 0.0;
}

/* Returns true if the sign of a row is wrong by more than noise and the error of q; with `strict`
 * the exact sign counts. */
static bool infeasible(const nsds_active_system *t, int i, bool strict) {
  if (!wrong(t, i)) return false;
  if (strict) return true;
  double limit = noise * t->solver->value[OPTION_TOLERANCE] * t->scale[i] + error_of_q(t, i);
  if (!t->active[i]) return fabs(t->w[i]) > limit;
  return fmax(t->lower[i] - t->z[i], t->z[i] - t->upper[i]) * t->d[i] > limit;
}

/* Computes w, unless all rows are active and do not need it. Returns the number of rows with a
 * wrong sign. */
static int count_wrong(nsds_active_system *t) {
  int n = t->M.n, count = 0;
  if (t->kept.size == n) {
    for (int i = 0; i < n; ++i)
      if (t->z[i] < t->lower[i] || t->z[i] > t->upper[i]) ++count;
    return count;
  }
  nsds_active_multiply(t, t->z, t->w);
  for (int i = 0; i < n; ++i) count += wrong(t, i);
  return count;
}

static void semismooth_newton_clip(nsds_active_system *t) {
  for (int i = 0; i < t->M.n; ++i) t->z[i] = nsds_clip(t->z[i], t->lower[i], t->upper[i]);
}

/* Returns the residual of the clipped trial point, as the certificate measures it, with the q of
 * this method. */
static double clipped_residual(nsds_active_system *t) {
  double worst = 0.0;
  nsds_active_need_diagonal(t);
  semismooth_newton_clip(t);
  nsds_active_multiply(t, t->z, t->w);
  nsds_active_scale(t, t->z, t->scale);
  for (int i = 0; i < t->M.n; ++i) {
    double e = fabs(nsds_bound_map(t->z[i], t->w[i], t->d[i], t->lower[i], t->upper[i]));
    e = fdim(e, error_of_q(t, i));
    if (!(e <= worst * t->scale[i])) worst = e / t->scale[i];
  }
  return isnan(worst) ? INFINITY : worst;
}

/* State of the block principal pivoting rule. */
typedef struct exchange {
  bool single; /* always one row at a time, the first */
  int fewest;  /* infeasible rows at best */
  int left;    /* full steps still allowed without improvement */
} exchange;

/* Finds the set of a chain of bodies, where loads would run through the rows step by step. */
static bool take_chain(nsds_active_system *t) {
  if (t->chain_tried || !t->csc || t->weight > 0.0 ||
      t->solver->toolbox->sets != NSDS_SET_NONNEGATIVE)
    return false;
  t->chain_tried = true;
  return nsds_chain_solve(&t->chain, t->csc, t->q, t->active);
}

/* Returns true for a row at a bound whose w asks for more than the way to the other bound: a relay
 * that switches. */
static bool jumps(const nsds_active_system *t, int i) {
  return !t->active[i] && fabs(t->w[i]) > t->d[i] * (t->upper[i] - t->lower[i]);
}

/* Drops a row of A whose distance to a bound is rounding of its terms. Such a row should be zero
 * and must not decide the signs of its neighbors. */
static void drop_rounding(nsds_active_system *t, int i) {
  double limit = rounding * t->scale[i], to_lower = t->d[i] * fabs(t->z[i] - t->lower[i]);
  double to_upper = t->d[i] * fabs(t->z[i] - t->upper[i]);
  if (!t->active[i] || (to_lower > limit && to_upper > limit)) return;
  t->active[i] = 0;
  t->up[i] = to_upper < to_lower;
}

static void exchange_row(nsds_active_system *t, int i, bool may_jump) {
  if (t->active[i]) t->up[i] = t->z[i] > t->upper[i];
  if (may_jump && jumps(t, i)) t->up[i] = !t->up[i];
  else t->active[i] = !t->active[i];
}

static void exchange_rows(nsds_active_system *t, exchange *rule, int count, bool strict) {
  bool all = !rule->single, removes = false;
  for (int i = 0; i < t->M.n && !removes; ++i)
    removes = infeasible(t, i, strict) && (t->active[i] || jumps(t, i));
  if (count < rule->fewest) {
    rule->fewest = count;
    rule->left = patience;
  } else if (rule->left > 0) {
    rule->left -= removes; /* a growing set cannot cycle: a load runs through a stack row by row */
  } else {
    all = false;
  }
  for (int k = 0; k < t->M.n; ++k) {
    int i = rule->single ? k : t->M.n - 1 - k;
    if (infeasible(t, i, strict)) {
      exchange_row(t, i, all);
      if (!all) return;
    } else if (all && !strict) {
      drop_rounding(t, i);
    }
  }
}

typedef enum step_result { STEP_SOLVED, STEP_FAILED, STEP_SINGULAR, STEP_STOPPED } step_result;

/* Makes Newton steps from the set in `active` until the signs are right. */
static step_result semismooth_newton_iterate(nsds_active_system *t, nsds_status *status) {
  nsds_watch watch; /* without the option, this many steps for each iteration */
  nsds_watch_count(&watch, t->solver, t->info->iterations + fixed_steps + steps_per_row * t->M.n);
  exchange rule = {
      .single = t->solver->value[OPTION_LEAST_INDEX] > 0.0, .fewest = t->M.n + 1, .left = patience};
  for (;;) {
    nsds_outcome outcome = nsds_watch_allows(&watch, t->info->iterations);
    if (outcome != NSDS_SOLVED) return outcome == NSDS_INTERRUPTED ? STEP_STOPPED : STEP_FAILED;
    *status = nsds_active_factor(t);
    if (*status == NSDS_ERROR_SINGULAR) {
      *status = NSDS_OK;
      return STEP_SINGULAR;
    }
    if (*status) return STEP_FAILED;
    ++t->info->iterations;
    nsds_active_solve(t);
    if (count_wrong(t) == 0) return STEP_SOLVED;
    if (take_chain(t)) continue;
    nsds_active_scale(t, t->z, t->scale);
    nsds_active_need_diagonal(t);
    int count = 0;
    bool strict = false;
    for (int i = 0; i < t->M.n; ++i) count += infeasible(t, i, false);
    if (count == 0) { /* rounding alone: accept the clipped point if it stands on its own */
      if (clipped_residual(t) <= t->solver->value[OPTION_TOLERANCE]) return STEP_SOLVED;
      nsds_active_solve(t);
      strict = true;
      count = count_wrong(t);
    }
    exchange_rows(t, &rule, count, strict);
  }
}

/* Computes q - P z. */
static void shift(nsds_active_system *t, const double *z) {
  nsds_active_need_diagonal(t);
  for (int i = 0; i < t->M.n; ++i) t->q_shifted[i] = t->problem->q[i] - t->weight * t->d[i] * z[i];
}

/* Runs the proximal point iteration for singular systems, starting from the given z. */
static step_result iterate_proximal(nsds_active_system *t, const double *start, double weight,
                                    nsds_status *status) {
  size_t bytes = (size_t)t->M.n * sizeof(double);
  double last = INFINITY;
  for (int i = 0; i < t->M.n; ++i) t->z_previous[i] = nsds_clip(start[i], t->lower[i], t->upper[i]);
  for (int k = 0; k < proximal_steps; ++k) {
    t->weight = weight;
    shift(t, t->z_previous);
    t->q = t->q_shifted;
    step_result result = semismooth_newton_iterate(t, status);
    t->q = t->problem->q;
    t->weight = 0.0;
    if (result != STEP_SOLVED) return result;
    double residual = clipped_residual(t);
    if (isinf(residual)) return STEP_FAILED;
    if (residual <= noise * t->solver->value[OPTION_TOLERANCE]) return STEP_SOLVED;
    if (residual <= t->solver->value[OPTION_TOLERANCE] && residual > stalled * last)
      return STEP_SOLVED;
    last = residual;
    memcpy(t->z_previous, t->z, bytes);
    if (weight > last_weight) weight = fmax(weight * weight_factor, last_weight);
  }
  return STEP_FAILED;
}

/* ---- operations of the method ---- */

/* Takes a dense view if M is dense, tiny, or of middle size and a quarter full. */
static nsds_status open_view(nsds_active_system *t, nsds_solver *solver,
                             const nsds_problem *problem) {
  int n = problem->n;
  bool dense = problem->M.storage == NSDS_DENSE || n <= tiny_rows;
  nsds_status status = nsds_form_view(solver, problem, dense, &t->M);
  if (!status && !dense && n <= nsds_small_rows && nsds_dense_fraction * t->M.p[n] >= n * n) {
    dense = true;
    status = nsds_form_view(solver, problem, dense, &t->M);
  }
  t->csc = dense ? NULL : &solver->toolbox->csc;
  return status;
}

static NSDS_NOINLINE nsds_status reserve_arrays(nsds_active_system *t, nsds_store *store, int n) {
  int few = n < nsds_small_rows ? n : nsds_small_rows;
  const nsds_cut cut[] = {NSDS_CUT(t->lower, n),
                          NSDS_CUT(t->upper, n),
                          NSDS_CUT(t->index, n),
                          NSDS_CUT(t->active, n),
                          NSDS_CUT(t->kept.set, n),
                          NSDS_CUT(t->up, n),
                          NSDS_CUT(t->kept.copy, few * few)};
  nsds_status status = nsds_factor_hold(store, &t->factor);
  if (!status) status = NSDS_HOLD(store, cut);
  if (!status) t->room = n;
  return status;
}

static nsds_status semismooth_newton_reserve(nsds_solver *solver, const nsds_problem *problem) {
  nsds_active_system *t = solver->state;
  size_t n = (size_t)problem->n;
  bool fits = t->factor && problem->n <= t->room;
  nsds_status status = NSDS_LIKELY(fits) ? NSDS_OK : reserve_arrays(t, &solver->store, problem->n);
  t->csc = NULL;
  if (n == 0) return status;
  if (!status) status = open_view(t, solver, problem);
  if (status) return status;
  size_t system = t->csc ? (size_t)t->csc->p[n] : n * n;
  if (t->csc) status = nsds_chain_reserve(&solver->store, &t->chain, t->csc);
  else status = nsds_factor_reserve_dense(t->factor, problem->n);
  return status ? status : nsds_solver_scratch(solver, arrays * n + system);
}

static nsds_active_system *semismooth_newton_open(nsds_solver *solver, const nsds_problem *problem,
                                                  nsds_solver_info *info) {
  nsds_active_system *t = solver->state;
  double **const part[arrays] = {&t->z, &t->w, &t->scale, &t->d, &t->q_shifted, &t->z_previous};
  t->system = NSDS_SHARE(solver->toolbox->scratch, problem->n, part);
  t->solver = solver;
  t->problem = problem;
  t->info = info;
  t->q = problem->q;
  t->weight = 0.0;
  t->chain_tried = false;
  nsds_active_forget_diagonal(t);
  t->boxes = (solver->toolbox->sets & NSDS_SET_BOX) != 0;
  find_bounds(t);
  return t;
}

/* Makes the set of an archive the kept one, if M is the same. */
static void take_set_back(nsds_active_system *t) {
  int n = t->archived.n;
  if (NSDS_LIKELY(n == 0)) return;
  t->archived.n = 0;
  if (n != t->M.n || t->problem->M.stamp == 0 || t->archived.sum != nsds_active_checksum(t)) return;
  memcpy(t->kept.set, t->archived.set, (size_t)n);
  t->kept.n = n;
  t->kept.size = 0;
  for (int i = 0; i < n; ++i) t->kept.size += t->kept.set[i];
  t->kept.weight = t->archived.weight;
  nsds_active_keep_sum(t, t->archived.sum);
  t->kept.stamp = t->problem->M.stamp;
  nsds_active_forget_factors(t);
}

/* Hands over the clipped trial point; the start stays if the trial is not finite. */
static void semismooth_newton_hand_over(nsds_active_system *t, double *z) {
  if (nsds_first_nonfinite(t->z, t->M.n) >= 0) return;
  semismooth_newton_clip(t);
  memcpy(z, t->z, (size_t)t->M.n * sizeof *z);
}

static nsds_status semismooth_newton_solve(nsds_solver *solver, const nsds_problem *problem,
                                           double *z, nsds_solver_info *info) {
  if (problem->n == 0) return NSDS_OK;
  nsds_active_system *t = semismooth_newton_open(solver, problem, info);
  nsds_status status = NSDS_OK;
  take_set_back(t);
  bool again = start_matches_kept(t, z), regularize = solver->value[OPTION_REGULARIZE] > 0.0;
  double weight = again && regularize ? t->kept.weight : 0.0;
  if (!again || weight > 0.0) nsds_make_finite(z, problem->n);
  if (again) take_kept(t, z);
  bool single = solver->value[OPTION_LEAST_INDEX] > 0.0;
  if (!again && single) show_set(t, z);
  bool touching = !again && !single && choose_set(t, z, true);
  step_result result = STEP_SINGULAR;
  if (weight == 0.0) result = semismooth_newton_iterate(t, &status);
  if (result == STEP_SINGULAR && touching && info->iterations == 0) {
    choose_set(t, z, false);
    result = semismooth_newton_iterate(t, &status);
  }
  if (result == STEP_SINGULAR && regularize)
    result = iterate_proximal(t, z, weight > 0.0 ? weight : first_weight, &status);
  if (status) return status;
  if (info->iterations > 0) semismooth_newton_hand_over(t, z);
  if (result != STEP_SOLVED) nsds_make_finite(z, problem->n);
  info->outcome = result == STEP_SOLVED    ? NSDS_SOLVED
                  : result == STEP_STOPPED ? NSDS_INTERRUPTED
                                           : NSDS_NOT_CONVERGED;
  return NSDS_OK;
}

/* Archives the set, its P and the checksum of its M, or an archived set that no solve has used. */
static void archive_set(nsds_solver *solver, nsds_archive *a) {
  nsds_active_system *t = solver->state;
  const char *object = "the solver";
  bool pending = t->archived.n > 0, writes = a->mode == NSDS_ARCHIVE_WRITE;
  const unsigned char *set = pending ? t->archived.set : t->kept.set;
  int n = pending ? t->archived.n : t->kept.stamp != 0 ? t->kept.n : 0;
  double weight = pending ? t->archived.weight : t->kept.weight;
  uint64_t sum = pending ? t->archived.sum : n > 0 ? nsds_active_kept_sum(t) : 0;
  nsds_archive_size(a, object, "rows", &n, 0, INT_MAX / 2);
  if (a->mode == NSDS_ARCHIVE_READ) t->kept.stamp = 0, t->archived.n = 0; /* forgets the old set */
  if (a->status || n == 0) return;
  nsds_archive_number(a, &weight);
  nsds_archive_word(a, &sum);
  bool valid = !a->status && (size_t)n <= nsds_archive_left(a) + (writes ? (size_t)n : 0) &&
               weight >= 0.0 && isfinite(weight);
  if (!a->status && !valid)
    a->status = nsds_fail(a->context, NSDS_ERROR_FORMAT, "%s: %s: %s: %d rows and a weight of %g",
                          a->call, a->path, object, n, weight);
  if (!a->status && !writes) a->status = NSDS_HOLD_ONE(&solver->store, t->archived.set, n);
  for (int i = 0; i < n && !a->status; ++i) {
    int in = writes ? set[i] : 0;
    nsds_archive_size(a, object, "row of the set", &in, 0, 1);
    if (a->mode == NSDS_ARCHIVE_READ) t->archived.set[i] = (unsigned char)in;
  }
  if (a->mode != NSDS_ARCHIVE_READ || a->status) return;
  t->archived.n = n;
  t->archived.weight = weight;
  t->archived.sum = sum;
}

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of Newton steps; 0: 300 + 2 n in a row"),
    {"regularize", "integer", "1: proximal point iteration when a system is singular; 0: give up",
     1.0, 0.0, 1.0},
    {"least_index", "integer",
     "1: the rows change one by one, the first first (Murty), from the set that the start shows; "
     "0: "
     "all at once as long as that serves",
     0.0, 0.0, 1.0},
    {0}};

const nsds_method nsds_method_semismooth_newton = {
    .row = {.name = "semismooth_newton",
            .summary = "Primal-dual active sets with block principal pivoting as safeguard, or "
                       "principal pivots alone; warm started, one linear solve when the set is "
                       "right.",
            .reference = "Qi, Sun: Math. Programming 58 (1993); Hintermueller, Ito, Kunisch: SIAM "
                         "J. Optim. 13 (2003); Judice, Pires: Comput. Oper. Res. 21 (1994); Murty: "
                         "Opsearch 11 (1974)",
            .sets = nsds_bound_sets,
            .storages = nsds_all_storages,
            .option = options},
    .state_size = sizeof(nsds_active_system),
    .reserve = semismooth_newton_reserve,
    .solve = semismooth_newton_solve,
    .archive = archive_set,
};
