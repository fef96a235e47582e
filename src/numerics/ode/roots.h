#ifndef NSDS_SRC_ROOTS_H
#define NSDS_SRC_ROOTS_H

#include "numerics/ode/ode_internal.h"

/* Makes all functions fresh at t. */
void nsds_roots_start(nsds_ode *ode, double t);
/* Searches [from, to] of the last step. */
int nsds_roots_panel(nsds_ode *ode, double from, double to);
/* Searches the panel again behind `at` if functions have been switched on since. */
int nsds_roots_late(nsds_ode *ode);
/* Gives the panel up at the present time, from where the step is repeated. */
void nsds_roots_retreat(nsds_ode *ode);
/* Writes the time of the next root of the panel; INFINITY: none. */
int nsds_roots_next(nsds_ode *ode, double *t);
/* Goes to the root at t: lists the functions found there and returns the time by which all have
 * crossed. */
double nsds_roots_take(nsds_ode *ode, double t);
/* Marks the unwatched crossings up to t as passed. */
void nsds_roots_pass(nsds_ode *ode, double t);

#endif
