#ifndef NSDS_SRC_ADAPTIVE_STEP_H
#define NSDS_SRC_ADAPTIVE_STEP_H

#include "kernel/adaptive/adaptive_driver.h"

/* Brings plan and rows up to date, and takes what the program has changed. */
nsds_status nsds_adaptive_begin_call(nsds_adaptive_driver *d);
/* Advances to t_next, or by one step if there is no grid. */
nsds_status nsds_adaptive_advance(nsds_simulation *sim, double t_next, double h);

#endif
