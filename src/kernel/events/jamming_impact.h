#ifndef NSDS_SRC_JAMMING_IMPACT_H
#define NSDS_SRC_JAMMING_IMPACT_H

#include "kernel/events/event_rows.h"

/* An impulse without collision, over the parts of the rows that jam; whether velocities have
 * changed; whether rows open or stick instead, so that modes are to be found once more. Marks closed rows
 * at the trial state whose force friction makes grow without bound as at their upper bound: they jam;
 * *any: there are such. Room for it. */
nsds_status nsds_jam_find_poles(nsds_event_rows *s, bool *any);
nsds_status nsds_jam_settle(nsds_event_rows *s, nsds_solver_info *info, bool *moved, bool *left);
nsds_status nsds_jam_reserve(nsds_event_rows *s);

#endif
