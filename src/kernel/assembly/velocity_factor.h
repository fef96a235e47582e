#ifndef NSDS_SRC_VELOCITY_FACTOR_H
#define NSDS_SRC_VELOCITY_FACTOR_H

#include "kernel/assembly/velocity_error.h"

/* Returns the largest possible number of rows of B, once A and the lists of edges are there. */
int nsds_velocity_rows(nsds_velocity_work *t);
/* Computes B with B^T B = M_AA. */
void nsds_velocity_factor(nsds_velocity_work *t);
/* Computes R in the order of `row`, with the columns of B scaled. Returns the rank. `length` has n
 * places. */
int nsds_velocity_orthogonalise(nsds_velocity_work *t, double *length);

#endif
