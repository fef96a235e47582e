#ifndef NSDS_SRC_LOCAL_PROJECTION_H
#define NSDS_SRC_LOCAL_PROJECTION_H

#include "numerics/sweeps/local_problem.h"

/* Projected gradient alone, at most `steps` steps. */
void nsds_local_projection(const nsds_local *local, const double *q, int steps, double *z);

#endif
