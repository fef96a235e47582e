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

#endif
