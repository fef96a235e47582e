#ifndef NSDS_SRC_EVENT_ROWS_MATRIX_H
#define NSDS_SRC_EVENT_ROWS_MATRIX_H

#include "kernel/events/event_rows.h"

/* Degree 2: d^2y/dt^2 with the rates as they are. */
double nsds_row_acceleration(const nsds_event_rows *s, const nsds_row *row);
/* A and b of the chosen rows, lambda of the others being what it is. With `impact`
 * the unknowns are impulses and b is zero. */
nsds_status nsds_rows_matrix(nsds_event_rows *s, bool impact);
/* v += M^-1 (H^T or B) of row r times x; with what its sliding tangents add. */
void nsds_rows_push(const nsds_event_rows *s, const nsds_row *row, double x, double *v);
void nsds_rows_load(const nsds_event_rows *s, const nsds_row *row, double x, double *v);
/* H_r M^-1 (H^T or B)_q, with what the sliding tangents of q add. */
double nsds_rows_product(const nsds_event_rows *s, const nsds_row *r, const nsds_row *q);
/* The same without that. */
double nsds_rows_bare_product(const nsds_event_rows *s, const nsds_row *r, const nsds_row *q);
/* First order: dy/dt of a row at lambda as it is, with the rates as they are, and the sum of the
 * sizes of its terms. */
void nsds_rows_rate_part(const nsds_event_rows *s, const nsds_row *row, double *b, double *terms);
/* Factors A of the chosen rows; and z with it: where rows share lambda, scaled to a diagonal of
 * about 1, the least norm, directions in which A is below `least` being left out. */
nsds_status nsds_rows_factor(nsds_event_rows *s, double least);
void nsds_rows_solve(const nsds_event_rows *s);

#endif
