#ifndef NSDS_SRC_EVENT_WINDOW_H
#define NSDS_SRC_EVENT_WINDOW_H

#include "kernel/events/event_driven.h"

/* Reserves windows with steps of about this length. */
nsds_status nsds_window_reserve(nsds_event_driver *d, double step);
/* Steps from the accepted state to `end`. The simulation must then settle anew. */
nsds_status nsds_window_take(nsds_event_driver *d, double end, int steps);
void nsds_window_destroy(nsds_event_driver *d);

#endif
