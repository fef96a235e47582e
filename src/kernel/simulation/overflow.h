#ifndef NSDS_SRC_OVERFLOW_H
#define NSDS_SRC_OVERFLOW_H

#include "kernel/assembly/plan.h"

/* Fails and names the value if a shown value of a state is not finite. The message has `step`
 * before the time. */
nsds_status nsds_check_shown(const nsds_plan *plan, const nsds_state *at, const char *step,
                             double t);

#endif
