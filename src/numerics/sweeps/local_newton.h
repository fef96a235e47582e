#ifndef NSDS_SRC_LOCAL_NEWTON_H
#define NSDS_SRC_LOCAL_NEWTON_H

#include "numerics/sweeps/local_problem.h"

/* Damped Newton alone. Returns true if the equation is met to rounding. */
bool nsds_local_newton(const nsds_local *local, const double *q, double *z);

#endif
