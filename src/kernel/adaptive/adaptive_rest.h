/* The state of rest. */
#ifndef NSDS_SRC_ADAPTIVE_REST_H
#define NSDS_SRC_ADAPTIVE_REST_H

#include "kernel/adaptive/adaptive_driver.h"

/* Takes the state after one implicit step of this length by the laws, with functions of time at t. On failure nothing
 * has changed. */
nsds_status nsds_adaptive_find_rest(nsds_adaptive_driver *d, double t, double length);

#endif
