#ifndef NSDS_SRC_MPI_FRICTION_H
#define NSDS_SRC_MPI_FRICTION_H

#include "mpi/whole.h"

/* Solves a factored problem from z. `id` names the blocks, see nsds_mpi_part. */
nsds_status nsds_mpi_solve_friction(nsds_whole *whole, const long long *id, double tolerance,
                                    int limit, bool reproducible, double *z, double *work,
                                    nsds_mpi_info *info);

#endif
