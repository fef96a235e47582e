#ifndef NSDS_SRC_JAMMING_IMPACT_H
#define NSDS_SRC_JAMMING_IMPACT_H

#include "kernel/events/event_rows.h"

/* Marks closed rows at a pole, whose force grows without bound by friction, as at their upper
 * bound: they jam. *any: there are such rows. */
nsds_status nsds_jam_find_poles(nsds_event_rows *s, bool *any);
/* Solves an impulse without collision in the parts of rows that jam. Sets *moved if velocities have
 * changed. Sets *left if rows open or stick instead, so that modes must be found again. */
nsds_status nsds_jam_settle(nsds_event_rows *s, nsds_solver_info *info, bool *moved, bool *left);
/* Reserves memory for impulses without collision. */
nsds_status nsds_jam_reserve(nsds_event_rows *s);

#endif
