/* The built-in integrators, one file each. Those of systems of one order are alternatives. */
#ifndef NSDS_SRC_INTEGRATORS_H
#define NSDS_SRC_INTEGRATORS_H

#include <nsds/extend.h>

extern const nsds_integrator nsds_moreau_jean, nsds_schatzman_paoli, nsds_d1_minus,
    nsds_euler_moreau, nsds_zero_order_hold;
/* Several parts of a step by another integrator, the slot's `part`. */
extern const nsds_integrator nsds_step_ratio_first, nsds_step_ratio_second;
/* Rates at an instant, for event-driven simulation. */
extern const nsds_integrator nsds_smooth_first, nsds_smooth_second;
/* system_rates.c: that of one system at a point, into u_free; M is factored there. */
struct nsds_slot;
nsds_status nsds_smooth_rate(struct nsds_slot *slot, const nsds_in *in);
/* F of a system of second order, with all its parts. */
nsds_status nsds_smooth_force(struct nsds_slot *slot, const nsds_in *in, double *F);

#endif
