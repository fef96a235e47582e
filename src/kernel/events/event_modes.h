#ifndef NSDS_SRC_EVENT_MODES_H
#define NSDS_SRC_EVENT_MODES_H

#include "kernel/events/event_rows.h"

/* Finds modes of all rows, lambda and rates at the trial state. *undecided counts rows on the edge.
 * NSDS_ERROR_SOLVER: rows jam. If only poles jam, no failure is recorded. */
nsds_status nsds_modes_find(nsds_event_rows *s, nsds_solver_info *info, int *undecided);
/* Ends the event: prepares root functions and removes marks. */
void nsds_modes_leave(nsds_event_rows *s);
/* Lets open gaps go below zero that came to zero by errors of the integration `touched` times in a
 * row. The first time rounding is allowed, then twice as much each time, at most the drift. */
void nsds_modes_yield(nsds_event_rows *s, int touched);

#endif
