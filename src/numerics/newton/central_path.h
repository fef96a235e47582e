#ifndef NSDS_SRC_CENTRAL_PATH_H
#define NSDS_SRC_CENTRAL_PATH_H

#include "numerics/newton/continuation.h"

/* Whether all units are contacts with friction. */
bool nsds_paths_serve(const nsds_sweeps *sweeps);
/* Follows the central path as far as it leads, by the steps in velocities of the equations, and
 * offers its points to the watch; the centre of the equations is 0 then. *over where the solve is. */
nsds_status nsds_central_path_follow(const nsds_path_room *room, nsds_equations *law, bool *over);

#endif
