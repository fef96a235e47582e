#ifndef NSDS_SRC_SLIP_ONSET_H
#define NSDS_SRC_SLIP_ONSET_H

#include "kernel/events/event_rows.h"

/* Reserves memory for this many contacts with friction in space. */
nsds_status nsds_onset_reserve(nsds_event_rows *s, int contacts);
/* Finds directions of contacts whose slip begins, with lambda of the closed rows and all rates. */
nsds_status nsds_onset_follow(nsds_event_rows *s);

#endif
