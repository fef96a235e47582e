#ifndef NSDS_SRC_CLOSED_ROWS_H
#define NSDS_SRC_CLOSED_ROWS_H

#include "kernel/events/event_rows.h"

/* What does not depend on lambda at the trial state: rates, linearisations, directions of slip. */
nsds_status nsds_rows_free_rates(nsds_event_rows *s);
/* Then, with rates that are the free ones, lambda of the closed rows, and what it adds to them. */
nsds_status nsds_rows_close(nsds_event_rows *s);
nsds_status nsds_rows_coordinate_rates(const nsds_event_rows *s, double *dq);
/* Linearisation of contacts that are not constant, at the trial state. */
nsds_status nsds_rows_linearise(nsds_event_rows *s);

#endif
