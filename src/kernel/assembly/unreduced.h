#ifndef NSDS_SRC_UNREDUCED_H
#define NSDS_SRC_UNREDUCED_H

#include "kernel/assembly/one_step.h"

extern const nsds_formulation nsds_unreduced;

/* Returns the plan's first problem if it is unreduced, else NULL. */
static inline const nsds_one_step *nsds_plan_unreduced(const nsds_plan *plan) {
  return plan->problem && plan->problem->form == &nsds_unreduced ? plan->problem : NULL;
}

#endif
