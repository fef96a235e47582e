#ifndef NSDS_SRC_EVENT_RATES_H
#define NSDS_SRC_EVENT_RATES_H

#include "kernel/events/event_rows.h"

/* Computes dx/dt of x = (q, v) at the trial state, and lambda of all rows. */
nsds_status nsds_event_rates(nsds_event_rows *s, double *dx);
/* Does the same, without dx/dt, for curved contacts near their points. */
nsds_status nsds_event_rates_near(nsds_event_rows *s);

#endif
