/*
 * The whole problem on one process, for problems that sweeps do not solve.
 */
#ifndef NSDS_SRC_MPI_GATHER_H
#define NSDS_SRC_MPI_GATHER_H

#include "mpi/whole.h"

/* Solves a problem of friction on rank 0 with the method `auto`, from z. `chosen` NULL: the whole problem.
 * Else: the chosen blocks of each process, with w = M z + q. Writes the answer to their rows of z on all
 * ranks, solved or not. Collective. */
nsds_status nsds_gather_and_solve(nsds_whole *whole, const nsds_mpi_part *part, const bool *chosen,
                                  const double *w, double tolerance, double *z);

#endif
