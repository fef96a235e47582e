/*
 * The whole problem on one process, for problems that sweeps do not solve.
 */
#ifndef NSDS_SRC_MPI_GATHER_H
#define NSDS_SRC_MPI_GATHER_H

#include "mpi/whole.h"

/* Solves the whole problem of friction on rank 0 with the method `auto`, from z. Writes the answer to z
 * on all ranks, solved or not. Collective. */
nsds_status nsds_gather_and_solve(nsds_whole *whole, const nsds_mpi_part *part, double tolerance,
                                  double *z);

#endif
