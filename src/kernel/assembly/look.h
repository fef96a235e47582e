/* Systems and relations that look at the end of a step before it is accepted. */
#ifndef NSDS_SRC_LOOK_H
#define NSDS_SRC_LOOK_H

#include "kernel/assembly/plan.h"

/* Calls their operations with the state `at` and this lambda. A status fails the step. */
nsds_status nsds_plan_look(const nsds_plan *plan, const nsds_state *at, const double *lambda);

static inline bool nsds_plan_looks(const nsds_plan *plan) {
  return plan->count.looking + plan->lists.nlook > 0;
}

#endif
