#ifndef NSDS_SRC_EVENT_RETRY_H
#define NSDS_SRC_EVENT_RETRY_H

#include "kernel/events/event_driven.h"

/* The accepted state goes on from the mark of this step. */
void nsds_retry_accept(nsds_event_driver *d);
/* A step begins; is about to settle its start where that is called for; has failed: all is as when it
 * began, but for the integration, which is made again from its start to the accepted state by the
 * last of these. */
void nsds_retry_begin(nsds_event_driver *d);
void nsds_retry_note(nsds_event_driver *d);
void nsds_retry_fail(nsds_event_driver *d);
nsds_status nsds_retry_return(nsds_event_driver *d);
void nsds_retry_destroy(nsds_event_driver *d);

#endif
