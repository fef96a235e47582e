#ifndef NSDS_SRC_OPENING_H
#define NSDS_SRC_OPENING_H

#include "kernel/events/event_rows.h"

/* Opens sliding contacts of a solution in accelerations that may open as well. Their friction presses
 * them shut. z and w stay a certified solution of `problem`. */
nsds_status nsds_event_open_rather(nsds_event_rows *s, const nsds_row_part *part,
                                   const nsds_problem *problem);

#endif
