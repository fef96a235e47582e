#ifndef NSDS_SRC_EVENT_RETRY_H
#define NSDS_SRC_EVENT_RETRY_H

#include "kernel/events/event_driven.h"

/* Makes the integration again from its start to the accepted state. */
nsds_status nsds_retry_return(nsds_event_driver *d);

#endif
