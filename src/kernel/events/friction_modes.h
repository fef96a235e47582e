#ifndef NSDS_SRC_FRICTION_MODES_H
#define NSDS_SRC_FRICTION_MODES_H

#include "kernel/events/event_rows.h"

/* Takes the coefficients of friction that the laws have now. */
void nsds_friction_renew(nsds_event_rows *s);
/* Returns true if a row is the tangent of a contact without friction: mu lambda_N is at most the
 * rounding of lambda_N. Such a tangent neither sticks nor slides, and takes no impulse. */
static inline bool nsds_row_is_smooth(const nsds_row *row) {
  return row->normal > 0 && !(nsds_row_friction(row) > nsds_rounding);
}
/* Notes the bodies on which slip has come to zero at this event, with all bodies that closed rows tie
 * to them. Other slip near zero goes on. */
void nsds_friction_note_stops(nsds_event_rows *s);
/* `first` is the first row of slip or of rolling. */

/* Marks the tangents of a contact that are at zero at the trial state, after its outputs. A
 * sticking tangent stays at zero up to a speed of `tolerance` times its terms; INFINITY: at any
 * speed. */
void nsds_friction_touch(nsds_event_rows *s, nsds_row *first, double tolerance);
/* Judges the slip of a contact anew, after an impact. */
void nsds_friction_begin_anew(nsds_event_rows *s, nsds_row *normal);
/* Finds the mode of the tangents: w is ds_T/dt, at most `zero` at rest. `shared`: other rows may
 * take over load of tangents at their bound. */
void nsds_friction_judge(nsds_row *first, const double *w, double zero, bool again, bool shared);
/* Returns the root function of the tangents: distance of lambda_T to its bound, or slip along
 * its direction. */
double nsds_friction_distance(const nsds_event_rows *s, const nsds_row *first);
/* Returns true if the first tangent has a second root function: slip that grows beyond `longest`, or
 * the function below. */
bool nsds_friction_has_length(const nsds_row *first);
/* Returns how much longer slip in space is than slip that ends. */
double nsds_friction_left(const nsds_event_rows *s, const nsds_row *first);
/* Prepares sliding tangents for an integration: their heading and the slip at which they stop.
 * `longest` of the first is the slip above which they may stop; 0: at once. */
void nsds_friction_begin(const nsds_event_rows *s, nsds_row *first);
/* Ends an onset of slip that no longer follows its direction. */
void nsds_friction_go_on(const nsds_event_rows *s, nsds_row *first);
/* Prepares sticking tangents for an integration. Friction may be at its bound within the accuracy
 * of lambda. */
void nsds_friction_hold(const nsds_event_rows *s, nsds_row *first);
/* Updates the directions of all sliding tangents. */
nsds_status nsds_friction_update(nsds_event_rows *s);
/* Computes lambda of sliding tangents from their normal rows. */
void nsds_friction_follow(nsds_event_rows *s);

#endif
