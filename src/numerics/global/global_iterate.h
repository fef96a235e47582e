#ifndef NSDS_SRC_GLOBAL_ITERATE_H
#define NSDS_SRC_GLOBAL_ITERATE_H

#include "numerics/global/global_solver.h"

/* Velocities and multipliers to reactions r, into state->x; what is left of the equality rows,
 * see nsds_eliminate(). */
double nsds_global_velocities(nsds_global_run *run, const double *r);
/* The same, and their residual. The best are kept. `run` is an nsds_global_run. */
double nsds_global_offer(void *run, const double *r);
/* Appends to info->path, behind " > " where there is something: the method, its inner one (NULL:
 * none), and the outcome, which is info->outcome unless the best point solves. */
void nsds_global_path(nsds_global_run *run, const char *method, const char *inner);
/* Copies n doubles; n may be 0. */
void nsds_global_copy(double *to, const double *from, int n);
/* Keeps what r gives, with the velocities of the state, if its certified residual is the best so far; returns it. */
double nsds_global_keep(nsds_global_run *run, const double *r);

#endif
