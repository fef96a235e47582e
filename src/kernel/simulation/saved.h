#ifndef NSDS_SRC_SAVED_H
#define NSDS_SRC_SAVED_H

#include "kernel/simulation/simulation.h"

nsds_status nsds_saved_take(nsds_simulation *sim, nsds_saved *saved);
void nsds_saved_restore(nsds_simulation *sim, const nsds_saved *saved);
/* Puts back the state and its contacts alone. Does nothing and returns false if contact sets have
 * found other contacts since. */
bool nsds_saved_put_back(nsds_simulation *sim, const nsds_saved *saved);
void nsds_saved_destroy(nsds_context *context, nsds_saved *saved);
/* Continues the simulation from a state that has been put into its model. `settled`: the program
 * had changed nothing since the last step. */
void nsds_saved_resume(nsds_simulation *sim, bool settled);

static inline void nsds_saved_forget(nsds_saved *saved) { saved->there = false; }

#endif
