#ifndef NSDS_SRC_GLOBAL_ADMM_H
#define NSDS_SRC_GLOBAL_ADMM_H

#include "numerics/global/global_state.h"

nsds_status nsds_global_admm_solve(nsds_global_run *run);
/* Loads the saddle point system of the present matrices. */
nsds_status nsds_global_admm_load(nsds_global_run *run);
/* Runs alternating directions from and to state->trial_r, until the watch ends them. */
nsds_status nsds_global_admm_burst(nsds_global_run *run);

#endif
