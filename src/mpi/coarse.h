/*
 * The next level of a distributed matrix by smoothed aggregation.
 */
#ifndef NSDS_SRC_MPI_COARSE_H
#define NSDS_SRC_MPI_COARSE_H

#include "mpi/whole.h"

#include <petscmat.h>

/* The problem with bounds on one level; the rows of a process are columns in `i`, see nsds_whole. */
typedef struct nsds_mpi_level {
  nsds_whole rows;
  Mat A, P; /* P: from the next level to this one */
  int n, all;
  const int *p, *i;
  const double *x;
  int *own_p, *own_i; /* of levels below the first */
  double *own_x;
  double *diagonal, *outer; /* of A, and sums |a_ij| over rows of others */
  double *near;             /* a vector that A hardly sees */
  int *of;                  /* aggregate of each row, of this process; -1: none */
  double *q, *lower, *upper, *z, *w, *s, *step;
} nsds_mpi_level;

/* Fills diagonal, outer and near of a level whose matrix and exchange are there. */
void nsds_mpi_level_look(nsds_mpi_level *level);

/* Makes next->A and level->P, and the exchange and arrays of the next level. *made is false if
 * coarsening stalls. */
nsds_status nsds_mpi_coarsen(nsds_mpi_level *level, nsds_mpi_level *next, double strength,
                             bool *made);

/* Allocates the arrays of a level of n rows. */
nsds_status nsds_mpi_level_hold(nsds_mpi_level *level, nsds_mpi *mpi);
void nsds_mpi_level_free(nsds_mpi_level *level);

#endif
