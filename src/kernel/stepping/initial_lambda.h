#ifndef NSDS_SRC_INITIAL_LAMBDA_H
#define NSDS_SRC_INITIAL_LAMBDA_H

#include "kernel/stepping/time_stepping.h"

/* Where it is asked for, and again when the program has changed something. */
nsds_status nsds_initial_lambda(nsds_simulation *sim);

#endif
