/*
 * The verdict on an answer, see judge.h.
 *
 * Two figures decide, the residual beside the terms of w and the violation beside the scale of the
 * data. If only the violation is too large, the answer is refined in twice the precision first
 * (pair.c).
 */
#include "numerics/judge.h"

#include "base/base.h"
#include "numerics/certify/certify.h"
#include "numerics/pair.h"
#include "numerics/solver_tools.h"
#include "numerics/store.h"

/* Writes the residual without errors that rounding explains, and the row that fails. */
static void give_verdict(const nsds_solver *solver, const nsds_problem *problem, const double *z,
                         nsds_solver_info *info) {
  nsds_fault fault;
  info->residual =
      nsds_certified_verdict(solver->context, problem, z, solver->toolbox->certify_work, &fault);
  info->worst_block = fault.block;
  info->worst_row = fault.row;
  info->worst_error = fault.error;
  info->worst_scale = fault.scale;
}

/* Judges z + low. Keeps the scale, which is the same for all answers. */
static nsds_status measure_violation(nsds_solver *solver, const nsds_problem *problem,
                                     const double *z, const double *low, nsds_violation *v) {
  nsds_toolbox *t = solver->toolbox;
  size_t n = (size_t)problem->n;
  nsds_status status = NSDS_OK;
  *v = (nsds_violation){.block = -1, .row = -1};
  if (n == 0) return NSDS_OK;
  if (!t->scale) status = NSDS_HOLD_ONE(&t->store, t->scales, n);
  if (status) return status;
  nsds_certify_violation(problem, z, low, t->scale, t->certify_work,
                         solver->value[OPTION_TOLERANCE], v);
  if (!t->scale) nsds_copy_doubles(t->scales, t->certify_work + 3 * n, n);
  t->scale = t->scales;
  return NSDS_OK;
}

/* Writes the violation of z, refined if that is needed. */
static nsds_status judge_by_scale(nsds_solver *solver, const nsds_problem *problem, double *z,
                                  nsds_solver_info *info) {
  double tolerance = solver->value[OPTION_TOLERANCE];
  nsds_violation v, alone;
  nsds_status status = measure_violation(solver, problem, z, NULL, &v);
  info->violation_rounded = v.error;
  if (!status && v.error > tolerance) status = nsds_pair_refine(solver, problem, tolerance, z, &v);
  if (!status && solver->toolbox->low) {
    nsds_solver_residual(solver, problem, z, NULL);
    status = measure_violation(solver, problem, z, NULL, &alone);
    info->violation_rounded = alone.error;
    info->residual = nsds_solver_residual(solver, problem, z, &info->worst_block);
    if (!(info->residual <= nsds_certified_rounding)) give_verdict(solver, problem, z, info);
    if (!status) status = measure_violation(solver, problem, z, solver->toolbox->low, &alone);
  }
  info->violation = v.error;
  info->violation_block = v.block;
  info->reaction = v.reaction;
  info->within_q_error = v.whole > tolerance && v.error <= tolerance;
  return status;
}

void nsds_solver_copy_violation(nsds_solver_info *to, const nsds_solver_info *from) {
  to->violation = from->violation;
  to->violation_rounded = from->violation_rounded;
  to->reaction = from->reaction;
  to->violation_block = from->violation_block;
  to->within_q_error = from->within_q_error;
}

double nsds_solver_violation(nsds_solver *solver, const nsds_problem *problem, const double *z) {
  nsds_violation v;
  bool failed = measure_violation(solver, problem, z, NULL, &v);
  return failed ? INFINITY : v.error;
}

bool nsds_solver_meets(nsds_solver *solver, const nsds_problem *problem, double *z,
                       nsds_solver_info *info) {
  solver->toolbox->low = NULL;
  return !judge_by_scale(solver, problem, z, info) &&
         info->violation <= solver->value[OPTION_TOLERANCE];
}

nsds_status nsds_solver_judge_all(nsds_solver *solver, const nsds_problem *problem, double *z,
                                  nsds_solver_info *info) {
  nsds_status status = NSDS_OK;
  double tolerance = solver->value[OPTION_TOLERANCE];
  bool by_scale = solver->toolbox->by_scale;
  if (by_scale) { /* a method may have written the violation */
    solver->toolbox->low = NULL;
    info->residual = nsds_solver_residual(solver, problem, z, &info->worst_block);
  }
  if (!(info->residual <= nsds_certified_rounding)) give_verdict(solver, problem, z, info);
  bool solved = info->residual <= tolerance && !solver->toolbox->proof;
  if (solved && by_scale && info->outcome != NSDS_REFUSED) {
    status = judge_by_scale(solver, problem, z, info);
    solved = info->violation <= tolerance;
  }
  nsds_info_conclude(info, solved);
  return status;
}
