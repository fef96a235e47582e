#ifndef NSDS_SRC_EVENT_FUNCTIONS_H
#define NSDS_SRC_EVENT_FUNCTIONS_H

#include "kernel/events/event_rows.h"

/* s of the open rows at the trial state, and distances of lambda to the bounds of the closed ones:
 * two functions a row, positive inside the mode; 1 where a row has one or none. The one behind
 * these is positive while joints that share lambda have not drifted apart; with contact sets another
 * one is while no contacts can be near that have not been found. */
nsds_status nsds_event_functions(nsds_event_rows *s, double *g);
/* Which of the two functions of a row end its mode. */
void nsds_event_functions_watched(const nsds_event_rows *s, const nsds_row *row, bool watched[2]);
/* These as rows of a matrix over (q, v), where all are affine. */
bool nsds_event_functions_affine(nsds_event_rows *s, nsds_ode_rows *rows);
nsds_status nsds_event_functions_reserve(nsds_event_rows *s);
/* Whether rates and lambda stay what they are while the modes do. */
bool nsds_rows_uniform(const nsds_event_rows *s);

/* dx of x = (q, v) at the trial state and its time; lambda of all rows. */
nsds_status nsds_event_rates(nsds_event_rows *s, double *dx);

#endif
