#ifndef NSDS_SRC_LOCATE_H
#define NSDS_SRC_LOCATE_H

#include "numerics/ode/ode_internal.h"

/* Rounding of g_i at the panel, which has been sampled. */
int nsds_roots_band(nsds_ode *ode, int i, double *band);
/* Time within which a root near t is located. */
double nsds_root_tolerance(const nsds_ode *ode, double t);
/* g at t, strictly between the ends of the crossing, becomes one of them. */
int nsds_root_shrink(nsds_ode *ode, int i, nsds_crossing *crossing, double t);
/* Locates a crossing, which is expected at `guess`, g falling or rising there with `slope`. */
int nsds_root_locate(nsds_ode *ode, int i, nsds_crossing *crossing, double guess, double slope);
/* The least of side * g_i over [low, high], starting at t, g between; below -band it is enough. */
int nsds_root_least(nsds_ode *ode, int i, int side, double band, double low, double high, double *t,
                    double *g);

#endif
