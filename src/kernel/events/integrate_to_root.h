#ifndef NSDS_SRC_INTEGRATE_TO_ROOT_H
#define NSDS_SRC_INTEGRATE_TO_ROOT_H

#include "kernel/events/event_driven.h"

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
