#ifndef NSDS_SRC_HALF_EXPLICIT_H
#define NSDS_SRC_HALF_EXPLICIT_H

#include "kernel/stepping/time_stepping_driver.h"

/* The stages begin and update of a D1-minus step; see time_step.h. */
nsds_status nsds_half_explicit_begin(nsds_time_stepping_driver *d);
nsds_status nsds_half_explicit_end(nsds_time_stepping_driver *d);

#endif
