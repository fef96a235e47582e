#ifndef NSDS_SRC_HALF_EXPLICIT_H
#define NSDS_SRC_HALF_EXPLICIT_H

#include "kernel/stepping/time_stepping.h"

/* The same of a D1-minus step. */
nsds_status nsds_half_explicit_begin(nsds_time_stepping_driver *d);
nsds_status nsds_half_explicit_end(nsds_time_stepping_driver *d);

#endif
