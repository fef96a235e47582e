#ifndef NSDS_SRC_RATTLE_SPEEDS_H
#define NSDS_SRC_RATTLE_SPEEDS_H

#include "kernel/stepping/rattle_rows.h"

extern const nsds_formulation nsds_rattle_speeds;

/* Finds the use of all copies at the trial state. Returns true if one strikes. */
bool nsds_rattle_close(const nsds_one_step *places, nsds_second_half *r);
/* Computes H and the gains at the trial state, and u_free. */
nsds_status nsds_rattle_end(nsds_second_half *r);
/* Forms the problem of the velocities without the copies that strike, a part of the step after its
 * start. */
nsds_status nsds_rattle_form_approach(nsds_second_half *r, double part);
/* Takes dy/dt from its solution. */
void nsds_rattle_approach(nsds_second_half *r);
/* Returns the part of the step after which the first gap closes, with dy/dt of its end at hand. */
double nsds_rattle_part(const nsds_plan *plan, const nsds_second_half *r);
/* Forms the problem of the second half. */
nsds_status nsds_rattle_form_speeds(nsds_second_half *r);
/* Computes velocities and the impulses of the step from its solution. */
void nsds_rattle_apply(nsds_second_half *r);
/* Computes dy/dt of found contacts at the trial state, whose y the first half has left. */
void nsds_rattle_put_out(const nsds_second_half *r);

#endif
