#ifndef NSDS_SRC_SOLVER_H
#define NSDS_SRC_SOLVER_H

#include "numerics/watch.h"

void nsds_add_name(nsds_name_list *list, const char *name);
/* The method of this name, built in or registered in the context; NULL: none. */
const nsds_method *nsds_method_named(const nsds_context *context, const char *name);
/* An instance of `method`; toolbox NULL: its own. */
nsds_solver *nsds_solver_new(nsds_context *context, const nsds_method *method,
                             nsds_toolbox *toolbox);
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
/* Certified residual of a point; w, the size of its terms and d (certify.h) are in certify_work
 * then. worst_block may be NULL. */
double nsds_solver_residual(const nsds_solver *solver, const nsds_problem *problem, const double *z,
                            int *worst_block);
/* The outcome of z, whose residual in info and whose w are those of nsds_solver_residual(). */
void nsds_solver_judge(nsds_solver *solver, const nsds_problem *problem, const double *z,
                       nsds_solver_info *info);
/* A stamp no caller gives: matrices made here, or a caller's unstamped one during one solve. */
uint64_t nsds_private_stamp(nsds_toolbox *toolbox);
/* At least `count` doubles of scratch in the toolbox. */
nsds_status nsds_solver_scratch(nsds_solver *solver, size_t count);
/* Notes the sets of the problem and sets the deadline: the start of a call of the user. */
void nsds_solver_open(nsds_solver *solver, const nsds_problem *problem);
/* The time limit counts from here; seconds left of it, infinity without one. */
void nsds_solver_start_clock(nsds_solver *solver);
double nsds_solver_time_left(const nsds_solver *solver);
/* True when the user or the clock wants the solve to end. */
bool nsds_solver_interrupted(const nsds_solver *solver, int iteration, double residual);
/* After so many iterations: NSDS_SOLVED where another may begin, NSDS_NOT_CONVERGED at the limit, or
 * NSDS_INTERRUPTED. */
static inline nsds_outcome nsds_watch_allows(const nsds_watch *watch, int done) {
  if (done >= watch->limit) return NSDS_NOT_CONVERGED;
  return nsds_solver_interrupted(watch->solver, done + 1, watch->best) ? NSDS_INTERRUPTED
                                                                       : NSDS_SOLVED;
}

#endif
