#ifndef NSDS_SRC_PIVOT_PATH_H
#define NSDS_SRC_PIVOT_PATH_H

#include "numerics/pivoting/pivot_basis.h"

/* Solves a problem with M in CSC form into z; adds to the counts of info and sets its outcome. Only
 * the outcome NSDS_SOLVED writes z. After a ray up to `restarts` other d are tried. `dense`: use
 * dense factors. */
nsds_status nsds_path_solve(nsds_path *path, nsds_solver *solver, const nsds_problem *problem,
                            nsds_path_start start, int restarts, bool dense, double *z,
                            nsds_solver_info *info);

#endif
