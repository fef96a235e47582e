#ifndef NSDS_SRC_LAYOUT_H
#define NSDS_SRC_LAYOUT_H

#include "kernel/assembly/plan.h"

nsds_status nsds_plan_layout(nsds_plan *plan);
/* Points the slots at the arrays of the model and the trial state, after these have moved. */
void nsds_layout_bind(nsds_plan *plan);

#endif
