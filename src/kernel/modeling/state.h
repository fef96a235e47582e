#ifndef NSDS_SRC_STATE_H
#define NSDS_SRC_STATE_H

#include "kernel/modeling/modeling.h"

nsds_status nsds_state_reserve(nsds_context *context, nsds_state *state, nsds_state_size size);
/* Copies a state of any size, shared among threads. */
void nsds_state_copy_many(const nsds_context *context, nsds_state *to, const nsds_state *from,
                          const nsds_state_size *size);
static inline void nsds_state_copy(const nsds_context *context, nsds_state *to,
                                   const nsds_state *from, const nsds_state_size *size) {
  if (size->nq > nsds_few_doubles || size->nv > nsds_few_doubles || size->ny > nsds_few_doubles) {
    nsds_state_copy_many(context, to, from, size);
    return;
  }
  to->t = from->t;
  for (size_t k = 0; k < size->nq; ++k) to->q[k] = from->q[k];
  for (size_t k = 0; k < size->nv; ++k) {
    to->v[k] = from->v[k];
    to->p[k] = from->p[k];
    to->reaction[k] = from->reaction[k];
  }
  for (size_t k = 0; k < size->ny; ++k) {
    to->y[k] = from->y[k];
    to->ydot[k] = from->ydot[k];
    to->impulse[k] = from->impulse[k];
    to->force[k] = from->force[k];
  }
}
void nsds_state_destroy(nsds_context *context, nsds_state *state);
/* Returns true if values derived from an interaction's systems, parameters and relation at stamp
 * `since` are out of date. */
bool nsds_interaction_changed(const nsds_interaction *ia, uint64_t since);
/* Updates y and dy/dt of all interactions if they are out of date. */
nsds_status nsds_show_all(nsds_model *model);

/* Size of the buffer of nsds_occasion(). */
enum { nsds_occasion_size = nsds_label_size + 32 };
/* Writes "CALL: LABEL" to the buffer and returns the buffer. */
const char *nsds_occasion(const char *call, const char *label, char *buffer);
/* Replaces `have` parameters at z by as many values and stamps the change. Returns false, and changes
 * nothing, if that is not allowed; nsds_parameters_refuse() then says why, for `call`. */
bool nsds_parameters_take(nsds_model *model, int have, double *z, int nz, const double *values,
                          uint64_t *changed);
nsds_status nsds_parameters_refuse(const nsds_model *model, const char *call, int have, int nz,
                                   const double *values);

#endif
