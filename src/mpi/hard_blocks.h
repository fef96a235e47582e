#ifndef NSDS_SRC_MPI_HARD_BLOCKS_H
#define NSDS_SRC_MPI_HARD_BLOCKS_H

#include "mpi/friction_blocks.h"

/* Solves the worst blocks and their neighbors on one process: up to `most` rows. Holds z of all other
 * blocks. Writes the answer to z, solved or not. Collective. */
nsds_status nsds_mpi_solve_hard_blocks(nsds_friction *t, const nsds_mpi_part *part, int most,
                                       double tolerance, double *z, double *work);

#endif
