#ifndef NSDS_SRC_EVENT_ARCHIVE_H
#define NSDS_SRC_EVENT_ARCHIVE_H

#include "kernel/events/event_driven.h"

/* What is saved; the next step goes on with the integration that has come back, unless
 * something changes before. Does so, where it can. */
void nsds_event_archive(nsds_simulation *sim, nsds_archive *a);
void nsds_event_resume(nsds_simulation *sim, bool same);
nsds_status nsds_event_go_on(nsds_event_driver *d);
/* The same integration once more, for rows that are listed; false where it cannot. */
bool nsds_event_go_back(nsds_event_driver *d);

#endif
