#ifndef NSDS_SRC_STEP_HALVING_H
#define NSDS_SRC_STEP_HALVING_H

#include "kernel/stepping/time_stepping_driver.h"

/* Takes a step to t_next, h long. If the whole step fails, takes pieces, if the definition allows
 * them. On failure the model is as before. */
nsds_status nsds_time_step(nsds_simulation *sim, double t_next, double h);

#endif
