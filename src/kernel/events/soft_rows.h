/* Contacts in which lambda enters s (soft), or y and r not as affine functions of lambda (curved). A damped contact has
 * a D of impulses. */
#ifndef NSDS_SRC_SOFT_ROWS_H
#define NSDS_SRC_SOFT_ROWS_H

#include "kernel/events/event_rows.h"
#include "kernel/modeling/modeling.h"

/* Refuses rows whose lambda has a rate of its own, after nsds_soft_linearise(). */
nsds_status nsds_soft_check(const nsds_event_rows *s, int c);
/* Returns the degree of a row, after nsds_soft_linearise() and nsds_groups_couple(). */
int nsds_soft_degree(const nsds_event_rows *s, const nsds_row *row);
/* Computes H, D and offset of a soft contact at the trial state and the points of its rows. If it is affine, computes D
 * alone. `row`: its first row. */
nsds_status nsds_soft_linearise(nsds_event_rows *s, const nsds_row *row);
/* Returns s of a row of degree 0 at lambda = 0. */
double nsds_soft_rest(const nsds_event_rows *s, const nsds_row *row);
/* Returns the sum of the sizes of its terms: at the trial state; with the largest states so far. */
double nsds_soft_places(const nsds_event_rows *s, const nsds_row *row);
double nsds_soft_terms(const nsds_event_rows *s, const nsds_row *row);
/* Adds M^-1 (g - B lambda) of curved contacts to the free rates. */
void nsds_soft_inputs(const nsds_event_rows *s);

/* Linearises each nonlinear system with a singular M at x in v, which has all unknowns. Events begin
 * like this, so that a repeated one has the same bits. */
nsds_status nsds_soft_take_points(const nsds_event_rows *s, const double *v);
/* Starts Newton's iterations in the curved contacts at lambda of the last event. */
void nsds_soft_begin(nsds_event_rows *s);
/* The largest change of lambda in the last of Newton's iterations: relative to lambda, and to the terms of its row. */
typedef struct nsds_soft_change {
  double own, among_terms;
} nsds_soft_change;
static const nsds_soft_change nsds_soft_unknown = {INFINITY, INFINITY};
/* Moves the points of all curved contacts to lambda. Returns true if lambda had converged: to rounding, or so far that
 * it does not come closer than before, by *change. */
bool nsds_soft_move(nsds_event_rows *s, nsds_soft_change *change);
/* Keeps lambda as the start of the iterations until the next event. */
void nsds_soft_keep(nsds_event_rows *s);
/* The failure of these iterations. */
nsds_status nsds_soft_fail(const nsds_event_rows *s);

/* Adds D of impulses to A of the part. */
void nsds_damped_add(const nsds_event_rows *s, const nsds_row_part *part);
/* Evaluates a D of impulses that is not constant. `in`: of the contact. */
nsds_status nsds_damped_linearise(const nsds_event_rows *s, int c, const nsds_arguments *in);
/* Takes impulses out of dy/dt of the trial state, and puts those of the event in. */
void nsds_damped_clear(const nsds_event_rows *s);
nsds_status nsds_damped_show(const nsds_event_rows *s);

#endif
