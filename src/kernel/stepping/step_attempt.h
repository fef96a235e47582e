#ifndef NSDS_SRC_STEP_ATTEMPT_H
#define NSDS_SRC_STEP_ATTEMPT_H

#include "kernel/stepping/time_stepping.h"

/* The stages of one step on the trial state; all of them; what becomes of it. */
nsds_status nsds_attempt_start(nsds_time_stepping_driver *d, const nsds_scheme *scheme);
nsds_status nsds_attempt_solve(nsds_simulation *sim);
nsds_status nsds_attempt_update(nsds_simulation *sim);
nsds_status nsds_attempt(nsds_time_stepping_driver *d, const nsds_scheme *scheme);
void nsds_attempt_accept(nsds_simulation *sim);
void nsds_attempt_reject(nsds_simulation *sim);

#endif
