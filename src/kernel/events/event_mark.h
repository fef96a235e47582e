#ifndef NSDS_SRC_EVENT_MARK_H
#define NSDS_SRC_EVENT_MARK_H

#include "kernel/events/event_driven.h"

/* Room for marks of the rows as they are. */
nsds_status nsds_marks_reserve(nsds_event_driver *d);
/* Marks the rows, and the start of the integration where it begins here. */
void nsds_mark_take(nsds_event_driver *d, nsds_event_mark *mark, bool integrates);
/* The integration begins at the trial state; rows are others than the mark's. */
void nsds_mark_start(nsds_event_driver *d);
void nsds_mark_forget(nsds_event_driver *d);
/* A step begins; it is about to settle its start. */
void nsds_mark_begin(nsds_event_driver *d);
void nsds_mark_note(nsds_event_driver *d);
/* It has failed: all is as when it began, but for the integration. */
void nsds_mark_fail(nsds_event_driver *d);
/* It is accepted: the accepted state goes on from the mark of this step. */
void nsds_mark_accept(nsds_event_driver *d);
/* Rows of the mark, in their places where these are the same. */
void nsds_mark_put_rows(nsds_event_rows *s, const nsds_event_mark *m);
void nsds_marks_destroy(nsds_event_driver *d);

#endif
