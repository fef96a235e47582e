#ifndef NSDS_SRC_EVENT_MOTION_H
#define NSDS_SRC_EVENT_MOTION_H

#include "kernel/events/event_driven.h"

/* Sets the trial state to x. */
void nsds_motion_take(nsds_event_driver *d, double elapsed, const double *x);
/* Sets the trial state to d->motion.x at time t, with quaternions of length 1. */
void nsds_motion_arrive(nsds_event_driver *d, double elapsed, double t);
/* Scales quaternions in q to length 1. */
void nsds_motion_straighten(const nsds_event_driver *d, double *q);
/* Updates plan, rows and sizes for the present model. `search`: searches contacts of sets anew. */
nsds_status nsds_motion_renew(nsds_event_driver *d, bool search);
/* Starts the integration at the trial state. */
nsds_status nsds_motion_start(nsds_event_driver *d);
/* Continues the integration that `ode` reads, at the accepted state. */
void nsds_motion_continue(nsds_event_driver *d, nsds_archive *ode);
/* Marks the rows whose mode ends at the trial state. Returns true if all are open gaps, which may
 * only have come close. */
bool nsds_motion_mark(nsds_event_driver *d);
/* Returns true if drift of joints is the only root. */
bool nsds_motion_drifts(const nsds_event_driver *d);
/* Returns true if no mode ends at the last root, but contacts may be near that sets have not
 * found. */
bool nsds_motion_strays(const nsds_event_driver *d);
/* Returns true if a function of a system or relation jumps at the present time of the clock. */
bool nsds_motion_turns(const nsds_event_driver *d);
/* Limits the integration to `horizon`. `scheduled`: an event there may change the right-hand
 * side. */
void nsds_motion_limit(nsds_event_driver *d, double horizon, bool scheduled);
/* Settles the start of a run, or of a step after changes from `outside` or before a search, as at
 * an event. */
nsds_status nsds_motion_settle(nsds_event_driver *d, bool outside, bool *impact);
/* Tells the integrator the functions to watch for the present rows. */
void nsds_motion_watch(nsds_event_driver *d);

/* Integrates to the time of the clock or a root, whichever comes first. Sets d->reached and
 * d->searches. */
nsds_status nsds_motion_to_root(nsds_event_driver *d);
/* Computes lambda, y and dy/dt of the trial state. */
nsds_status nsds_motion_evaluate(nsds_event_rows *s);
/* Without a grid, aims the step at the next scheduled event or the end. */
void nsds_motion_aim_further(nsds_event_driver *d);
/* Sets the end of the step to an event at t, if this is before the time aimed at. */
void nsds_motion_stop_at(nsds_simulation *sim, double t);
/* Returns true if the present integration still belongs to the model. */
bool nsds_motion_is_untouched(const nsds_event_driver *d);

#endif
