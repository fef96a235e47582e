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
#include "numerics/sets/bounds.h"
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
  t->measured = false;
  return NSDS_OK;
}

/* The same of the point certified last, once. */
static nsds_status measure_last(nsds_solver *solver, const nsds_problem *problem, const double *z,
                                nsds_violation *v) {
  nsds_toolbox *t = solver->toolbox;
  nsds_status status = NSDS_OK;
  if (!t->measured) {
    status = measure_violation(solver, problem, z, NULL, &t->violation);
    t->measured = !status;
  }
  *v = t->violation;
  return status;
}

/* Looks at the pair z + low, which meets the limit, and at z alone. */
static nsds_status judge_pair_and_rounding(nsds_solver *solver, const nsds_problem *problem,
                                           double *z, nsds_solver_info *info) {
  nsds_violation alone;
  nsds_solver_residual(solver, problem, z, NULL);
  nsds_status status = measure_violation(solver, problem, z, NULL, &alone);
  info->violation_rounded = alone.error;
  info->residual = nsds_solver_residual(solver, problem, z, &info->worst_block);
  if (!(info->residual <= nsds_certified_rounding)) give_verdict(solver, problem, z, info);
  return status ? status : measure_violation(solver, problem, z, solver->toolbox->low, &alone);
}

/* Writes the violation of z, refined if that is needed. */
static nsds_status judge_by_scale(nsds_solver *solver, const nsds_problem *problem, double *z,
                                  nsds_solver_info *info) {
  double tolerance = solver->value[OPTION_TOLERANCE], limit = solver->toolbox->limit;
  nsds_violation v;
  nsds_status status = measure_last(solver, problem, z, &v);
  info->violation_rounded = v.error;
  if (!status && v.error > limit) {
    status = nsds_pair_refine(solver, problem, tolerance, z, &v);
    solver->toolbox->measured = false;
  }
  if (!status && solver->toolbox->low) status = judge_pair_and_rounding(solver, problem, z, info);
  info->violation = v.error;
  info->violation_block = v.block;
  info->reaction = v.reaction;
  info->within_q_error = v.whole > limit && v.error <= limit;
  return status;
}

/* Writes a bound of the violation; true if that is enough for a verdict. `info` has the residual of
 * z by nsds_solver_residual(). */
static bool bound_by_residual(nsds_solver *solver, const nsds_problem *problem,
                              nsds_solver_info *info) {
  double reaction;
  double bound = nsds_bound_violation(problem, info->residual, solver->toolbox->certify_work, &reaction);
  if (!(bound <= solver->toolbox->limit) || reaction > nsds_doubted) return false;
  info->violation = info->violation_rounded = bound;
  info->reaction = reaction;
  info->violation_block = info->worst_block;
  info->within_q_error = false;
  return true;
}

void nsds_solver_copy_violation(nsds_solver_info *to, const nsds_solver_info *from) {
  to->violation = from->violation;
  to->violation_rounded = from->violation_rounded;
  to->reaction = from->reaction;
  to->violation_block = from->violation_block;
  to->within_q_error = from->within_q_error;
}

double nsds_solver_violation(nsds_solver *solver, const nsds_problem *problem, const double *z,
                             double residual) {
  nsds_toolbox *t = solver->toolbox;
  nsds_violation v;
  double reaction;
  double bound = nsds_bound_violation(problem, residual, t->certify_work, &reaction);
  if (bound <= t->limit) return bound;
  return measure_last(solver, problem, z, &v) ? INFINITY : v.error;
}

bool nsds_solver_meets(nsds_solver *solver, const nsds_problem *problem, double *z,
                       nsds_solver_info *info) {
  solver->toolbox->low = NULL;
  if (bound_by_residual(solver, problem, info)) return true;
  return !judge_by_scale(solver, problem, z, info) && info->violation <= solver->toolbox->limit;
}

nsds_status nsds_solver_judge_all(nsds_solver *solver, const nsds_problem *problem, double *z,
                                  nsds_solver_info *info) {
  nsds_toolbox *t = solver->toolbox;
  nsds_status status = NSDS_OK;
  double tolerance = solver->value[OPTION_TOLERANCE];
  bool by_scale = t->by_scale, bounded = false;
  if (by_scale) {
    bool alone = !(t->sets & ~(unsigned)nsds_bound_sets);
    t->low = NULL;
    bounded = info->residual <= tolerance && bound_by_residual(solver, problem, info);
    if (!bounded && (alone || info->residual > tolerance)) /* a method may have written the violation */
      info->residual = nsds_solver_residual(solver, problem, z, &info->worst_block);
  }
  if (!(info->residual <= nsds_certified_rounding)) give_verdict(solver, problem, z, info);
  bool solved = info->residual <= tolerance && !t->proof;
  if (solved && by_scale && !bounded && info->outcome != NSDS_REFUSED) {
    status = judge_by_scale(solver, problem, z, info);
    solved = info->violation <= t->limit;
  }
  t->judged = true;
  t->passed = solved;
  nsds_info_conclude(info, solved);
  return status;
}
