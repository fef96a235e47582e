/*
 * The verdict on an answer: its certified residual, and its violation in the scale of the data.
 */
#ifndef NSDS_SRC_JUDGE_H
#define NSDS_SRC_JUDGE_H

#include "numerics/certify/certify.h"
#include "numerics/solver_internal.h"

/* Reactions beyond this multiple of the load are doubted: a proof that there is no solution is
 * looked for first. */
static const double nsds_doubted = 1e3;

/* Writes the info of a solved problem, except residual, worst_block and what is of the scale. */
static inline void nsds_info_open(nsds_solver_info *info, const char *name, int iterations) {
  info->solver = name;
  info->outcome = NSDS_SOLVED;
  info->iterations = iterations;
  info->worst_row = -1;
  info->worst_error = info->worst_scale = 0.0;
  info->factorizations = 0;
  info->tried = 1;
  info->path[0] = '\0';
}

/* Writes what info says about the scale before it is known. */
static inline void nsds_info_open_scale(nsds_solver_info *info) {
  info->violation = info->violation_rounded = info->reaction = info->proof_reach = 0.0;
  info->violation_block = -1;
  info->within_q_error = false;
}

/* Writes the outcome of a point that solves the problem or does not. */
static inline void nsds_info_conclude(nsds_solver_info *info, bool solved) {
  if (info->outcome == NSDS_REFUSED) return;
  if (solved) {
    info->outcome = NSDS_SOLVED;
    info->worst_row = -1;
    info->worst_error = info->worst_scale = 0.0;
  } else if (info->outcome == NSDS_SOLVED) info->outcome = NSDS_NOT_CONVERGED;
}

/* nsds_solver_judge() of a point beyond rounding, or by the scale. */
nsds_status nsds_solver_judge_all(nsds_solver *solver, const nsds_problem *problem, double *z,
                                  nsds_solver_info *info);

/* Writes the violation of an answer that does not solve the problem, unless it is known; for nsds_toolbox::by_scale. */
void nsds_solver_tell_violation(nsds_solver *solver, const nsds_problem *problem, const double *z,
                                nsds_solver_info *info);

/* Decides the outcome of z; info and w must come from nsds_solver_residual() of z. The certificate
 * decides, not the method: the residual is that of nsds_certify(). Residuals of rounding are taken
 * as they are. A proof that there is no solution outranks the residual, as forces without bound hide
 * any error. */
static inline nsds_status nsds_solver_judge(nsds_solver *solver, const nsds_problem *problem,
                                            double *z, nsds_solver_info *info) {
  nsds_toolbox *toolbox = solver->toolbox;
  nsds_toolbox_vouch(toolbox, true);
  if (toolbox->verdict != NSDS_UNJUDGED) {
    nsds_info_conclude(info, toolbox->verdict == NSDS_PASSES && !toolbox->proof);
    return NSDS_OK;
  }
  if (toolbox->by_scale || !(info->residual <= nsds_certified_rounding))
    return nsds_solver_judge_all(solver, problem, z, info);
  nsds_info_conclude(info, info->residual <= solver->value[OPTION_TOLERANCE] && !toolbox->proof);
  return NSDS_OK;
}

/* Judges z by the scale of the data, if that decides in this call. `info` has its residual. Writes the
 * violation; true if it is within the limit. z may be refined. */
bool nsds_solver_meets(nsds_solver *solver, const nsds_problem *problem, double *z,
                       nsds_solver_info *info);
static inline bool nsds_solver_meets_scale(nsds_solver *solver, const nsds_problem *problem,
                                           double *z, nsds_solver_info *info) {
  return !solver->toolbox->by_scale || nsds_solver_meets(solver, problem, z, info);
}
/* Copies what another info says about the scale. */
void nsds_solver_copy_violation(nsds_solver_info *to, const nsds_solver_info *from);
/* Returns the violation of z, or a bound of it within the limit; `residual` and `certify_work` come
 * from nsds_solver_residual() of z. */
double nsds_solver_violation(nsds_solver *solver, const nsds_problem *problem, const double *z,
                             double residual);

#endif
