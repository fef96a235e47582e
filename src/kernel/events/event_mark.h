#ifndef NSDS_SRC_EVENT_MARK_H
#define NSDS_SRC_EVENT_MARK_H

#include "kernel/events/event_driven.h"

/* Room for marks of the rows as they are. */
nsds_status nsds_marks_reserve(nsds_event_driver *d);
/* Marks the rows, and the start of the integration where it begins here. */
void nsds_mark_take(nsds_event_driver *d, nsds_event_mark *mark, bool integrates);
void nsds_marks_destroy(nsds_event_driver *d);

#endif
