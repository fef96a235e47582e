#ifndef NSDS_SRC_OPENING_H
#define NSDS_SRC_OPENING_H

#include "kernel/events/event_rows.h"

/* Opens sliding contacts that friction presses shut, if accelerations have a solution with these
 * contacts open. z and w stay a certified solution of `problem`. */
nsds_status nsds_event_open_rather(nsds_event_rows *s, const nsds_row_part *part,
                                   const nsds_problem *problem);

#endif
