#ifndef NSDS_SRC_EVENT_PAST_H
#define NSDS_SRC_EVENT_PAST_H

#include "kernel/events/event_driven.h"

/* Reserves the list of past events. */
nsds_status nsds_past_reserve(nsds_event_driver *d);
/* Notes the event of the step that is being accepted. */
void nsds_past_note(nsds_event_driver *d);
/* Drops events of steps that the simulation has gone back behind. */
void nsds_past_drop(nsds_event_driver *d);
/* Returns the place of past event k, the last one being 0. */
int nsds_past_place(const nsds_event_driver *d, int k);

#endif
