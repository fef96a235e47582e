#ifndef NSDS_SRC_STEP_HALVING_H
#define NSDS_SRC_STEP_HALVING_H

#include "kernel/stepping/time_stepping_driver.h"

/* Returns the number of times that a step may be halved after this failure. */
int nsds_halvings_after(const nsds_time_stepping_driver *d, nsds_status status);
/* Takes a failed step in pieces by d->take, all or none. `clean`: the error of the step was the
 * first. */
nsds_status nsds_step_in_pieces(nsds_simulation *sim, double t_next, double h, bool clean);

#endif
