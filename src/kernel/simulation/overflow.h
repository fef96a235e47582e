#ifndef NSDS_SRC_OVERFLOW_H
#define NSDS_SRC_OVERFLOW_H

#include "kernel/assembly/plan.h"

/* Fails where something that would be shown of a state is not finite, naming it; `step`
 * comes before the time. */
nsds_status nsds_check_shown(const nsds_plan *plan, const nsds_state *at, const char *step,
                             double t);

#endif
