#ifndef NSDS_SRC_STEP_PIECES_H
#define NSDS_SRC_STEP_PIECES_H

#include "kernel/simulation/simulation.h"

/* A step to t_next, all or nothing. */
nsds_status nsds_advance_step(nsds_simulation *sim, double t_next, double h);

#endif
