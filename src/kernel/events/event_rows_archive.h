#ifndef NSDS_SRC_EVENT_ROWS_ARCHIVE_H
#define NSDS_SRC_EVENT_ROWS_ARCHIVE_H

#include "base/archive.h"
#include "kernel/events/event_rows.h"

/* Rows, which READ puts aside for the next list; what an integration goes on with
 * between events, for the rows as they are listed. */
void nsds_event_rows_archive(nsds_event_rows *s, struct nsds_archive *a);
void nsds_event_rows_archive_motion(nsds_event_rows *s, struct nsds_archive *a);

#endif
