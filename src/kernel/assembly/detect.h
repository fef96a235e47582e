#ifndef NSDS_SRC_DETECT_H
#define NSDS_SRC_DETECT_H

#include "kernel/assembly/plan.h"

/* Finds the contacts of all sets near the model's state. */
nsds_status nsds_detect_find(nsds_plan *plan);
/* Removes found contacts from `first` on but keeps their memory. */
void nsds_detect_forget(nsds_plan *plan, int first);
static inline nsds_status nsds_plan_detect(nsds_plan *plan) {
  return NSDS_LIKELY(plan->model->set.count == 0) ? NSDS_OK : nsds_detect_find(plan);
}

#endif
