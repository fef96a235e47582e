#ifndef NSDS_SRC_SOLUTION_PATH_H
#define NSDS_SRC_SOLUTION_PATH_H

#include "numerics/newton/continuation.h"

/* Follows solutions from that for law->e and law->centre on, at most `limit` factorisations. z (n) is the
 * centre to begin with, and the last point then. *over: the solve is. */
nsds_status nsds_solution_path_follow(const nsds_path_room *room, nsds_equations *law, int limit,
                                      double *z, bool *over);

#endif
