#ifndef NSDS_SRC_CENTRAL_PATH_H
#define NSDS_SRC_CENTRAL_PATH_H

#include "numerics/newton/continuation.h"

/* Returns true if all units are contacts with friction. */
bool nsds_paths_serve(const nsds_sweeps *sweeps);
/* Follows the central path as far as it leads, with steps in the velocities of the equations.
 * Offers its points to the watch. Sets the center of the equations to 0, and *over if the solve is
 * over. */
nsds_status nsds_central_path_follow(const nsds_path_room *room, nsds_equations *law, bool *over);

#endif
