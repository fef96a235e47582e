#ifndef NSDS_SRC_SNAPSHOT_CALLS_H
#define NSDS_SRC_SNAPSHOT_CALLS_H

#include "kernel/simulation/simulation.h"

/* Saves the run if a snapshot is due after a step, and notes the status in info. */
void nsds_snapshot_save_due(nsds_simulation *sim);
/* Ends a step: saves a due snapshot after a successful one. */
static inline nsds_status nsds_step_done(nsds_simulation *sim, nsds_status status) {
  if (NSDS_UNLIKELY(sim->every.path != NULL) && status == NSDS_OK) nsds_snapshot_save_due(sim);
  return status;
}

#endif
