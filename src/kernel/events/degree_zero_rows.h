#ifndef NSDS_SRC_DEGREE_ZERO_ROWS_H
#define NSDS_SRC_DEGREE_ZERO_ROWS_H

#include "kernel/events/event_rows.h"

/* Returns the time ahead at which the closed rows of the part show if D does not determine
 * them, else 0. */
double nsds_degree_zero_time_ahead(const nsds_event_rows *s, const nsds_row_part *part);
/* Changes A and b of the chosen rows to the problem this time ahead. */
nsds_status nsds_degree_zero_look_ahead(nsds_event_rows *s, const nsds_row_part *part, double time);
/* Opens closed rows whose lambda is at a bound and would pass the bound, for the present rates. Sets *any if there are
 * any: lambda and rates must then be found anew. */
nsds_status nsds_degree_zero_leave(nsds_event_rows *s, bool *any);
/* Returns the sum of the sizes of the terms of s. */
double nsds_degree_zero_terms(const nsds_event_rows *s, const nsds_row *row);
/* Returns the size of lambda of a row of degree 0, for tolerances. */
double nsds_degree_zero_size(const nsds_event_rows *s, const nsds_row *row);
/* Returns the tolerance for s of a row that other rows keep at zero. */
double nsds_degree_zero_tolerance(const nsds_event_rows *s, const nsds_row *row);
/* Finds closed rows of degree 0 among the chosen rows that depend on each other, and their
 * weights. */
nsds_status nsds_degree_zero_differentiate(nsds_event_rows *s, const nsds_row_part *part,
                                           bool *any);
/* Returns T s of differentiated rows beside a singular M to zero by impulses, after rates were found.
 * *any: there are such rows. Rates and outputs must then be found anew. */
void nsds_degree_zero_return(nsds_event_rows *s, bool *any);

#endif
