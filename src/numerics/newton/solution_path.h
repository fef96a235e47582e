#ifndef NSDS_SRC_SOLUTION_PATH_H
#define NSDS_SRC_SOLUTION_PATH_H

#include "numerics/newton/continuation.h"

/* Follows solutions from that for law->e and law->centre on, with at most `limit` factorisations.
 * On entry z (n) is the center, on return the last point. *over says that the solve is over. */
nsds_status nsds_solution_path_follow(const nsds_path_room *room, nsds_equations *law, int limit,
                                      double *z, bool *over);

#endif
