/*
 * Global problems: the rows of their methods, and a solve from start to certified verdict. Each
 * method offers reactions, and elimination gives velocities and multipliers. Errors that a
 * certificate finds are therefore errors of the law.
 */
#include "numerics/global/global_state.h"
#include "numerics/method_list.h"

#include "base/context.h"
#include "numerics/auto.h"
#include "numerics/global/global_admm.h"
#include "numerics/global/global_iterate.h"
#include "numerics/global/global_newton.h"
#include "numerics/global/reduction.h"
#include "numerics/global/saddle.h"
#include "numerics/solver_run.h"
#include "numerics/solver_internal.h"
#include "numerics/solver_tools.h"
#include "numerics/splitting/admm.h"
#include "numerics/store.h"

#include <stdio.h>

/* ---- rows of the table ---- */

static nsds_status make_inner(nsds_solver *solver) {
  return nsds_solver_give_inner(solver, &nsds_method_auto);
}

/* Variants of the solve. */
enum { AUTO, REDUCTION, FACTORED, ADMM, NEWTON };

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of iterations of each method; 0: its own default"),
    {0}};

static const nsds_option admm_options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of steps; 0: 10000"), NSDS_ADMM_OPTIONS, {0}};

static const nsds_option newton_options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of steps of both kinds; 0: 2000"),
    NSDS_ADMM_OPTIONS,
    {0}};

#define REFERENCE "Acary, Brogliato: Numerical Methods for Nonsmooth Dynamical Systems (2008)"
#define ROW .sets = nsds_all_sets, .storages = NSDS_DENSE | NSDS_CSC, .global = true
#define REDUCING_ROW ROW, .inner = true
#define STATE .state_size = sizeof(nsds_global_state)

const nsds_method nsds_method_global = {
    .row = {.name = "global",
            .summary = "Reduces to the factored form where clusters are small, otherwise to "
                       "W; then Newton, or ADMM where large, without reduction.",
            .reference = REFERENCE,
            .option = options,
            REDUCING_ROW},
    .variant = AUTO,
    STATE,
    .create = make_inner};

const nsds_method nsds_method_global_reduction = {
    .row = {.name = "global_reduction",
            .summary = "Forms W = H^T M^-1 H, sparse, and solves the local problem by the "
                       "inner solver; up to 2000 entries a row.",
            .reference = REFERENCE,
            .option = options,
            REDUCING_ROW},
    .variant = REDUCTION,
    STATE,
    .create = make_inner};

const nsds_method nsds_method_global_factored = {
    .row = {.name = "global_factored",
            .summary = "Keeps H and M^-1 H^T by clusters of bodies, so that block methods "
                       "sweep over the velocities and W is never formed.",
            .reference = REFERENCE "; Jourdan, Alart, Jean: Comput. Methods Appl. Mech. "
                                   "Engrg. 155 (1998)",
            .option = options,
            REDUCING_ROW},
    .variant = FACTORED,
    STATE,
    .create = make_inner};

const nsds_method nsds_method_global_admm = {
    .row = {.name = "global_admm",
            .summary = "Alternating directions on velocities and local velocities, without "
                       "reduction: one sparse factorisation of M, H and G for many steps.",
            .reference = "Boyd, Parikh, Chu, Peleato, Eckstein: Found. Trends Mach. Learn. "
                         "3 (2011); Acary, Bremond, Huber: Advanced Topics in Nonsmooth "
                         "Dynamics (2018)",
            .option = admm_options,
            ROW},
    .variant = ADMM,
    STATE};

const nsds_method nsds_method_global_nonsmooth_newton = {
    .row = {.name = "global_nonsmooth_newton",
            .summary = "Nonsmooth Newton on velocities and reactions in a proximal point "
                       "iteration, after bursts of ADMM; high accuracy without reduction.",
            .reference = "Alart, Curnier: Comput. Methods Appl. Mech. Engrg. 92 (1991); "
                         "Acary, Bremond, Huber: Advanced Topics in Nonsmooth Dynamics "
                         "(2018)",
            .option = newton_options,
            ROW},
    .variant = NEWTON,
    STATE};

/* ---- the run ---- */

