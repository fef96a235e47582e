#ifndef NSDS_SRC_EVENT_RATES_H
#define NSDS_SRC_EVENT_RATES_H

#include "kernel/events/event_rows.h"

/* dx of x = (q, v) at the trial state and its time; lambda of all rows. */
nsds_status nsds_event_rates(nsds_event_rows *s, double *dx);

#endif
