#ifndef NSDS_SRC_EVENT_FUNCTIONS_H
#define NSDS_SRC_EVENT_FUNCTIONS_H

#include "kernel/events/event_rows.h"

/* s of the open rows at the trial state, and distances of lambda to the bounds of the closed ones:
 * two functions a row, positive inside the mode; 1 where a row has one or none. The one behind
 * these is positive while joints that share lambda have not drifted apart; with contact sets another
 * one is while no contacts can be near that have not been found. */
nsds_status nsds_smooth_functions(nsds_smooth *s, double *g);
/* Which of the two functions of a row end its mode. */
void nsds_smooth_watched(const nsds_smooth *s, const nsds_row *row, bool watched[2]);
/* These as rows of a matrix over (q, v), where all are affine. */
bool nsds_smooth_affine_functions(nsds_smooth *s, nsds_ode_rows *rows);
nsds_status nsds_smooth_reserve_functions(nsds_smooth *s);
/* Whether rates and lambda stay what they are while the modes do. */
bool nsds_smooth_uniform(const nsds_smooth *s);

#endif
