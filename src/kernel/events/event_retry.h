#ifndef NSDS_SRC_EVENT_RETRY_H
#define NSDS_SRC_EVENT_RETRY_H

#include "kernel/events/event_driven.h"

/* Makes the integration again from its start to the accepted state. */
nsds_status nsds_retry_return(nsds_event_driver *d);
/* Makes the integration of a failed step again before it is archived, as the next step would. If
 * this fails too, that step tries again. */
void nsds_retry_before_archive(nsds_event_driver *d);

#endif
