#ifndef NSDS_SRC_RATTLE_H
#define NSDS_SRC_RATTLE_H

#include "kernel/assembly/plan.h"

extern const nsds_integrator nsds_rattle_integrator;

/* Computes the impulse of the second half of the step, h/2 F(t_{k+1}, q_{k+1}, v), to `impulse`
 * (nv). */
nsds_status nsds_rattle_second_half(nsds_slot *slot, double *impulse);

/* Puts the known jumps of prescribed velocities into that impulse, and their effect on the other
 * rows through M. Keeps what rattle_finish() needs. */
nsds_status nsds_rattle_hold(nsds_slot *slot, double *impulse);

#endif
