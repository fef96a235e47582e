#ifndef NSDS_SRC_SOLVER_H
#define NSDS_SRC_SOLVER_H

#include "numerics/watch.h"

void nsds_add_name(nsds_name_list *list, const char *name);
/* An instance of `method`; toolbox NULL: its own. */
nsds_solver *nsds_solver_new(nsds_context *context, const nsds_method *method,
                             nsds_toolbox *toolbox);
/* Another inner solver, in place of the one before. */
nsds_status nsds_solver_give_inner(nsds_solver *solver, const nsds_method *method);
/* Fails with NSDS_ERROR_ARGUMENT where the solver is not one of problems of this kind. */
nsds_status nsds_solver_check_kind(const nsds_solver *solver, bool global, const char *call);
/* From now on nsds_solver_destroy() is refused: its owner frees it. */
void nsds_solver_lend(nsds_solver *solver);
/* Frees it, whoever it belongs to; NULL is allowed. */
void nsds_solver_free(nsds_solver *solver);
/* Fails with NSDS_ERROR_STATE while the solver, or one that it is part of, is at work. */
nsds_status nsds_solver_check_idle(const nsds_solver *solver, const char *call);
/* nsds_solver_reserve() for a solver at work, or a part of one. */
nsds_status nsds_solver_prepare(nsds_solver *solver, const nsds_problem *problem);
/* Reserves, solves, certifies: one method from start to verdict. `reserved`: its method has just
 * done that for this very problem, and no other since. */
nsds_status nsds_solver_run(nsds_solver *solver, const nsds_problem *problem, double *z,
                            bool reserved, nsds_solver_info *info);
/*
 * The same for a sub-problem: an instance with the same toolbox from `z` to its verdict. Overwrites the scratch
 * and the certifier's w.
 */
nsds_status nsds_solver_run_inner(nsds_solver *inner, const nsds_problem *problem, double *z,
                                  nsds_solver_info *info);
/* The outcome of z, whose residual in info and whose w are those of nsds_solver_residual(). */
void nsds_solver_judge(nsds_solver *solver, const nsds_problem *problem, const double *z,
                       nsds_solver_info *info);
/* A stamp no caller gives: matrices made here, or a caller's unstamped one during one solve. */
uint64_t nsds_private_stamp(nsds_toolbox *toolbox);
/* Notes the sets of the problem and sets the deadline: the start of a call of the user. */
void nsds_solver_open(nsds_solver *solver, const nsds_problem *problem);

#endif
