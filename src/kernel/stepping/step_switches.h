/* Switches in time stepping. */
#ifndef NSDS_SRC_STEP_SWITCHES_H
#define NSDS_SRC_STEP_SWITCHES_H

#include "kernel/stepping/time_stepping_driver.h"

/* Moves switches for the step to scheme->t_next. */
nsds_status nsds_step_switches(nsds_time_stepping_driver *d, const nsds_scheme *scheme);
/* Accepts them with the step. */
void nsds_step_switches_accept(const nsds_plan *plan);

#endif
