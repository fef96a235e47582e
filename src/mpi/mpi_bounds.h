#ifndef NSDS_SRC_MPI_BOUNDS_H
#define NSDS_SRC_MPI_BOUNDS_H

#include "mpi/whole.h"

/* Solves rows with bounds from z, up to this residual before the certificate. */
nsds_status nsds_mpi_solve_bounds(nsds_whole *whole, double tolerance, int limit, double *z,
                                  double *work, nsds_mpi_info *info);

#endif
