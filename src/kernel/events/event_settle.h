#ifndef NSDS_SRC_EVENT_SETTLE_H
#define NSDS_SRC_EVENT_SETTLE_H

#include "kernel/events/event_driven.h"

/* Settles the event at the trial state, whose rows are marked: velocities, modes and report.
 * `outside`: the program may have changed the model before. */
nsds_status nsds_settle(nsds_event_driver *d, bool outside, bool *impact);
/* Shows the new activity of contacts in the model. */
void nsds_settle_show(nsds_event_driver *d);
/* Drops the new activity: the step has failed or is given up. */
static inline void nsds_settle_drop(nsds_event_driver *d) { d->settled = false; }

#endif
