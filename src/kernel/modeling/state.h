#ifndef NSDS_SRC_STATE_H
#define NSDS_SRC_STATE_H

#include "kernel/modeling/modeling.h"

nsds_status nsds_state_reserve(nsds_context *context, nsds_state *state, nsds_state_size size);
void nsds_state_copy(const nsds_context *context, nsds_state *to, const nsds_state *from,
                     const nsds_state_size *size);
void nsds_state_destroy(nsds_context *context, nsds_state *state);
/* Whether what was derived from an interaction's systems, parameters and relation at stamp `since`
 * is out of date. */
bool nsds_interaction_changed(const nsds_interaction *ia, uint64_t since);
/* y and dy/dt of all interactions, where they are out of date. */
nsds_status nsds_show_all(nsds_model *model);

#endif
