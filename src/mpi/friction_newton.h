#ifndef NSDS_SRC_MPI_FRICTION_NEWTON_H
#define NSDS_SRC_MPI_FRICTION_NEWTON_H

#include "mpi/friction_blocks.h"

/* Newton's method from z, the best point so far, whose merit is above 1. Ends after some steps, or if
 * info->iterations reaches the limit. z becomes the best point. Collective. */
nsds_status nsds_mpi_newton_friction(nsds_friction *t, double tolerance, int limit, double *z,
                                     double *work, nsds_mpi_info *info);

#endif
