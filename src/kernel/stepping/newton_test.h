#ifndef NSDS_SRC_NEWTON_TEST_H
#define NSDS_SRC_NEWTON_TEST_H

#include "kernel/stepping/time_stepping_driver.h"

/* Returns true if the iterate solves the equations of the step. Writes the errors to info. */
bool nsds_newton_converged(nsds_time_stepping_driver *d);

#endif
