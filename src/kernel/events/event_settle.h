#ifndef NSDS_SRC_EVENT_SETTLE_H
#define NSDS_SRC_EVENT_SETTLE_H

#include "kernel/events/event_driven.h"

/* Settles the event at the trial state, whose rows are marked: velocities, modes and report.
 * `outside`: the program may have changed the model before. */
nsds_status nsds_settle(nsds_event_driver *d, bool outside, bool *impact);
/* Shows in the model which contacts are active after an event: closed, or hit. */
void nsds_settle_show_new(nsds_event_driver *d);
/* Does so, if rows have settled since. */
static inline void nsds_settle_show(nsds_event_driver *d) {
  if (NSDS_UNLIKELY(d->settled)) nsds_settle_show_new(d);
}
/* Drops the new activity: the step has failed or is given up. */
static inline void nsds_settle_drop(nsds_event_driver *d) { d->settled = false; }

#endif
