#ifndef NSDS_SRC_EVENT_MODES_H
#define NSDS_SRC_EVENT_MODES_H

#include "kernel/events/event_rows.h"

/* Modes of all rows at the trial state, lambda and rates. *undecided counts rows that are on the
 * edge. NSDS_ERROR_SOLVER: rows jam; with no failure recorded where it is by poles alone. */
nsds_status nsds_modes_find(nsds_event_rows *s, nsds_solver_info *info, int *undecided);
/* The event is over: its marks go. */
void nsds_modes_leave(nsds_event_rows *s);

#endif
