#ifndef NSDS_SRC_TIME_STEP_H
#define NSDS_SRC_TIME_STEP_H

#include "kernel/stepping/time_stepping_driver.h"

/* Begins a try, up to the problem; the stages solve and update follow. */
nsds_status nsds_time_step_begin(nsds_time_stepping_driver *d, const nsds_scheme *scheme);
nsds_status nsds_time_step_solve(nsds_simulation *sim);
/* Computes the trial state from the solution. NSDS_AGAIN: solve once more. */
nsds_status nsds_time_step_update(nsds_simulation *sim);

/* Copies the trial state to the model and ends the step. */
void nsds_time_step_accept(nsds_simulation *sim);
/* Gives up the trial state and ends the step. */
void nsds_time_step_reject(nsds_simulation *sim);

/* Computes the trial state by this scheme, and neither accepts nor rejects it. */
static inline nsds_status nsds_time_step_try(nsds_time_stepping_driver *d,
                                             const nsds_scheme *scheme) {
  nsds_status status = nsds_time_step_begin(d, scheme);
  if (status) return status;
  do {
    status = nsds_time_step_solve(&d->base);
    if (!status) status = nsds_time_step_update(&d->base);
  } while (status == NSDS_AGAIN);
  return status;
}

/* Takes a step from t to t_next, and accepts or rejects it. */
static inline nsds_status nsds_time_step_take(nsds_time_stepping_driver *d, double t, double t_next,
                                              double h) {
  nsds_set_interval(d, t, t_next, h);
  nsds_status status = nsds_time_step_try(d, &d->scheme);
  if (NSDS_UNLIKELY(status)) nsds_time_step_reject(&d->base);
  else nsds_time_step_accept(&d->base);
  return status;
}

/* Takes back the initial lambda that the failed step has found. */
void nsds_time_step_undo_lambda(nsds_time_stepping_driver *d);

#endif
