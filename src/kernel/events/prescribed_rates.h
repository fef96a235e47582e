#ifndef NSDS_SRC_PRESCRIBED_RATES_H
#define NSDS_SRC_PRESCRIBED_RATES_H

#include "kernel/events/event_rows.h"

/* Sets prescribed velocities of the trial state, and computes their rates. */
nsds_status nsds_driven_rates(nsds_event_rows *s);

#endif
