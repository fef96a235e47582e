#ifndef NSDS_SRC_GAP_PROJECTION_H
#define NSDS_SRC_GAP_PROJECTION_H

#include "kernel/events/event_rows.h"

/* What drift of dy/dt is measured against: its terms or, near rest, the speed that the accelerations
 * reach over a way as long as the gap's terms. */
double nsds_modes_speed_scale(const nsds_smooth *s, const nsds_row *row);
/* Whether gaps of closed rows, or their velocities, have left zero by more than this fraction of
 * their terms; and back, by the least change of q and v in the metric of M. */
bool nsds_modes_drift(const nsds_smooth *s, double tolerance);
/* The sum of squares of what they have, and of what that does to velocities where rows depend on each
 * other, by that drift which integration is allowed. */
double nsds_modes_drifted(nsds_smooth *s);
/* `ended`: series of impacts were taken to their limit; what that takes counts as impulses. */
nsds_status nsds_modes_project(nsds_smooth *s, bool ended);

#endif
