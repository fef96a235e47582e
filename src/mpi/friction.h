#ifndef NSDS_SRC_MPI_FRICTION_H
#define NSDS_SRC_MPI_FRICTION_H

#include "mpi/kept.h"

/* Solves a factored problem from z. `kept` fits it, or is NULL. Whole problems of up to `gather` rows go to
 * one process after that many sweeps. */
nsds_status nsds_mpi_solve_friction(nsds_whole *whole, const nsds_mpi_part *part,
                                    const nsds_kept *kept, double tolerance, int limit, int gather,
                                    int after, bool reproducible, double *z, double *work,
                                    nsds_mpi_info *info);

#endif
