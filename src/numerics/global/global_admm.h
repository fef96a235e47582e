#ifndef NSDS_SRC_GLOBAL_ADMM_H
#define NSDS_SRC_GLOBAL_ADMM_H

#include "numerics/global/global_solver.h"

nsds_status nsds_global_admm_solve(nsds_global_run *run);
/* The saddle point system of the present matrices. */
nsds_status nsds_global_admm_load(nsds_global_run *run);
/* Alternating directions from and to state->trial_r, as far as the watch lets them. */
nsds_status nsds_global_admm_burst(nsds_global_run *run);

#endif
