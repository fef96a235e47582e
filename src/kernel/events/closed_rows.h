#ifndef NSDS_SRC_CLOSED_ROWS_H
#define NSDS_SRC_CLOSED_ROWS_H

#include "kernel/events/event_rows.h"

/* What does not depend on lambda at the trial state: rates, linearisations, directions of slip. */
nsds_status nsds_smooth_free_rates(nsds_smooth *s);
/* Then, with rates that are the free ones, lambda of the closed rows, and what it adds to them. */
nsds_status nsds_smooth_close(nsds_smooth *s);
nsds_status nsds_smooth_coordinate_rates(const nsds_smooth *s, double *dq);
/* Linearisation of contacts that are not constant, at the trial state. */
nsds_status nsds_smooth_linearise(nsds_smooth *s);

#endif
