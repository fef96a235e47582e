#ifndef NSDS_SRC_SAVED_H
#define NSDS_SRC_SAVED_H

#include "kernel/simulation/simulation.h"

nsds_status nsds_saved_take(nsds_simulation *sim, nsds_saved *saved);
void nsds_saved_restore(nsds_simulation *sim, const nsds_saved *saved);
/* The state alone, with what contact sets had found; false, and nothing is done, where they have
 * found something else since. */
bool nsds_saved_put_back(nsds_simulation *sim, const nsds_saved *saved);
void nsds_saved_destroy(nsds_context *context, nsds_saved *saved);
/* The simulation goes on from a state that has been put into its model; `settled`: nothing had
 * changed since the step before. */
void nsds_saved_resume(nsds_simulation *sim, bool settled);

/* There is no state to return to. */
static inline void nsds_saved_forget(nsds_saved *saved) { saved->there = false; }

#endif
