#ifndef NSDS_SRC_STEP_RATIO_H
#define NSDS_SRC_STEP_RATIO_H

#include <nsds/extend.h>

/* Divide a step into parts, which another integrator of the slot takes. */
extern const nsds_integrator nsds_step_ratio_first, nsds_step_ratio_second;

#endif
