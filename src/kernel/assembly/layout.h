#ifndef NSDS_SRC_LAYOUT_H
#define NSDS_SRC_LAYOUT_H

#include "kernel/assembly/plan.h"

nsds_status nsds_plan_layout(nsds_plan *plan);
/* Where the arrays of slots are, after those of the model or the trial state have moved. */
void nsds_plan_bind(nsds_plan *plan);

#endif
