#ifndef NSDS_SRC_ROOTS_H
#define NSDS_SRC_ROOTS_H

#include "numerics/ode/ode_internal.h"

/* Everything is fresh again at t. */
void nsds_roots_start(nsds_ode *ode, double t);
/* Looks at [from, to] of the last step, or behind `at` at functions switched on since. */
int nsds_roots_panel(nsds_ode *ode, double from, double to);
int nsds_roots_late(nsds_ode *ode);
/* The panel is given up at the present time, from where the step is made anew. */
void nsds_roots_retreat(nsds_ode *ode);
/* Time of the next root of the panel, INFINITY: none. */
int nsds_roots_next(nsds_ode *ode, double *t);
/* Goes to t; lists the functions found there where t is that of a root, and returns their time. */
double nsds_roots_take(nsds_ode *ode, double t);
void nsds_roots_pass(nsds_ode *ode, double t);

#endif
