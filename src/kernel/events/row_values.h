#ifndef NSDS_SRC_ROW_VALUES_H
#define NSDS_SRC_ROW_VALUES_H

#include "kernel/events/event_rows.h"

typedef enum nsds_size_of {
  NSDS_SIZE_OF_PLACES,
  NSDS_SIZE_OF_RATES,
  NSDS_SIZE_OF_SPEEDS
} nsds_size_of;

/* Writes lambda of soft contacts to the trial state, as y contains lambda, and the states that
 * belong to it. */
nsds_status nsds_rows_show(const nsds_event_rows *s);
/* Computes y and dy/dt of the trial state. */
nsds_status nsds_rows_outputs(nsds_event_rows *s);
/* Does the same after impulses of the listed rows: of contacts with a system that was hit. */
nsds_status nsds_rows_outputs_hit(nsds_event_rows *s);
/* Notes the largest coordinates and velocities of each system, the scales of gaps and speeds. */
void nsds_rows_note_sizes(nsds_event_rows *s, const double *q, const double *v);
/* Notes the largest rates of each system. */
void nsds_rows_note_rates(nsds_event_rows *s);
/* Writes lambda to force, and impulses, zero unless at an `event`, to impulse and p of the trial
 * state. First order: lambda to impulse, B lambda to p. */
void nsds_rows_forces(nsds_event_rows *s, bool event);
/* Returns s of a row at the trial state, after its outputs. */
double nsds_row_value(const nsds_event_rows *s, const nsds_row *row);
/* Degree 2: returns how far a closed row is from the gap that it keeps. */
double nsds_row_drift(const nsds_event_rows *s, const nsds_row *row);
/* Returns the resolution of a gap: smaller gaps are rounding. */
double nsds_row_resolution(const nsds_event_rows *s, const nsds_row *row);
/* Returns sum |H| of a row times the largest places, rates or speeds so far. */
double nsds_row_size(const nsds_event_rows *s, const nsds_row *row, nsds_size_of what);
/* Returns sum |H| of a row at the trial state. */
double nsds_row_norm(const nsds_event_rows *s, const nsds_row *row);
/* Returns the size of the terms of dy/dt, which scales its rounding. */
double nsds_row_speed_terms(const nsds_event_rows *s, const nsds_row *row);
/* Returns the size of the terms of y, which scales its rounding. */
double nsds_row_gap_terms(const nsds_event_rows *s, const nsds_row *row);
/* Returns the size of the terms of s of a row of degree 0 or of states, of y of any other. */
double nsds_row_value_terms(const nsds_event_rows *s, const nsds_row *row);
/* Returns the size of the terms of the longest way in the present series of impacts, to be added to
 * the terms of y. Feet that have left together come back together up to the rounding of this way,
 * and then keep their differences. */
double nsds_row_way_terms(const nsds_event_rows *s, const nsds_row *row);

/* Degree 2: returns d^2y/dt^2 for the present rates. */
double nsds_row_acceleration(const nsds_event_rows *s, const nsds_row *row);
/* Computes A and b of the chosen rows, with the present lambda of other rows. `impact`: unknowns
 * are impulses, and b is left to the caller. */
nsds_status nsds_rows_matrix(nsds_event_rows *s, const nsds_row_part *part, bool impact);
/* Adds M^-1 (H^T or B) x of a row to v. */
void nsds_rows_push(const nsds_event_rows *s, const nsds_row *row, double x, double *v);
/* Does the same, with the part of sliding tangents of the row. */
void nsds_rows_load(const nsds_event_rows *s, const nsds_row *row, double x, double *v);
/* Returns H_r M^-1 (H^T or B)_q, with the part of the sliding tangents of q. */
double nsds_rows_product(const nsds_event_rows *s, const nsds_row *r, const nsds_row *q);
/* Returns the same without sliding tangents. */
double nsds_rows_bare_product(const nsds_event_rows *s, const nsds_row *r, const nsds_row *q);
/* Computes H times the present rates for a row, dy/dt for first order, and the sum of the sizes of
 * its terms. */
void nsds_rows_rate_part(const nsds_event_rows *s, const nsds_row *row, double *b, double *terms);
/* Factors A of the chosen rows. If rows share lambda, A is scaled to a diagonal of about 1, and
 * directions with A below `least` are left out. NSDS_ERROR_SINGULAR has its message. */
nsds_status nsds_rows_factor(nsds_event_rows *s, const nsds_row_part *part, double least);
/* Replaces z by A^-1 z, of least norm if rows share lambda. */
void nsds_rows_solve(const nsds_event_rows *s, const nsds_row_part *part);

#endif
