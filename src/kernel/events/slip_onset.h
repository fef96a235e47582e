#ifndef NSDS_SRC_SLIP_ONSET_H
#define NSDS_SRC_SLIP_ONSET_H

#include "kernel/events/event_rows.h"

/* Room for so many contacts with friction in space; directions of those whose slip begins,
 * with lambda of the closed rows and all rates. */
nsds_status nsds_onset_reserve(nsds_event_rows *s, int contacts);
nsds_status nsds_onset_follow(nsds_event_rows *s);

#endif
