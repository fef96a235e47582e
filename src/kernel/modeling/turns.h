#ifndef NSDS_SRC_TURNS_H
#define NSDS_SRC_TURNS_H

#include "kernel/modeling/modeling.h"

/* Returns the rows of the state that an interaction takes: its own, and one for its angle. */
static inline int nsds_rows_taken(const nsds_interaction *ia) {
  return ia->m + (ia->relation->turns ? 1 : 0);
}

/* Reserves the places of the model's list for one more joint. */
nsds_status nsds_turns_reserve(nsds_model *model);
/* Starts the count of a new interaction at the angle in (-pi, pi]. */
void nsds_turns_add(nsds_interaction *ia);
void nsds_turns_remove(nsds_interaction *ia);
/* Updates the angles of the accepted state after the program has set q or v of a system. */
void nsds_turns_moved(const nsds_ds *ds);
/* Returns the angle of a joint at the accepted state that is nearest to the count, given the angle
 * in (-pi, pi]. */
double nsds_turns_angle(const nsds_interaction *ia, double angle);
/* Computes y of a relation that depends on an angle in space, with its turns. */
nsds_status nsds_turns_output(const nsds_interaction *ia, const nsds_state *at,
                              const nsds_arguments *in, double *y);
/* Computes y of any relation at `in`, which is on the motion of the state. */
static inline nsds_status nsds_relation_output(const nsds_interaction *ia, const nsds_state *at,
                                               const nsds_arguments *in, double *y) {
  const nsds_relation *relation = ia->relation;
  return NSDS_UNLIKELY(relation->of_angle != NULL) ? nsds_turns_output(ia, at, in, y)
                                                   : relation->ops->output(relation->self, in, y);
}

void nsds_turns_begin_all(const nsds_model *model, nsds_state *trial, double t, double theta);
void nsds_turns_follow_all(const nsds_model *model, nsds_state *trial, double t, const double *q,
                           const double *v);
/* Copies the angles of the trial state to an array of nsds_turns_kept() numbers, and back. */
void nsds_turns_keep(const nsds_model *model, const nsds_state *trial, double *to);
void nsds_turns_put(const nsds_model *model, nsds_state *trial, const double *from);

static inline size_t nsds_turns_kept(const nsds_model *model) {
  return model->turning.count > 0 ? 2 * model->turning.count + 1 : 0;
}

/* Gives the trial state the angles of the accepted state, whose time is t. The scheme gives the
 * rate at the end of a step the weight theta. */
static inline void nsds_turns_begin(const nsds_model *model, nsds_state *trial, double t,
                                    double theta) {
  if (NSDS_UNLIKELY(model->turning.count > 0)) nsds_turns_begin_all(model, trial, t, theta);
}

/* Takes the angles of the trial state at t, q and v, all on the way or at its end. */
static inline void nsds_turns_follow(const nsds_model *model, nsds_state *trial, double t,
                                     const double *q, const double *v) {
  if (NSDS_UNLIKELY(model->turning.count > 0)) nsds_turns_follow_all(model, trial, t, q, v);
}

#endif
