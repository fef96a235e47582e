#ifndef NSDS_SRC_ROW_VALUES_H
#define NSDS_SRC_ROW_VALUES_H

#include "kernel/events/event_rows.h"

typedef enum nsds_size_of {
  NSDS_SIZE_OF_PLACES,
  NSDS_SIZE_OF_RATES,
  NSDS_SIZE_OF_SPEEDS
} nsds_size_of;

/* y and dy/dt of the trial state. */
nsds_status nsds_rows_outputs(nsds_event_rows *s);
/* Notes how large coordinates and velocities are; and rates. */
void nsds_rows_note_sizes(nsds_event_rows *s, const double *q, const double *v);
void nsds_rows_note_rates(nsds_event_rows *s);
/* lambda of the rows into force, and H^T lambda or B lambda into p, of the trial state; impulses
 * at an event alone. */
void nsds_rows_forces(nsds_event_rows *s, bool event);
/* Degree of row i of a first-order contact: 0 where D has entries in it. */
int nsds_first_order_degree(const nsds_contact *contact, const nsds_entry *entry, int i);
/* s of a row at the trial state, whose outputs hold. */
double nsds_row_value(const nsds_event_rows *s, const nsds_row *row);
/* Gaps below this are rounding. */
double nsds_row_resolution(const nsds_event_rows *s, const nsds_row *row);
/* sum |H| of a row times the largest places, rates or speeds that there have been. */
double nsds_row_size(const nsds_event_rows *s, const nsds_row *row, nsds_size_of what);
/* What rounding of dy/dt and of y is measured against. */
double nsds_row_speed_terms(const nsds_event_rows *s, const nsds_row *row);
double nsds_row_gap_terms(const nsds_event_rows *s, const nsds_row *row);

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
