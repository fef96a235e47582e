#ifndef NSDS_SRC_INITIAL_LAMBDA_H
#define NSDS_SRC_INITIAL_LAMBDA_H

#include "kernel/stepping/time_stepping.h"

/* Where it is asked for, and again when the program has changed something. */
nsds_status nsds_initial_lambda(nsds_simulation *sim);
/* Takes it back, for a step that has found it and fails. */
void nsds_initial_lambda_undo(nsds_time_stepping_driver *d);

#endif
