#ifndef NSDS_SRC_TIME_STEP_H
#define NSDS_SRC_TIME_STEP_H

#include "kernel/stepping/time_stepping_driver.h"

/* Takes a step from t to t_next, and accepts or rejects it. */
nsds_status nsds_time_step_take(nsds_time_stepping_driver *d, double t, double t_next, double h);

/* Computes the trial state by this scheme, and neither accepts nor rejects it. */
nsds_status nsds_time_step_try(nsds_time_stepping_driver *d, const nsds_scheme *scheme);

/* Begins a try, up to the problem; the stages solve and update follow. */
nsds_status nsds_time_step_begin(nsds_time_stepping_driver *d, const nsds_scheme *scheme);
nsds_status nsds_time_step_solve(nsds_simulation *sim);
/* Computes the trial state from the solution. NSDS_AGAIN: solve once more. */
nsds_status nsds_time_step_update(nsds_simulation *sim);

/* Copies the trial state to the model and ends the step. */
void nsds_time_step_accept(nsds_simulation *sim);
/* Gives up the trial state and ends the step. */
void nsds_time_step_reject(nsds_simulation *sim);

/* Takes back the initial lambda that the failed step has found. */
void nsds_time_step_undo_lambda(nsds_time_stepping_driver *d);

#endif
