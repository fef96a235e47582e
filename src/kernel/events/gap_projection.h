#ifndef NSDS_SRC_GAP_PROJECTION_H
#define NSDS_SRC_GAP_PROJECTION_H

#include "kernel/events/event_rows.h"

/* What drift of dy/dt is measured against: its terms or, near rest, the speed that the accelerations
 * reach over a way as long as the gap's terms. */
double nsds_gaps_speed_scale(const nsds_event_rows *s, const nsds_row *row);
/* Whether gaps of closed rows, or their velocities, have left zero by more than this fraction of
 * their terms; and back, by the least change of q and v in the metric of M. */
bool nsds_gaps_drift(const nsds_event_rows *s, double tolerance);
/* The sum of squares of what they have, and of what that does to velocities where rows depend on each
 * other, by that drift which integration is allowed. */
double nsds_gaps_drifted(nsds_event_rows *s);
/* `ended`: series of impacts were taken to their limit; what that takes counts as impulses. */
nsds_status nsds_gaps_project(nsds_event_rows *s, bool ended);
/* The same, where there may be no closed rows. */
static inline nsds_status nsds_gaps_return(nsds_event_rows *s, bool ended) {
  if (ended || s->closed.n > 0) return nsds_gaps_project(s, ended);
  s->here.returns = NSDS_RETURN_DRIFT;
  return NSDS_OK;
}

#endif
