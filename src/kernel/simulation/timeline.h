#ifndef NSDS_SRC_TIMELINE_H
#define NSDS_SRC_TIMELINE_H

#include "kernel/simulation/simulation.h"

/* Calls what is due now. */
nsds_status nsds_call_events(nsds_simulation *sim);
static inline nsds_status nsds_run_events(nsds_simulation *sim) {
  return NSDS_LIKELY(sim->queue.count == 0) ? NSDS_OK : nsds_call_events(sim);
}
/* A call that may not come from inside a step, nor between its stages. */
nsds_status nsds_simulation_check_idle(nsds_simulation *sim, const char *call);

#endif
