#ifndef NSDS_SRC_EVENT_RETRY_H
#define NSDS_SRC_EVENT_RETRY_H

#include "kernel/events/event_driven.h"

/* A step begins. */
void nsds_retry_begin(nsds_event_driver *d);
/* It is about to settle its start. */
void nsds_retry_note(nsds_event_driver *d);
/* It has failed: all is as when it began, but for the integration. */
void nsds_retry_fail(nsds_event_driver *d);
/* The integration is made again from its start to the accepted state. */
nsds_status nsds_retry_return(nsds_event_driver *d);
/* It is accepted: the accepted state goes on from the mark of this step. */
void nsds_retry_accept(nsds_event_driver *d);

#endif
