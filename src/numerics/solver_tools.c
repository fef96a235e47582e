/* Tools for methods at work: the clock, interruption, scratch, the certified residual. */
#include "numerics/solver_tools.h"

#include "base/context.h"
#include "base/parallel.h"
#include "numerics/certify/certify.h"

void nsds_solver_start_clock(nsds_solver *solver) {
  double limit = solver->value[OPTION_TIME_LIMIT];
  solver->toolbox->stopped = false;
  solver->toolbox->allowance =
      (nsds_allowance){.deadline = limit > 0.0 ? nsds_seconds() + limit : 0.0,
                       .bytes = 1e6 * solver->value[OPTION_MEMORY_LIMIT],
                       .formed = solver->toolbox->allowance.formed};
}

double nsds_solver_time_left(const nsds_solver *solver) {
  double deadline = solver->toolbox->allowance.deadline;
  return deadline > 0.0 ? fmax(deadline - nsds_seconds(), 0.0) : INFINITY;
}

bool nsds_solver_interrupted(const nsds_solver *solver, int iteration, double residual) {
  nsds_toolbox *toolbox = solver->toolbox;
  if (toolbox->stopped) return true; /* outer methods must not ask again */
  if (nsds_stops(solver->context)) return toolbox->stopped = true;
  if (toolbox->allowance.exceeded) return true; /* outer methods may go on with less */
  if (toolbox->progress && toolbox->progress(iteration, residual, toolbox->progress_user))
    return toolbox->stopped = true;
  /* equal times count: a short limit may be below the resolution of the clock */
  return toolbox->stopped =
             toolbox->allowance.deadline > 0.0 && nsds_seconds() >= toolbox->allowance.deadline;
}

nsds_status nsds_solver_scratch(nsds_solver *solver, size_t count) {
  nsds_toolbox *toolbox = solver->toolbox;
  return NSDS_ENSURE_NEW(solver->context, toolbox->scratch, toolbox->scratch_capacity, count);
}

double nsds_solver_residual(const nsds_solver *solver, const nsds_problem *problem, const double *z,
                            int *worst_block) {
  int unwanted;
  nsds_toolbox_measure(solver->toolbox, false);
  solver->toolbox->verdict = NSDS_UNJUDGED;
  return nsds_certified_residual(solver->context, problem, z, solver->toolbox->certify_work,
                                 worst_block ? worst_block : &unwanted);
}
