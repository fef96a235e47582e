/*
 * The state of a row: mode, place, bound and jam, and the way of lambda of a closed row. Only the
 * functions here change a field of this state; checkpoints and carried rows copy whole rows. The other marks have one owner each: `before` is of
 * event_modes.c, `gate_due` and `gate_moved` of event_switches.c. The types are in event_rows.h. The table
 * omits the prefix nsds_row_.
 *
 *     transition     from          to                  because
 *     ask            any mode      closed, on its own  the first differential of s is in question
 *     open           any mode      lower or upper      lambda is at this bound
 *     close          any mode      closed              lambda is between its bounds
 *     idle           any mode      idle                others keep it at zero, or it takes no part
 *     slide          any mode      sliding             a tangent slips
 *     begin_slip     any mode      beginning           slip has no direction yet
 *     end_onset      beginning     sliding             slip has a direction now
 *     pass_length    sliding       sliding, ending     slip passed the length from which it may stop
 *     end_slip       sliding       ending              slip is about to end, its direction stays
 *     resume_slip    ending        sliding             the program changed the motion
 *
 *     locate         any place     away, at zero       s was computed, or a root located
 *     move           any place     at zero, moving     ds/dt was computed
 *     reach_bound    no bound      lower, upper        lambda came to its bound, or to a pole
 *     leave_bound    lower, upper  no bound            the bound or pole has been treated
 *     jam            no jam        jams                accelerations have no solution
 *     let_leave      jams          leaves              free motion opens the row
 *     forget_jam     jams, leaves  no jam
 *     forget         any place     away, no bound      the event is over, or was given up
 *
 *     stand_alone    any way       own                 modes are in question
 *     spare          own           spare               other rows keep it closed without its lambda
 *     hold           own, spare    held; idle          closed rows do not determine its lambda
 *     share          own           shared              rows depend on each other
 *     differentiate  own           differentiated      D of the closed rows is singular
 */
#ifndef NSDS_SRC_ROW_STATE_H
#define NSDS_SRC_ROW_STATE_H

#include "kernel/events/event_rows.h"

/* Takes all of the state from a snapshot. */
static inline void nsds_row_restore(nsds_row *row, nsds_mode mode, nsds_way way,
                                    nsds_row_place place, nsds_bound bound) {
  row->mode = mode;
  row->way = way;
  row->mark.place = place;
  row->mark.bound = bound;
}

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

static inline void nsds_row_idle(nsds_row *row, double lambda) {
  row->mode = NSDS_MODE_IDLE;
  row->lambda = lambda;
}

static inline void nsds_row_slide(nsds_row *row) { row->mode = NSDS_MODE_SLIDING; }

static inline void nsds_row_begin_slip(nsds_row *row) { row->mode = NSDS_MODE_BEGINNING; }

static inline void nsds_row_end_onset(nsds_row *row) {
  if (row->mode == NSDS_MODE_BEGINNING) row->mode = NSDS_MODE_SLIDING;
}

static inline void nsds_row_end_slip(nsds_row *row) { row->mode = NSDS_MODE_ENDING; }

static inline void nsds_row_resume_slip(nsds_row *row) {
  if (row->mode == NSDS_MODE_ENDING) row->mode = NSDS_MODE_SLIDING;
}

/* Slip has grown beyond slipping.length, and may stop from now on; or it has become so small that it
 * ends. */
static inline void nsds_row_pass_length(nsds_row *row) {
  row->mode = row->slipping.length > 0.0 ? NSDS_MODE_SLIDING : NSDS_MODE_ENDING;
}

/* ---- mark ------------------------------------------------------------------------------------ */

/* Marks s as zero or not. A row already at zero keeps its mark of motion. */
static inline void nsds_row_locate(nsds_row *row, bool at_zero) {
  if (!at_zero) row->mark.place = NSDS_PLACE_AWAY;
  else if (row->mark.place == NSDS_PLACE_AWAY) row->mark.place = NSDS_PLACE_ZERO;
}

/* Marks motion of a row at zero. */
static inline void nsds_row_move(nsds_row *row, bool moves) {
  if (row->mark.place != NSDS_PLACE_AWAY)
    row->mark.place = moves ? NSDS_PLACE_MOVING : NSDS_PLACE_ZERO;
}

/* Marks the bound that lambda has reached. A contact may seem to reach lower bound and pole
 * together; the pole decides. */
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

/* Holds lambda. The row becomes idle, except a tangent, which stays watched. */
static inline void nsds_row_hold(nsds_row *row) {
  row->way = NSDS_WAY_HELD;
  if (row->normal == 0) nsds_row_idle(row, row->lambda);
}

static inline void nsds_row_share(nsds_row *row) { row->way = NSDS_WAY_SHARED; }

static inline void nsds_row_differentiate(nsds_row *row) { row->way = NSDS_WAY_DIFFERENTIATED; }

#endif
