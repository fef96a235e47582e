#ifndef NSDS_SRC_ADVANCE_H
#define NSDS_SRC_ADVANCE_H

#include "numerics/ode/ode_internal.h"

/* Starts at x(t). Only the last step size is kept, as a first guess. */
nsds_status nsds_ode_start(nsds_ode *ode, double t, const double *x);
/* Makes the next start choose its step size anew, so that equal states give equal steps. */
void nsds_ode_forget(nsds_ode *ode);
/* Sets which changes of g_i are roots. A function just switched on is treated as at a start. */
void nsds_ode_watch(nsds_ode *ode, int i, nsds_root_direction direction);
/* Sets the side of g_i for starts at which g_i is zero: 1, -1, or 0 (default) to follow the slope.
 * With 1 or -1 a change to the other side is a root, whatever the slope. */
void nsds_ode_side(nsds_ode *ode, int i, int side);
/* Stops the integration. A function of the problem calls this and asks for a smaller step. */
void nsds_ode_stop(nsds_ode *ode);
/* Integrates to t_stop, or to the first root up to t_stop. Evaluates f beyond t_stop only if
 * nsds_ode_limit() allows it. The point reached is written to t and x, also after a failure. Call
 * again to go on behind a root. A t_stop not beyond the present time is reached at once. */
int nsds_ode_advance(nsds_ode *ode, double t_stop, double *t, double *x);
/* Lets the method step beyond t_stop, up to t, until the next call. The right-hand side must hold
 * up to t; times between are read from the dense output. */
void nsds_ode_limit(nsds_ode *ode, double t);
/* Returns the number of functions found at the last root. The root's time is the first at which all
 * of them, within the tolerance, have reached zero or gone beyond. */
int nsds_ode_root_count(const nsds_ode *ode);
/* Returns function k of the last root, in order of i. */
nsds_ode_root nsds_ode_root_at(const nsds_ode *ode, int k);
/* Writes the dense output at a time t of the last step, also beyond the last root. */
nsds_status nsds_ode_interpolate(nsds_ode *ode, double t, double *x);
const nsds_ode_counters *nsds_ode_count(const nsds_ode *ode);
nsds_ode_cause nsds_ode_failure(const nsds_ode *ode);
/* Lists the watched functions, in order of i. */
void nsds_ode_list_watched(nsds_ode *ode);

#endif
