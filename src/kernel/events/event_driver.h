#ifndef NSDS_SRC_EVENT_DRIVER_H
#define NSDS_SRC_EVENT_DRIVER_H

#include "kernel/events/event_driven.h"

/* Returns the driver, or NULL for another simulation or NULL. */
nsds_event_driver *nsds_event_driver_if(const nsds_simulation *sim);

#endif
