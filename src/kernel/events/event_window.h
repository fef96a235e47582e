#ifndef NSDS_SRC_EVENT_WINDOW_H
#define NSDS_SRC_EVENT_WINDOW_H

#include "kernel/events/event_driven.h"

/* Memory for windows, of steps of about this length; from the accepted state to the time
 * `end`, after which the simulation settles anew. */
nsds_status nsds_window_reserve(nsds_event_driver *d, double step);
nsds_status nsds_window_take(nsds_event_driver *d, double end, int steps);
void nsds_window_destroy(nsds_event_driver *d);

#endif
