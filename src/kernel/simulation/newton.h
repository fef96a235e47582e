/* The smooth part of a step: one pass for linear models, Newton's method for others. */
#ifndef NSDS_SRC_NEWTON_H
#define NSDS_SRC_NEWTON_H

#include "simulation.h"

/* Leave v, q, p and impulse of the end of the step in the plan; report in sim->info. */
nsds_status nsds_linear_step(nsds_simulation *sim);
nsds_status nsds_newton_step(nsds_simulation *sim);

#endif
