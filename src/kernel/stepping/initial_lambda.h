#ifndef NSDS_SRC_INITIAL_LAMBDA_H
#define NSDS_SRC_INITIAL_LAMBDA_H

#include "kernel/stepping/time_stepping_driver.h"

/* Finds the initial lambda if the definition asks for it, and again after changes by the
 * program. */
nsds_status nsds_initial_lambda(nsds_simulation *sim);

#endif