/* Factors M and G and finds the clusters, unless these have not changed. */
static nsds_status global_solver_prepare(nsds_global_run *run) {
  nsds_global_state *s = run->state;
  const nsds_global_problem *problem = run->problem;
  nsds_store *store = &run->solver->store;
  size_t nv = (size_t)problem->nv, n = (size_t)problem->n, p = (size_t)problem->p;
  const nsds_cut cut[] = {NSDS_CUT(s->x, nv + p), NSDS_CUT(s->trial_r, n), NSDS_CUT(s->v0, nv),
                          NSDS_CUT(s->u, n), NSDS_CUT(s->work, nsds_global_work(problem))};
  nsds_status status = NSDS_HOLD(store, cut);
  if (!status) status = nsds_reduction_open(&s->reduction, store, problem);
  if (status || (s->stamp != 0 && s->stamp == problem->stamp)) return status;
  s->stamp = 0;
  ++s->matrices;
  ++run->info->factorizations;
  status = nsds_elimination_factor(&s->reduction.elimination, store, problem);
  if (status == NSDS_ERROR_SINGULAR)
    return nsds_fail(
        run->solver->context, NSDS_ERROR_SINGULAR,
        "nsds_global_solve: M, %d x %d, is singular or indefinite to working precision; "
        "it must be positive definite",
        problem->nv, problem->nv);
  if (!status) status = nsds_clusters_find(&s->reduction.clusters, store, problem);
  if (!status) s->stamp = problem->stamp;
  return status;
}

/* ---- solve of the local problem ---- */

enum { most_attempts = 3 }; /* at the local problem: 1e-4 of the tolerance is rounding */

/* Factor of the local tolerance, if the local answer is not accurate enough globally. */
static const double sharper = 1e-2;

static const double no_time = 1e-9; /* s: a limit that ends at once; 0 means no limit */

static void set_options(nsds_global_run *run, double tolerance) {
  const nsds_solver *outer = run->solver;
  nsds_solver *inner = outer->inner;
  double limit = outer->value[OPTION_MAX_ITERATIONS], left = nsds_solver_time_left(outer);
  inner->toolbox->progress = outer->toolbox->progress;
  inner->toolbox->progress_user = outer->toolbox->progress_user;
  inner->value[OPTION_TOLERANCE] = tolerance;
  inner->value[OPTION_TIME_LIMIT] = isfinite(left) ? fmax(left, no_time) : 0.0;
  if (limit > 0.0) inner->value[OPTION_MAX_ITERATIONS] = limit;
}

/* Solves the local problem from the reactions in trial_r, until the answer is accurate enough
 * globally. */
static nsds_status global_solver_solve_local(nsds_global_run *run, nsds_solver_info *local) {
  nsds_global_state *s = run->state;
  const nsds_watch *watch = &run->watch;
  double tolerance = watch->tolerance;
  for (int k = 0; k < most_attempts; ++k, tolerance *= sharper) {
    set_options(run, tolerance);
    nsds_status status =
        nsds_solve(run->solver->inner, &s->reduction.problem, s->trial_r, s->u, local);
    if (status && status != NSDS_ERROR_SOLVER) return status;
    run->info->iterations += local->iterations;
    run->info->factorizations += local->factorizations;
    nsds_global_offer(run, s->trial_r);
    if (watch->best <= watch->tolerance || local->outcome != NSDS_SOLVED) break;
  }
  return NSDS_OK;
}

static nsds_status global_solver_reduce(nsds_global_run *run, bool factored) {
  nsds_global_state *s = run->state;
  nsds_solver_info local = {.outcome = NSDS_REFUSED};
  if (nsds_reduction_fits(&s->reduction, factored)) {
    nsds_status status = nsds_reduction_operator(&s->reduction, &run->solver->store, run->problem,
                                                 factored, s->matrices);
    if (!status) status = global_solver_solve_local(run, &local);
    if (status) return status;
  }
  run->info->outcome = local.outcome;
  nsds_global_path(
      run, factored ? nsds_method_global_factored.row.name : nsds_method_global_reduction.row.name,
      local.solver);
  return NSDS_OK;
}

/* ---- the solve ---- */

/* Equality rows contradict each other if this part of the largest terms is left. */
static const double contradiction = 1e-7;

/* Tries the solution without reactions; returns true if that ends the solve. */
static bool try_without(nsds_global_run *run) {
  nsds_global_state *s = run->state;
  int n = run->problem->n;
  nsds_global_copy(s->trial_r, run->r, n); /* the start */
  for (int j = 0; j < n; ++j) {
    if (!isfinite(s->trial_r[j])) s->trial_r[j] = 0.0;
    run->r[j] = 0.0;
  }
  double left = nsds_global_velocities(run, run->r);
  nsds_global_copy(s->v0, s->x, run->problem->nv);
  nsds_global_copy(run->v, s->x, run->problem->nv);
  nsds_global_copy(run->lambda, s->x + run->problem->nv, run->problem->p);
  nsds_global_keep(run, run->r);
  nsds_reduction_constant(&s->reduction, run->problem, s->v0, s->x + run->problem->nv);
  if (left > contradiction) run->info->outcome = NSDS_NO_SOLUTION;
  return run->watch.best <= run->watch.tolerance || left > contradiction;
}

