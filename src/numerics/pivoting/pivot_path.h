#ifndef NSDS_SRC_PIVOT_PATH_H
#define NSDS_SRC_PIVOT_PATH_H

#include "numerics/pivoting/pivot_basis.h"

/* Solves a problem with M in CSC form into z; adds to the counts of info and sets its outcome. z is
 * written only where that is NSDS_SOLVED. After a ray up to `restarts` other d are tried. `dense`:
 * so are the factors. `pivots`: by default. */
nsds_status nsds_path_solve(nsds_path *path, nsds_solver *solver, const nsds_problem *problem,
                            nsds_path_start start, int restarts, bool dense, int pivots, double *z,
                            nsds_solver_info *info);

#endif
