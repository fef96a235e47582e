/* Settles jumps and modes. */
#ifndef NSDS_SRC_ADAPTIVE_SETTLE_H
#define NSDS_SRC_ADAPTIVE_SETTLE_H

#include "kernel/adaptive/adaptive_driver.h"

/* Counts a step that settles, or fell short of the end of a mode. Fails if such steps go on and the time does not. */
nsds_status nsds_adaptive_progress(nsds_adaptive_driver *d);
/* Takes two steps of this length behind a corner or an event, not beyond `limit`. Longer ones
 * are taken if short ones have no solution. */
nsds_status nsds_adaptive_settle(nsds_adaptive_driver *d, double limit, double length);
/*
 * Settles at the start. Initial values that contradict each other jump. The jump takes as long as the smallest time
 * constant, which may be longer than settling. The rest would disturb the run, so longer steps end it first.
 */
nsds_status nsds_adaptive_settle_start(nsds_adaptive_driver *d, double limit);

#endif
