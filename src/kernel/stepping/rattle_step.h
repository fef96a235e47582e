#ifndef NSDS_SRC_RATTLE_STEP_H
#define NSDS_SRC_RATTLE_STEP_H

#include "kernel/stepping/time_stepping_driver.h"

/* The stages begin and update of a RATTLE step; see time_step.h. */
nsds_status nsds_rattle_begin(nsds_time_stepping_driver *d);
nsds_status nsds_rattle_update(nsds_time_stepping_driver *d);

#endif
