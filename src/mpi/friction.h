#ifndef NSDS_SRC_MPI_FRICTION_H
#define NSDS_SRC_MPI_FRICTION_H

#include "mpi/whole.h"

/* Solves a factored problem from z. Whole problems of up to `gather` rows may go to one process. */
nsds_status nsds_mpi_solve_friction(nsds_whole *whole, const nsds_mpi_part *part, double tolerance,
                                    int limit, int gather, bool reproducible, double *z,
                                    double *work, nsds_mpi_info *info);

#endif
