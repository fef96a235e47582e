#ifndef NSDS_SRC_ADVANCE_H
#define NSDS_SRC_ADVANCE_H

#include "numerics/ode/ode_internal.h"

/* Begins, or begins anew, at x(t), forgetting the past but for the step size as a first guess. */
nsds_status nsds_ode_start(nsds_ode *ode, double t, const double *x);
/* The next start finds its step size without the past, so that the same state gives the same steps.
 */
void nsds_ode_forget(nsds_ode *ode);
/* Which changes of g_i are roots. A function switched on is looked at as at a start. */
void nsds_ode_watch(nsds_ode *ode, int i, nsds_root_direction direction);
/* On which side g_i is where it is zero at a start: 1, -1; 0, the default: by its slope. Then to be
 * on the other side is a root, whatever the slope at the start. */
void nsds_ode_side(nsds_ode *ode, int i, int side);
/* Integrates to t_stop or to the first root before or at it; f is never evaluated beyond t_stop.
 * t and x are where it has come to, also on failure. After a root it may be called again and goes
 * on behind it. An end that is no further than the present time is reached at once. */
int nsds_ode_advance(nsds_ode *ode, double t_stop, double *t, double *x);
/* Lets the method take steps beyond t_stop, up to t: the right-hand side holds until there, and
 * times between are read from the dense output. Stays until it is set again. */
void nsds_ode_limit(nsds_ode *ode, double t);
/* The functions found at the last root, in order of i: at its time within the tolerance. The time
 * is the first at which they have reached zero or are beyond it. */
int nsds_ode_root_count(const nsds_ode *ode);
nsds_ode_root nsds_ode_root_at(const nsds_ode *ode, int k);
/* The dense output at a t of the last step; it may reach beyond the last root. */
nsds_status nsds_ode_interpolate(nsds_ode *ode, double t, double *x);
const nsds_ode_counters *nsds_ode_count(const nsds_ode *ode);
nsds_ode_cause nsds_ode_failure(const nsds_ode *ode);
/* The functions that are watched, in order. */
void nsds_ode_list_watched(nsds_ode *ode);

#endif
