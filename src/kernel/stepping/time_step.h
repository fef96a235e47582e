#ifndef NSDS_SRC_TIME_STEP_H
#define NSDS_SRC_TIME_STEP_H

#include "kernel/stepping/time_stepping.h"

/* A whole step to t_next, h long: accepted, in pieces where it fails as a whole and the definition
 * allows them, or rejected with a status, the model being as it was. */
nsds_status nsds_time_step(nsds_simulation *sim, double t_next, double h);

/* One try at the trial state by this scheme, which is neither accepted nor rejected. */
nsds_status nsds_time_step_try(nsds_time_stepping_driver *d, const nsds_scheme *scheme);

/* The stages of a try: everything up to the problem; its solution; what follows from that. NSDS_AGAIN
 * from the last: solve once more. */
nsds_status nsds_time_step_begin(nsds_time_stepping_driver *d, const nsds_scheme *scheme);
nsds_status nsds_time_step_solve(nsds_simulation *sim);
nsds_status nsds_time_step_update(nsds_simulation *sim);

/* The trial state becomes the model's, or is given up. */
void nsds_time_step_accept(nsds_simulation *sim);
void nsds_time_step_reject(nsds_simulation *sim);

/* A step that has found the initial lambda, and fails, takes it back. */
void nsds_time_step_undo_lambda(nsds_time_stepping_driver *d);

#endif