/* Solves without reduction: Newton's method, or ADMM where the problem is large. */
static nsds_status solve_unreduced(nsds_global_run *run) {
  bool small = run->problem->nv + run->problem->n <= 2 * nsds_dense_limit;
  return small ? nsds_global_newton_solve(run) : nsds_global_admm_solve(run);
}

/* With joints W has rounding, so that a proof of the local problem alone ends no solve. */
static nsds_status solve_auto(nsds_global_run *run) {
  nsds_global_state *s = run->state;
  nsds_watch *watch = &run->watch;
  bool factored = nsds_reduction_prefers_factors(&s->reduction);
  if (!nsds_reduction_fits(&s->reduction, factored) &&
      nsds_reduction_fits(&s->reduction, !factored))
    factored = !factored;
  nsds_status status = global_solver_reduce(run, factored);
  nsds_outcome outcome = run->info->outcome;
  bool proved = outcome == NSDS_NO_SOLUTION;
  if (status || watch->best <= watch->tolerance || outcome == NSDS_INTERRUPTED ||
      (proved && run->problem->p == 0))
    return status;
  run->info->tried = 2;
  if (outcome == NSDS_SOLVED) { /* reactions so large that W r hides every error */
    for (int j = 0; j < run->problem->n; ++j) s->trial_r[j] = 0.0;
    watch->best = INFINITY;
    nsds_global_offer(run, s->trial_r);
  }
  nsds_global_copy(s->trial_r, run->r, run->problem->n);
  status = solve_unreduced(run);
  if (proved && run->info->outcome == NSDS_NOT_CONVERGED) run->info->outcome = outcome;
  return status;
}

static nsds_status solve_by_method(nsds_global_run *run) {
  switch (run->solver->method->variant) {
  case REDUCTION: return global_solver_reduce(run, false);
  case FACTORED: return global_solver_reduce(run, true);
  case ADMM: return nsds_global_admm_solve(run);
  case NEWTON: return nsds_global_newton_solve(run);
  default: return solve_auto(run);
  }
}

/* Runs the solve; the certificate decides. */
static nsds_status global_solver_solve(nsds_global_run *run, double *u) {
  nsds_solver_info *info = run->info;
  nsds_status status = global_solver_prepare(run);
  if (!status && !try_without(run)) status = solve_by_method(run);
  if (status) return status;
  info->residual = run->watch.best;
  if (info->residual <= run->watch.tolerance) info->outcome = NSDS_SOLVED;
  else if (info->outcome == NSDS_SOLVED) info->outcome = NSDS_NOT_CONVERGED;
  nsds_global_local(run->problem, run->v, u, NULL);
  return info->outcome == NSDS_SOLVED ? NSDS_OK : NSDS_ERROR_SOLVER;
}

nsds_status nsds_global_solve(nsds_solver *solver, const nsds_global_problem *problem, double *v,
                              double *r, double *u, double *lambda, nsds_solver_info *info) {
  nsds_solver_info unwanted;
  if (!solver) return nsds_fail_null(NULL, "nsds_global_solve", "solver");
  if (!problem) return nsds_fail_null(solver->context, "nsds_global_solve", "problem");
  const char *missing = !v && problem->nv > 0       ? "v"
                        : !r && problem->n > 0      ? "r"
                        : !u && problem->n > 0      ? "u"
                        : !lambda && problem->p > 0 ? "lambda"
                                                    : NULL;
  if (missing) return nsds_fail_null(solver->context, "nsds_global_solve", missing);
  nsds_status status = nsds_solver_check_kind(solver, true, "nsds_global_solve");
  if (!status) status = nsds_solver_check_idle(solver, "nsds_global_solve");
  if (status) return status;
  if (!info) info = &unwanted;
  *info = (nsds_solver_info){.solver = solver->method->row.name,
                             .outcome = NSDS_SOLVED,
                             .residual = INFINITY,
                             .worst_block = -1,
                             .tried = 1};
  nsds_solver_start_clock(solver);
  nsds_global_run run = {.solver = solver,
                         .state = solver->state,
                         .problem = problem,
                         .info = info,
                         .v = v,
                         .r = r,
                         .lambda = lambda};
  run.watch = (nsds_watch){.solver = solver,
                           .info = info,
                           .offer = nsds_global_offer,
                           .run = &run,
                           .best = INFINITY,
                           .tolerance = solver->value[OPTION_TOLERANCE]};
  unsigned long failures = nsds_failures(solver->context);
  nsds_toolbox_enter(solver->toolbox);
  status = global_solver_solve(&run, u);
  nsds_toolbox_leave(solver->toolbox);
  nsds_name_shortage(solver->context, failures, "solver", info->solver);
  return status;
}
