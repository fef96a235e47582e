#ifndef NSDS_SRC_SYSTEM_RATES_H
#define NSDS_SRC_SYSTEM_RATES_H

#include "kernel/assembly/plan.h"

/* Rates at an instant, for event-driven simulation. */
extern const nsds_integrator nsds_system_rates_first, nsds_system_rates_second;
/* Computes the rate of one system at a point into u_free. Factors M there. */
nsds_status nsds_system_rate(struct nsds_slot *slot, const nsds_arguments *in);
/* Computes F of a second-order system, with C v and K q. */
nsds_status nsds_system_force(struct nsds_slot *slot, const nsds_arguments *in, double *F);

#endif
