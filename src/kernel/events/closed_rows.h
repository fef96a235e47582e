#ifndef NSDS_SRC_CLOSED_ROWS_H
#define NSDS_SRC_CLOSED_ROWS_H

#include "kernel/events/event_rows.h"

/* Computes free rates, linearisations and directions of slip at the trial state, all without
 * lambda. */
nsds_status nsds_rows_free_rates(nsds_event_rows *s);
/* Computes lambda of the closed rows from the free rates, and adds its part to the rates. */
nsds_status nsds_rows_close(nsds_event_rows *s);
/* Computes dq/dt from v. */
nsds_status nsds_rows_coordinate_rates(const nsds_event_rows *s, double *dq);
/* Computes the bias of an interaction by its own operation, or by differences on this side of scheduled events, at which
 * the relation may change. */
nsds_status nsds_rows_bias(nsds_event_rows *s, const nsds_interaction *ia, double *bias);
/* Linearises contacts that are not constant at the trial state. */
nsds_status nsds_rows_linearise(nsds_event_rows *s);

#endif
