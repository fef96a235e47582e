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

/* Finds the scale, which is the same for all answers, in passes up to `last`. Without a pass it is
 * that of the data of each row alone. `certify_work` belongs to a point. */
static double *find_scale_once(nsds_toolbox *t, const nsds_problem *problem, int first, int last) {
  size_t n = (size_t)problem->n;
  double *d = t->certify_work + 2 * n, *spare = t->certify_work + 4 * n;
  double *scale = t->certify_work + nsds_problem_work(problem);
  if (t->scale) return t->scale;
  if (first == 0) nsds_start_scale(problem, d, scale, spare);
  if (last > 0 && nsds_raise_scale(problem, d, first, last, scale, spare)) t->scale = scale;
  return scale;
}

/* Judges z + low. */
static void measure_violation(nsds_solver *solver, const nsds_problem *problem, const double *z,
                              const double *low, nsds_violation *v) {
  nsds_toolbox *t = solver->toolbox;
  *v = (nsds_violation){.block = -1, .row = -1};
  nsds_toolbox_measure(t, false);
  if (problem->n == 0) return;
  double *scale = find_scale_once(t, problem, 0, nsds_scale_passes);
  nsds_certify_violation(problem, z, low, scale, t->certify_work, solver->value[OPTION_TOLERANCE],
                         v);
}

/* Bounds the violation by the residual alone. */
static bool residual_suffices(const nsds_toolbox *t, const nsds_problem *problem, double residual,
                              nsds_violation *v) {
  v->block = v->row = -1;
  v->whole = 0.0;
  if (problem->scale || problem->q_error) return false;
  v->reaction = nsds_bound_terms(problem, t->certify_work);
  v->error = (residual + nsds_answer_rounding) * v->reaction;
  return v->error <= t->limit && v->reaction <= nsds_doubted;
}

/* Bounds the violation as closely as the limit needs; false if bounds are not enough. */
static bool bound_suffices(nsds_toolbox *t, const nsds_problem *problem, const double *z,
                           nsds_violation *v) {
  static const int passes[] = {0, 2, 4, 8, 16, 32, nsds_scale_passes};
  if (problem->q_error || problem->n == 0) return false;
  for (size_t k = 0; k < sizeof passes / sizeof *passes; ++k) {
    double *scale = find_scale_once(t, problem, k == 0 ? 0 : passes[k - 1], passes[k]);
    nsds_violation_bound bound = nsds_bound_violation(problem, scale, z, t->certify_work);
    v->error = bound.violation;
    v->reaction = t->inferred ? bound.overall : bound.reaction;
    if (v->error <= t->limit && v->reaction <= nsds_doubted) return true;
    if (t->scale) return false;
  }
  return false;
}

/* Writes the violation of the point certified last, or a bound of it within the limit. */
static void measure_last(nsds_solver *solver, const nsds_problem *problem, const double *z,
                         double residual, nsds_violation *v) {
  nsds_toolbox *t = solver->toolbox;
  if (!t->measured && !residual_suffices(t, problem, residual, &t->violation) &&
      !bound_suffices(t, problem, z, &t->violation))
    measure_violation(solver, problem, z, NULL, &t->violation);
  nsds_toolbox_measure(t, true);
  *v = t->violation;
}

/* Looks at the pair z + low, which meets the limit, and at z alone. */
static void judge_pair_and_rounding(nsds_solver *solver, const nsds_problem *problem, double *z,
                                    nsds_solver_info *info) {
  nsds_violation alone;
  nsds_solver_residual(solver, problem, z, NULL);
  measure_violation(solver, problem, z, NULL, &alone);
  info->violation_rounded = alone.error;
  info->residual = nsds_solver_residual(solver, problem, z, &info->worst_block);
  if (!(info->residual <= nsds_certified_rounding)) give_verdict(solver, problem, z, info);
  measure_violation(solver, problem, z, solver->toolbox->low, &alone);
}

/* Writes the violation of z, refined if that is needed. */
static nsds_status judge_by_scale(nsds_solver *solver, const nsds_problem *problem, double *z,
                                  nsds_solver_info *info) {
  double tolerance = solver->value[OPTION_TOLERANCE], limit = solver->toolbox->limit;
  nsds_violation v;
  nsds_status status = NSDS_OK;
  measure_last(solver, problem, z, info->residual, &v);
  info->violation_rounded = v.error;
  bool unfinished = solver->slice && info->outcome == NSDS_NOT_CONVERGED;
  if (v.error > limit && !unfinished) {
    status = nsds_pair_refine(solver, problem, tolerance, z, &v);
    nsds_toolbox_measure(solver->toolbox, false);
  }
  if (!status && solver->toolbox->low) judge_pair_and_rounding(solver, problem, z, info);
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
  measure_last(solver, problem, z, residual, &v);
  return v.error;
}

bool nsds_solver_meets(nsds_solver *solver, const nsds_problem *problem, double *z,
                       nsds_solver_info *info) {
  solver->toolbox->low = NULL;
  return !judge_by_scale(solver, problem, z, info) && info->violation <= solver->toolbox->limit;
}

void nsds_solver_tell_violation(nsds_solver *solver, const nsds_problem *problem, const double *z,
                                nsds_solver_info *info) {
  nsds_violation v;
  if (problem->n == 0 || info->violation > 0.0) return;
  measure_violation(solver, problem, z, NULL, &v);
  info->violation = info->violation_rounded = v.error;
  info->violation_block = v.block;
  info->reaction = v.reaction;
  nsds_solver_residual(solver, problem, z, NULL); /* its w is that of the answer */
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
    if (info->residual <= tolerance) measure_last(solver, problem, z, info->residual, &v);
  }
  if (!(info->residual <= nsds_certified_rounding)) give_verdict(solver, problem, z, info);
  bool solved = info->residual <= tolerance && !t->proof;
  if (solved && t->by_scale && info->outcome != NSDS_REFUSED) {
    status = judge_by_scale(solver, problem, z, info);
    solved = info->violation <= t->limit;
  }
  t->verdict = solved ? NSDS_PASSES : NSDS_FAILS;
  nsds_info_conclude(info, solved);
  return status;
}
