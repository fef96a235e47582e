#ifndef NSDS_SRC_GLOBAL_ITERATE_H
#define NSDS_SRC_GLOBAL_ITERATE_H

#include "numerics/global/global_state.h"

/* Computes velocities and multipliers of reactions r into state->x. Returns the rest of the
 * equality rows, see nsds_eliminate(). */
double nsds_global_velocities(nsds_global_run *run, const double *r);
/* Computes the same and returns the residual; keeps the best. `run` is an nsds_global_run. */
double nsds_global_offer(void *run, const double *r);
/* Appends the method to info->path, after " > " if the path is not empty, with its inner method
 * (NULL: none) and outcome. The outcome is info->outcome unless the best point solves. */
void nsds_global_path(nsds_global_run *run, const char *method, const char *inner);
/* Copies n doubles; n may be 0. */
void nsds_global_copy(double *to, const double *from, int n);
/* Certifies r with the velocities of the state, and keeps them if the residual is the best so far.
 * Returns the residual. */
double nsds_global_keep(nsds_global_run *run, const double *r);

#endif
