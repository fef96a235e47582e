#ifndef NSDS_SRC_SYSTEM_FIELD_H
#define NSDS_SRC_SYSTEM_FIELD_H

#include "kernel/modeling/modeling.h"

/* Computes dq/dt and dv/dt of a second-order system at the model's state, under `more` besides its
 * own forces. Allocates memory for the time of the call. */
nsds_status nsds_ds_rates_under(const nsds_ds *ds, const double *more, double *rates);

#endif
