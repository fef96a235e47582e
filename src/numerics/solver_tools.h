#ifndef NSDS_SRC_SOLVER_TOOLS_H
#define NSDS_SRC_SOLVER_TOOLS_H

#include "numerics/solver_internal.h"

/* Returns the certified residual of a point. certify_work then holds w, the size of its terms and d
 * (certify.h). worst_block may be NULL. */
double nsds_solver_residual(const nsds_solver *solver, const nsds_problem *problem, const double *z,
                            int *worst_block);
/* Reserves at least `count` doubles of scratch in the toolbox. */
nsds_status nsds_solver_scratch(nsds_solver *solver, size_t count);
/* Starts the time limit. */
void nsds_solver_start_clock(nsds_solver *solver);
/* Returns the seconds left; infinity without a time limit. */
double nsds_solver_time_left(const nsds_solver *solver);
/* Returns true if the user or the clock wants the solve to end. */
bool nsds_solver_interrupted(const nsds_solver *solver, int iteration, double residual);

#endif
