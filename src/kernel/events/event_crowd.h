#ifndef NSDS_SRC_EVENT_CROWD_H
#define NSDS_SRC_EVENT_CROWD_H

#include "kernel/events/event_driven.h"

/* Counts an event; fails where there are too many. */
nsds_status nsds_event_crowded(nsds_event_driver *d);
/* Fails: gaps have come to zero by the errors of the integration alone, too often. */
nsds_status nsds_event_touched_in_vain(nsds_event_driver *d);

#endif
