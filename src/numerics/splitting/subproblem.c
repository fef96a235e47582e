/*
 * Sub-problems of the nested methods, see subproblem.h.
 */
#include "subproblem.h"

nsds_status nsds_subproblem_open(nsds_subproblem *sub, nsds_solver *solver,
                                 const nsds_problem *problem, int nblock) {
  nsds_context *context = solver->context;
  size_t n = (size_t)problem->n;
  nsds_status status = NSDS_ENSURE(context, sub->block, sub->block_capacity, nblock);
  if (!status) status = NSDS_ENSURE(context, sub->q, sub->q_capacity, n);
  if (!status) status = NSDS_ENSURE(context, sub->z, sub->z_capacity, n);
  if (status) return status;
  sub->problem = *problem;
  sub->problem.block = sub->block;
  sub->problem.q = sub->q;
  sub->problem.M.pattern = 0;
  if (problem->M.stamp == 0) sub->problem.M.stamp = nsds_private_stamp(solver->toolbox);
  sub->interrupted = false;
  return NSDS_OK;
}

nsds_status nsds_subproblem_reserve(nsds_subproblem *sub, nsds_solver *solver) {
  nsds_solver *inner = solver->inner;
  return inner->method->reserve(inner, &sub->problem);
}

nsds_status nsds_subproblem_solve(nsds_subproblem *sub, nsds_solver *solver, double tolerance,
                                  nsds_solver_info *info) {
  nsds_solver_info inner;
  solver->inner->value[OPTION_TOLERANCE] = tolerance;
  nsds_status status = nsds_solver_run_inner(solver, &sub->problem, sub->z, &inner);
  info->factorizations += inner.factorizations;
  sub->interrupted = inner.outcome == NSDS_INTERRUPTED;
  sub->solved = inner.outcome == NSDS_SOLVED;
  return status;
}

void nsds_subproblem_release(nsds_subproblem *sub, nsds_context *context) {
  nsds_release(context, sub->block);
  nsds_release(context, sub->q);
  nsds_release(context, sub->z);
}
