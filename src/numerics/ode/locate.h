#ifndef NSDS_SRC_LOCATE_H
#define NSDS_SRC_LOCATE_H

#include "numerics/ode/ode_internal.h"

/* Writes the rounding of g_i on the sampled panel. */
int nsds_roots_band(nsds_ode *ode, int i, double *band);
/* Returns the tolerance of the time of a root near t. */
double nsds_root_tolerance(const nsds_ode *ode, double t);
/* Evaluates g at t, strictly inside the crossing, and moves one end of the crossing to t. */
int nsds_root_shrink(nsds_ode *ode, int i, nsds_crossing *crossing, double t);
/* Locates a crossing. `guess` is the expected time, `slope` the slope of g there. */
int nsds_root_locate(nsds_ode *ode, int i, nsds_crossing *crossing, double guess, double slope);
/* Finds the least side * g_i over [low, high], from *t in between with value *g; stops early below
 * -band. */
int nsds_root_least(nsds_ode *ode, int i, int side, double band, double low, double high, double *t,
                    double *g);

#endif
