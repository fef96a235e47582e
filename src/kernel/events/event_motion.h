#ifndef NSDS_SRC_EVENT_MOTION_H
#define NSDS_SRC_EVENT_MOTION_H

#include "kernel/events/event_driven.h"

/* The trial state from x. */
void nsds_motion_take(nsds_event_driver *d, double elapsed, const double *x);
/* The trial state from d->x, with quaternions of length 1, at time t. */
void nsds_motion_arrive(nsds_event_driver *d, double elapsed, double t);
/* Quaternions in q become as long as 1. */
void nsds_motion_straighten(const nsds_event_driver *d, double *q);
/* Plan, rows and sizes for the model as it is. With `search`, contacts of sets are searched anew. */
nsds_status nsds_motion_renew(nsds_event_driver *d, bool search);
/* The integration begins at the trial state. */
nsds_status nsds_motion_start(nsds_event_driver *d);
/* The integration goes on with what `ode` reads, at the accepted state. */
void nsds_motion_continue(nsds_event_driver *d, nsds_archive *ode);
/* Marks the rows whose mode ends at the trial state; whether all of them are gaps, which may have come
 * close and no more. */
bool nsds_motion_mark(nsds_event_driver *d);
/* Whether nothing has happened at the last root but that joints have drifted; but that bodies have
 * come so far that contacts may be near that sets have not found. */
bool nsds_motion_drifts(const nsds_event_driver *d);
bool nsds_motion_strays(const nsds_event_driver *d);
/* The right-hand side holds until then, where something `scheduled` may change it. */
void nsds_motion_limit(nsds_event_driver *d, double horizon, bool scheduled);
/* The start of a run, after changes from `outside` and searches: an event at the trial state. */
nsds_status nsds_motion_settle(nsds_event_driver *d, bool outside, bool *impact);
/* Functions that are watched, for the rows as they are. */
void nsds_motion_watch(nsds_event_driver *d);

/* Events this close to each other, by their time, are at one instant: where several rows let go
 * together, each is located within rounding of the others. */
static const double nsds_instant = 1e-13;

/* To the time of the clock or a root, whichever comes first: d->reached, d->searches. */
nsds_status nsds_integrate_to_root(nsds_event_driver *d);
/* lambda, and y and dy/dt, of the trial state. */
nsds_status nsds_event_evaluate(nsds_event_rows *s);
/* Where nothing is wanted on the grid, the step leads to what is scheduled, or the end. */
void nsds_event_aim_further(nsds_event_driver *d);
/* The clock for an event at t, before the time aimed at. */
void nsds_event_stop_at(nsds_simulation *sim, double t);
/* Whether the integration under way is that of the model as it is. */
bool nsds_motion_is_untouched(const nsds_event_driver *d);

#endif
