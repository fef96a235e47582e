#ifndef NSDS_SRC_EVENT_MARK_H
#define NSDS_SRC_EVENT_MARK_H

#include "kernel/events/event_driven.h"

/* Room for marks of the rows as they are. */
nsds_status nsds_event_mark_reserve(nsds_event_driver *d);
/* A mark of them, of a start of the integration or before one is settled. */
void nsds_event_mark_take(nsds_event_driver *d, nsds_event_mark *mark, bool integrates);

#endif
