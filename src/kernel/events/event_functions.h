#ifndef NSDS_SRC_EVENT_FUNCTIONS_H
#define NSDS_SRC_EVENT_FUNCTIONS_H

#include "kernel/events/event_rows.h"

/* Computes the root functions at the trial state, two per row: s of open rows, distances of lambda
 * to the bounds of closed rows. A function is positive inside the mode, and 1 if not used. One more
 * function is positive while joints that share lambda have not drifted apart. With contact sets the
 * last function is positive while no unfound contacts can be near. */
nsds_status nsds_event_functions(nsds_event_rows *s, double *g);
/* Tells which of the two functions of a row end its mode. */
void nsds_event_functions_watched(const nsds_event_rows *s, const nsds_row *row, bool watched[2]);
/* Returns true if the integrator watches the functions of the present rows already: no mode has
 * changed since. Constants of the matrix are renewed where a base has changed. */
bool nsds_event_functions_stand(nsds_event_rows *s);
/* Writes the functions as rows of a matrix over (q, v), unless they stand. Returns false if a
 * function is not affine. */
bool nsds_event_functions_affine(nsds_event_rows *s, nsds_ode_rows *rows);
nsds_status nsds_event_functions_reserve(nsds_event_rows *s);
/* Returns true if rates and lambda are constant until a mode changes. */
bool nsds_rows_uniform(const nsds_event_rows *s);

/* Computes dx/dt of x = (q, v) at the trial state, and lambda of all rows. */
nsds_status nsds_event_rates(nsds_event_rows *s, double *dx);
/* Does the same, without dx/dt, for curved contacts near their points. */
nsds_status nsds_event_rates_near(nsds_event_rows *s);

#endif
