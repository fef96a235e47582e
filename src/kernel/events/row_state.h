/*
 * What a row is, and the only functions that change that: its mode, its marks, and the way in which
 * lambda of a closed row is determined (types in event_rows.h).
 *
 *   transition              from              to                  because
 *   nsds_row_ask            any mode          closed, on its own  the first differential of s is in question
 *   nsds_row_open           any mode          lower or upper      lambda is at that bound
 *   nsds_row_close          any mode          closed              lambda is between its bounds
 *   nsds_row_rest           any mode          idle                other rows keep it at zero, or it takes no part
 *   nsds_row_slide          any mode          sliding             a tangent slips
 *   nsds_row_begin_slip     any mode          beginning           slip has no direction yet
 *   nsds_row_end_onset      beginning         sliding             it has one now
 *
 *   nsds_row_locate         any place         away, at zero       s was looked at, or located
 *   nsds_row_move           any place         at zero, moving     so was ds/dt
 *   nsds_row_reach_bound    no bound          lower, upper        lambda came to its bound, or to a pole
 *   nsds_row_leave_bound    lower, upper      no bound            what it came to has been dealt with
 *   nsds_row_jam            no jam            jams                accelerations of its part have no solution
 *   nsds_row_let_leave      jams              leaves              free motion takes it away
 *   nsds_row_forget_jam     jams, leaves      no jam
 *   nsds_row_forget         all marks         away, no bound      the event is over, or has not been
 *
 *   nsds_row_stand_alone    any way           own                 modes are in question
 *   nsds_row_spare          own               spare               others keep it closed without its lambda
 *   nsds_row_hold           own, spare        held; idle          its lambda does not follow from the closed rows
 *   nsds_row_share          own               shared              rows depend on each other
 *   nsds_row_differentiate  own               differentiated      D of the closed rows is singular
 */
#ifndef NSDS_SRC_ROW_STATE_H
#define NSDS_SRC_ROW_STATE_H

#include "kernel/events/event_rows.h"

/* ---- mode ------------------------------------------------------------------------------------ */

static inline void nsds_row_open(nsds_row *row, bool lower, double lambda) {
  row->mode = lower ? NSDS_MODE_LOWER : NSDS_MODE_UPPER;
  row->lambda = lambda;
}

static inline void nsds_row_close(nsds_row *row) { row->mode = NSDS_MODE_CLOSED; }

static inline void nsds_row_ask(nsds_row *row) {
  row->mode = NSDS_MODE_CLOSED;
  row->lambda = 0.0;
}

static inline void nsds_row_rest(nsds_row *row) { row->mode = NSDS_MODE_IDLE; }

static inline void nsds_row_slide(nsds_row *row) { row->mode = NSDS_MODE_SLIDING; }

static inline void nsds_row_begin_slip(nsds_row *row) { row->mode = NSDS_MODE_BEGINNING; }

static inline void nsds_row_end_onset(nsds_row *row) {
  if (row->mode == NSDS_MODE_BEGINNING) row->mode = NSDS_MODE_SLIDING;
}

/* ---- mark ------------------------------------------------------------------------------------ */

/* At zero already, whether it moves stays as it was found. */
static inline void nsds_row_locate(nsds_row *row, bool at_zero) {
  if (!at_zero) row->mark.place = NSDS_PLACE_AWAY;
  else if (row->mark.place == NSDS_PLACE_AWAY) row->mark.place = NSDS_PLACE_ZERO;
}

/* Of a row at zero. */
static inline void nsds_row_move(nsds_row *row, bool moves) {
  if (row->mark.place != NSDS_PLACE_AWAY)
    row->mark.place = moves ? NSDS_PLACE_MOVING : NSDS_PLACE_ZERO;
}

/* A gap's lower bound looks like a pole where both are met; the pole decides. */
static inline void nsds_row_reach_bound(nsds_row *row, nsds_bound bound) {
  if (row->mark.bound == NSDS_BOUND_NONE || row->degree == 2) row->mark.bound = bound;
}

static inline void nsds_row_leave_bound(nsds_row *row) { row->mark.bound = NSDS_BOUND_NONE; }

static inline void nsds_row_jam(nsds_row *row) { row->mark.jam = NSDS_JAM_JAMS; }

static inline void nsds_row_let_leave(nsds_row *row) { row->mark.jam = NSDS_JAM_LEAVES; }

static inline void nsds_row_forget_jam(nsds_row *row) { row->mark.jam = NSDS_JAM_NONE; }

static inline void nsds_row_forget(nsds_row *row) {
  row->mark.place = NSDS_PLACE_AWAY;
  row->mark.bound = NSDS_BOUND_NONE;
}

/* ---- way ------------------------------------------------------------------------------------- */

static inline void nsds_row_stand_alone(nsds_row *row) { row->way = NSDS_WAY_OWN; }

static inline void nsds_row_spare(nsds_row *row) { row->way = NSDS_WAY_SPARE; }

/* Tangents go on being watched. */
static inline void nsds_row_hold(nsds_row *row) {
  row->way = NSDS_WAY_HELD;
  if (row->normal == 0) nsds_row_rest(row);
}

static inline void nsds_row_share(nsds_row *row) { row->way = NSDS_WAY_SHARED; }

static inline void nsds_row_differentiate(nsds_row *row) { row->way = NSDS_WAY_DIFFERENTIATED; }

#endif
