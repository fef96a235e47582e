#ifndef NSDS_SRC_SYSTEM_RATES_H
#define NSDS_SRC_SYSTEM_RATES_H

#include "kernel/assembly/plan.h"

/* Rates at an instant, for event-driven simulation. */
extern const nsds_integrator nsds_system_rates_first, nsds_system_rates_second;
/* The rate of one system at a point, into u_free; M is factored there. */
nsds_status nsds_system_rate(struct nsds_slot *slot, const nsds_arguments *in);
/* F of a system of second order, with all its parts. */
nsds_status nsds_system_force(struct nsds_slot *slot, const nsds_arguments *in, double *F);

#endif
