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
#include "numerics/certify/certify_scale.h"
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

/* Finds the scale, which is the same for all answers, up to a pass; the first one is that of the data
 * of each row alone. `certify_work` belongs to a point. */
static nsds_status find_scale_once(nsds_solver *solver, const nsds_problem *problem, int first,
                                   int last) {
  nsds_toolbox *t = solver->toolbox;
  size_t n = (size_t)problem->n;
  double *d = t->certify_work + 2 * n, *spare = t->certify_work + 4 * n;
  nsds_status status = NSDS_OK;
  if (t->scale) return NSDS_OK;
  if (first == 0) status = NSDS_HOLD_ONE(&t->store, t->scales, n);
  if (status) return status;
  if (first == 0) nsds_start_scale(problem, d, t->scales, spare);
  if (last > 0 && nsds_raise_scale(problem, d, first, last, t->scales, spare)) t->scale = t->scales;
  return NSDS_OK;
}

/* Judges z + low. */
static nsds_status measure_violation(nsds_solver *solver, const nsds_problem *problem,
                                     const double *z, const double *low, nsds_violation *v) {
  nsds_toolbox *t = solver->toolbox;
  *v = (nsds_violation){.block = -1, .row = -1};
  if (problem->n == 0) return NSDS_OK;
  nsds_status status = find_scale_once(solver, problem, 0, nsds_scale_passes);
  if (status) return status;
  nsds_certify_violation(problem, z, low, t->scale, t->certify_work,
                         solver->value[OPTION_TOLERANCE], v);
  t->measured = false;
  return NSDS_OK;
}

static bool bound_suffices(const nsds_toolbox *t, const nsds_problem *problem, const double *data,
                           const double *z, double residual, nsds_violation *v) {
  nsds_violation_bound bound = nsds_bound_violation(problem, data, z, residual, t->certify_work);
  v->error = bound.violation;
  v->reaction = t->inferred ? bound.overall : bound.reaction;
  return bound.violation <= t->limit && v->reaction <= nsds_doubted;
}

/* Bounds the violation as closely as the limit needs; *enough is false if bounds are not enough. */
static nsds_status bound_violation(nsds_solver *solver, const nsds_problem *problem,
                                   const double *z, double residual, nsds_violation *v,
                                   bool *enough) {
  static const int passes[] = {0, 2, 4, 8, 16, 32, nsds_scale_passes};
  nsds_toolbox *t = solver->toolbox;
  const double *data = problem->scale ? problem->scale : problem->q;
  nsds_status status = NSDS_OK;
  *v = (nsds_violation){.block = -1, .row = -1};
  *enough = problem->n == 0 || bound_suffices(t, problem, data, NULL, residual, v);
  if (problem->q_error) return NSDS_OK;
  for (size_t k = 0; k < sizeof passes / sizeof *passes && !*enough && !status; ++k) {
    status = find_scale_once(solver, problem, k == 0 ? 0 : passes[k - 1], passes[k]);
    if (status) return status;
    *enough = bound_suffices(t, problem, t->scales, z, residual, v);
    if (t->scale) break;
  }
  return status;
}

/* Writes the violation of the point certified last, or a bound of it within the limit. */
static nsds_status measure_last(nsds_solver *solver, const nsds_problem *problem, const double *z,
                                double residual, nsds_violation *v) {
  nsds_toolbox *t = solver->toolbox;
  nsds_status status = NSDS_OK;
  bool enough = t->measured;
  if (!enough) status = bound_violation(solver, problem, z, residual, &t->violation, &enough);
  if (!enough && !status) status = measure_violation(solver, problem, z, NULL, &t->violation);
  t->measured = !status;
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
  nsds_status status = measure_last(solver, problem, z, info->residual, &v);
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

void nsds_solver_copy_violation(nsds_solver_info *to, const nsds_solver_info *from) {
  to->violation = from->violation;
  to->violation_rounded = from->violation_rounded;
  to->reaction = from->reaction;
  to->violation_block = from->violation_block;
  to->within_q_error = from->within_q_error;
}

double nsds_solver_violation(nsds_solver *solver, const nsds_problem *problem, const double *z,
                             double residual) {
  nsds_violation v;
  return measure_last(solver, problem, z, residual, &v) ? INFINITY : v.error;
}

bool nsds_solver_meets(nsds_solver *solver, const nsds_problem *problem, double *z,
                       nsds_solver_info *info) {
  solver->toolbox->low = NULL;
  return !judge_by_scale(solver, problem, z, info) && info->violation <= solver->toolbox->limit;
}

nsds_status nsds_solver_judge_all(nsds_solver *solver, const nsds_problem *problem, double *z,
                                  nsds_solver_info *info) {
  nsds_toolbox *t = solver->toolbox;
  nsds_status status = NSDS_OK;
  double tolerance = solver->value[OPTION_TOLERANCE];
  bool alone = !(t->sets & ~(unsigned)nsds_bound_sets);
  nsds_violation v;
  if (t->by_scale) {
    t->low = NULL;
    bool mixed = info->residual > tolerance && (alone || info->residual <= 2.0 * tolerance);
    if (mixed) /* a method may have written the violation */
      info->residual = nsds_solver_residual(solver, problem, z, &info->worst_block);
    if (info->residual <= tolerance) status = measure_last(solver, problem, z, info->residual, &v);
  }
  if (!(info->residual <= nsds_certified_rounding)) give_verdict(solver, problem, z, info);
  bool solved = info->residual <= tolerance && !t->proof;
  if (solved && t->by_scale && info->outcome != NSDS_REFUSED) {
    if (!status) status = judge_by_scale(solver, problem, z, info);
    solved = info->violation <= t->limit;
  }
  t->judged = true;
  t->passed = solved;
  nsds_info_conclude(info, solved);
  return status;
}
