/*
 * A global problem by its local one: W r + q = u with the sets of the blocks, solved by any method
 * of the table of local solvers; velocities and multipliers follow from r.
 */
#include "global_solver.h"

enum { most_attempts = 3 }; /* at the local problem: 1e-4 of the tolerance is rounding */

/* Of the tolerance of the local problem, where its answer does not do globally. */
static const double sharper = 1e-2;

static const double no_time = 1e-9; /* s: a limit that is over at once, 0 being none */

static void set_options(nsds_global_run *run, double tolerance) {
  const nsds_solver *base = run->solver->base;
  nsds_solver *inner = run->solver->inner;
  double limit = base->value[OPTION_MAX_ITERATIONS], left = nsds_solver_time_left(base);
  inner->toolbox->progress = base->toolbox->progress;
  inner->toolbox->progress_user = base->toolbox->progress_user;
  inner->value[OPTION_TOLERANCE] = tolerance;
  inner->value[OPTION_TIME_LIMIT] = isfinite(left) ? fmax(left, no_time) : 0.0;
  if (limit > 0.0) inner->value[OPTION_MAX_ITERATIONS] = limit;
}

/* Solves the local problem from the reactions in trial_r, until the answer does globally. */
static nsds_status solve_local(nsds_global_run *run, nsds_solver_info *local) {
  nsds_global_solver *s = run->solver;
  const nsds_watch *watch = &run->watch;
  double tolerance = watch->tolerance;
  for (int k = 0; k < most_attempts; ++k, tolerance *= sharper) {
    set_options(run, tolerance);
    nsds_status status = nsds_solve(s->inner, &s->reduction.problem, s->trial_r, s->u, local);
    if (status && status != NSDS_ERROR_SOLVER) return status;
    run->info->iterations += local->iterations;
    run->info->factorizations += local->factorizations;
    nsds_global_offer(run, s->trial_r);
    if (watch->best <= watch->tolerance || local->outcome != NSDS_SOLVED) break;
  }
  return NSDS_OK;
}

nsds_status nsds_global_reduce(nsds_global_run *run, bool factored) {
  nsds_global_solver *s = run->solver;
  nsds_solver_info local = {.outcome = NSDS_REFUSED};
  if (nsds_reduction_fits(&s->reduction, factored)) {
    nsds_status status = nsds_reduction_operator(&s->reduction, nsds_global_store(s), run->problem,
                                                 factored, s->matrices);
    if (!status) status = solve_local(run, &local);
    if (status) return status;
  }
  run->info->outcome = local.outcome;
  nsds_global_path(run, factored ? "factored" : "reduction", local.solver);
  return NSDS_OK;
}
