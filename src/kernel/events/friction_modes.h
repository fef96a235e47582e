#ifndef NSDS_SRC_FRICTION_MODES_H
#define NSDS_SRC_FRICTION_MODES_H

#include "kernel/events/event_rows.h"

/* Marks the tangents of a normal row that are at zero at the trial state, whose outputs hold. A tangent
 * that sticks does so while its speed is up to the part `held` of its terms; INFINITY: whatever it is. */
void nsds_friction_touch(nsds_event_rows *s, nsds_row *normal, double held);
/* `shared`: others may take over from tangents that come to their bound. */
void nsds_friction_judge(nsds_row *normal, const double *w, double zero, bool again, bool shared);
double nsds_friction_distance(const nsds_event_rows *s, const nsds_row *normal);
/* The integration begins with sliding tangents: their heading, the slip at which they stop, and
 * that from which on they can (`longest` of the first; 0: at once). */
void nsds_friction_begin(const nsds_event_rows *s, nsds_row *normal);
/* Slip that has begun goes on so below its end, unless it has another direction now. */
void nsds_friction_go_on(const nsds_event_rows *s, nsds_row *normal);
/* It begins with sticking ones: these may be at their bound, as well as it is known. */
void nsds_friction_hold(const nsds_event_rows *s, nsds_row *normal);
/* Directions of all that slide; lambda of sliding tangents. */
nsds_status nsds_friction_update(nsds_event_rows *s);
void nsds_friction_follow(nsds_event_rows *s);

#endif
