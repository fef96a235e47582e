#ifndef NSDS_SRC_EVENT_MARK_H
#define NSDS_SRC_EVENT_MARK_H

#include "kernel/events/event_driven.h"

/* Reserves memory for marks of the present rows. */
nsds_status nsds_marks_reserve(nsds_event_driver *d);
/* Marks the rows. `integrates`: marks the start of the integration too. */
void nsds_mark_take(nsds_event_driver *d, nsds_event_mark *mark, bool integrates);
/* Marks the start of the integration at the trial state. */
void nsds_mark_start(nsds_event_driver *d);
/* Forgets the mark: its rows are no longer valid. */
void nsds_mark_forget(nsds_event_driver *d);
/* Notes the driver at the start of a step. */
void nsds_mark_begin(nsds_event_driver *d);
/* Marks the rows of a step that is about to settle its start. */
void nsds_mark_note(nsds_event_driver *d);
/* Takes back a failed step, except the integration. */
void nsds_mark_fail(nsds_event_driver *d);
/* Makes the mark of an accepted step the mark of the accepted state. */
void nsds_mark_accept(nsds_event_driver *d);
/* Puts the rows of a mark back in their places. */
void nsds_mark_put_rows(nsds_event_rows *s, const nsds_event_mark *m);
void nsds_marks_destroy(nsds_event_driver *d);

#endif
