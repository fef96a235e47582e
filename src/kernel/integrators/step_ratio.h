#ifndef NSDS_SRC_STEP_RATIO_H
#define NSDS_SRC_STEP_RATIO_H

#include <nsds/extend.h>

/* Several parts of a step by another integrator, the slot's `part`. */
extern const nsds_integrator nsds_step_ratio_first, nsds_step_ratio_second;

#endif
