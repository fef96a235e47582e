#ifndef NSDS_SRC_DEGREE_ZERO_ROWS_H
#define NSDS_SRC_DEGREE_ZERO_ROWS_H

#include "kernel/events/event_rows.h"

/* How far ahead of the present state the closed rows show, where D does not say which
 * they are; 0: it does. The problem of the chosen rows, A and b, so far ahead. */
double nsds_degree_zero_time_ahead(const nsds_event_rows *s);
void nsds_degree_zero_look_ahead(nsds_event_rows *s, double time);
/* The sum of the sizes of the terms of s, and how far s of a row that is zero because of others may
 * be from it. */
double nsds_degree_zero_terms(const nsds_event_rows *s, const nsds_row *row);
/* Of degree 0: how large lambda is where it counts. */
double nsds_lambda_size(const nsds_event_rows *s, const nsds_row *row);
double nsds_held_tolerance(const nsds_event_rows *s, const nsds_row *row);
/* The closed rows of degree 0 among the chosen ones that depend on each other, and their weights. */
nsds_status nsds_degree_zero_differentiate(nsds_event_rows *s, bool *any);

#endif
