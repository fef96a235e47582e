/*
 * Instances of solvers at work: their life, and runs. Solvers, drivers, and methods that use other
 * methods call these functions.
 */
#ifndef NSDS_SRC_SOLVER_RUN_H
#define NSDS_SRC_SOLVER_RUN_H

#include "numerics/solver_internal.h"
#include "numerics/solver_tools.h"

/* Creates an instance of `method`; with toolbox NULL it has its own. */
nsds_solver *nsds_solver_new(nsds_context *context, const nsds_method *method,
                             nsds_toolbox *toolbox);
/* Replaces the inner solver. */
nsds_status nsds_solver_give_inner(nsds_solver *solver, const nsds_method *method);
/* Fails with NSDS_ERROR_ARGUMENT if the solver is for another kind of problems. */
nsds_status nsds_solver_check_kind(const nsds_solver *solver, bool global, const char *call);
/* Makes nsds_solver_destroy() refuse this solver: its owner frees it. */
void nsds_solver_lend(nsds_solver *solver);
/* Frees a solver, whoever owns it; NULL is allowed. */
void nsds_solver_free(nsds_solver *solver);
/* Fails with NSDS_ERROR_STATE while the solver, or one that it is part of, is at work. */
nsds_status nsds_solver_check_idle(const nsds_solver *solver, const char *call);
/* Does nsds_solver_reserve() for a solver at work, or for a part of one. */
nsds_status nsds_solver_prepare(nsds_solver *solver, const nsds_problem *problem);
/* Work that a run may leave out, since it is done for this very problem. */
enum {
  NSDS_RUN_RESERVED = 1, /* the method has just reserved, and no other method since */
  NSDS_RUN_STAGE = 2 /* another run, of which this is a stage, has looked whether z = 0 solves */
};
/* Reserves, solves and certifies: one method from start to verdict. `known` has bits of the above. */
nsds_status nsds_solver_run(nsds_solver *solver, const nsds_problem *problem, double *z,
                            unsigned known, nsds_solver_info *info);
/*
 * Does the same for a sub-problem, with an instance that shares the toolbox. Overwrites the scratch
 * and the certifier's w.
 */
nsds_status nsds_solver_run_inner(nsds_solver *inner, const nsds_problem *problem, double *z,
                                  nsds_solver_info *info);
/* Returns a stamp that no caller uses, for matrices made here, or for a caller's matrix without
 * stamp during one solve. */
uint64_t nsds_private_stamp(nsds_toolbox *toolbox);
/* Returns the bits of the sets of a problem. */
static inline unsigned nsds_sets_present(const nsds_problem *problem) {
  unsigned sets = 0;
  for (int a = 0; a < problem->nblock; ++a)
    if (problem->block[a].size > 0) sets |= (unsigned)problem->block[a].set;
  return sets;
}
/* Begins a call of the user: notes the sets of the problem and sets the deadline. */
static inline void nsds_solver_open(nsds_solver *solver, const nsds_problem *problem) {
  nsds_solver_start_clock(solver);
  solver->toolbox->sets = nsds_sets_present(problem);
  solver->toolbox->proof = NULL;
}

/* Reserves the certifier's work. */
nsds_status nsds_reserve_certifier(nsds_solver *solver, const nsds_problem *problem);
/* Names the solver in the messages for lack of memory since `failures`; returns `status`. */
nsds_status nsds_solver_shortage(const nsds_solver *solver, unsigned long failures,
                                 nsds_status status);

#endif
