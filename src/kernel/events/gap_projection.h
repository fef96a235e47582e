#ifndef NSDS_SRC_GAP_PROJECTION_H
#define NSDS_SRC_GAP_PROJECTION_H

#include "kernel/events/event_rows.h"

/* Returns the scale of drift of dy/dt: the size of its terms. Near rest the scale is the speed that
 * accelerations reach over a way as long as the terms of the gap. */
double nsds_gaps_speed_scale(const nsds_event_rows *s, const nsds_row *row);
/* Returns true if gaps of closed rows, or their velocities, differ from zero by more than this
 * fraction of their terms. */
bool nsds_gaps_drift(const nsds_event_rows *s, double tolerance);
/* Returns the sum of squares of drift relative to the allowed drift. Effects on velocities count
 * too if rows depend on each other. */
double nsds_gaps_drifted(nsds_event_rows *s);
/* Returns closed gaps and their speeds to zero. `ended`: series of impacts have ended, and the
 * changes of speed count as impulses. */
nsds_status nsds_gaps_project(nsds_event_rows *s, bool ended);
/* Returns closed gaps, and gaps at which a root was located, to zero, but not their speeds. Gaps that
 * close together with them are then at zero up to rounding: feet in a line that land together. */
nsds_status nsds_gaps_align(nsds_event_rows *s);
/* Does the same as nsds_gaps_project(), if there are closed rows or ended series. */
static inline nsds_status nsds_gaps_return(nsds_event_rows *s, bool ended) {
  return ended || s->closed.n > 0 ? nsds_gaps_project(s, ended) : NSDS_OK;
}

#endif
