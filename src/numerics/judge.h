/*
 * The verdict on an answer: its certified residual, and its violation in the scale of the data.
 */
#ifndef NSDS_SRC_JUDGE_H
#define NSDS_SRC_JUDGE_H

#include "numerics/solver_internal.h"

/* Writes the info of a solved problem, except residual and worst_block. */
static inline void nsds_info_open(nsds_solver_info *info, const char *name, int iterations) {
  info->solver = name;
  info->outcome = NSDS_SOLVED;
  info->iterations = iterations;
  info->worst_row = -1;
  info->worst_error = info->worst_scale = 0.0;
  info->factorizations = 0;
  info->tried = 1;
  info->path[0] = '\0';
  info->violation = info->violation_rounded = info->reaction = info->proof_reach = 0.0;
  info->violation_block = -1;
  info->within_q_error = false;
}

/* Decides the outcome of z; info and w must come from nsds_solver_residual() of z. */
nsds_status nsds_solver_judge(nsds_solver *solver, const nsds_problem *problem, double *z,
                              nsds_solver_info *info);
/* Judges z by the scale of the data, if that decides in this call. Writes the violation to info; true
 * if it is at most the tolerance. z may be refined. */
bool nsds_solver_meets_scale(nsds_solver *solver, const nsds_problem *problem, double *z,
                             nsds_solver_info *info);
/* Copies what another info says about the scale. */
void nsds_solver_copy_violation(nsds_solver_info *to, const nsds_solver_info *from);
/* Returns the violation of z; `certify_work` comes from nsds_solver_residual() of z. */
double nsds_solver_violation(nsds_solver *solver, const nsds_problem *problem, const double *z);

#endif
