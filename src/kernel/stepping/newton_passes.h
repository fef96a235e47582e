#ifndef NSDS_SRC_NEWTON_PASSES_H
#define NSDS_SRC_NEWTON_PASSES_H

#include "kernel/stepping/time_stepping.h"

/* The free state and the problem of the first pass; then, with the solution in the
 * problem, the end of the step: NSDS_AGAIN where Newton's method needs another pass, which is
 * formed. */
nsds_status nsds_pass_begin(nsds_time_stepping_driver *d);
nsds_status nsds_pass_end(nsds_time_stepping_driver *d);

#endif
