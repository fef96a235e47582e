#ifndef NSDS_SRC_EVENT_ARCHIVE_H
#define NSDS_SRC_EVENT_ARCHIVE_H

#include "kernel/events/event_driven.h"

/* Archives the data of the driver. */
void nsds_event_archive(nsds_simulation *sim, nsds_archive *a);
/* Prepares the next step to continue the integration read, unless the model changes before. */
void nsds_event_resume(nsds_simulation *sim, bool same);
/* Continues the integration read, if possible. */
nsds_status nsds_event_go_on(nsds_event_driver *d);
/* Reads the same integration once more, for rows already listed. Returns false if this fails. */
bool nsds_event_go_back(nsds_event_driver *d);

#endif
