/* Sources that ideal switches and diodes short while a circuit runs, by itself or in a model. */
#ifndef NSDS_RUN_SHORTS_H
#define NSDS_RUN_SHORTS_H

#include "run/circuit/modes.h"

/* Refuses a solution z in which the current through a loop of sources, closed ideal switches and
 * conducting ideal diodes has no bound but RMIN. `largest` is the largest source [V]. */
nsds_status nsds_shorts_check(const nsds_modes *modes, const double *z, double t, double largest);

#endif
