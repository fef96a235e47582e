#ifndef NSDS_SRC_EVENT_SETTLE_H
#define NSDS_SRC_EVENT_SETTLE_H

#include "kernel/events/event_driven.h"

/* The event at the trial state, whose rows have been marked; velocities after it, modes,
 * and the report. With `outside` the program may have changed the model before. */
nsds_status nsds_settle(nsds_event_driver *d, bool outside, bool *impact);
/* Which contacts are active since, into the model. */
void nsds_settle_show(nsds_event_driver *d);
/* They are not wanted: the step has failed, or is given up. */
static inline void nsds_settle_drop(nsds_event_driver *d) { d->settled = false; }

#endif
