#ifndef NSDS_SRC_VELOCITY_SYSTEM_H
#define NSDS_SRC_VELOCITY_SYSTEM_H

#include "numerics/newton/newton_system.h"

/* Reserves memory in the solver's store; needs a matrix-free operator. */
nsds_status nsds_velocity_system_reserve(nsds_velocity_system *system, nsds_store *store,
                                         const nsds_sweeps *sweeps, size_t count);
/* Factors the system. NSDS_ERROR_SINGULAR as in factor.h, or if a C is singular. */
nsds_status nsds_velocity_system_factor(nsds_velocity_system *system, const nsds_linearised *at);
/* Computes d (n) for the phi of the same point. */
void nsds_velocity_system_solve(nsds_velocity_system *system, const nsds_linearised *at, double *d);

#endif
