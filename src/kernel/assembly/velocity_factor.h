#ifndef NSDS_SRC_VELOCITY_FACTOR_H
#define NSDS_SRC_VELOCITY_FACTOR_H

#include "kernel/assembly/velocity_error.h"

/* Rows that B can have at most, once A and the lists of edges are there. */
int nsds_velocity_rows(nsds_velocity_work *t);
/* B with B^T B = M_AA. */
void nsds_velocity_factor(nsds_velocity_work *t);
/* R in the order of `row`, the columns of B scaled; returns the rank. `length` has n places. */
int nsds_velocity_orthogonalise(nsds_velocity_work *t, double *length);

#endif
