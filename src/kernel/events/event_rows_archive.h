#ifndef NSDS_SRC_EVENT_ROWS_ARCHIVE_H
#define NSDS_SRC_EVENT_ROWS_ARCHIVE_H

#include "base/archive.h"
#include "kernel/events/event_rows.h"

/* Archives rows. READ puts them aside for the next list. */
void nsds_event_rows_archive(nsds_event_rows *s, struct nsds_archive *a);
/* Archives the data of an integration between events, for the listed rows. */
void nsds_event_rows_archive_motion(nsds_event_rows *s, struct nsds_archive *a);

#endif
