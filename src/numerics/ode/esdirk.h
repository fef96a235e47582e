#ifndef NSDS_SRC_ESDIRK_H
#define NSDS_SRC_ESDIRK_H

#include "numerics/ode/runge_kutta_state.h"

extern const nsds_implicit_tableau nsds_esdirk_tableau;
/* Tries a step; writes x_new and the slopes. Returns 0 or a status. */
int nsds_implicit_step(nsds_ode *ode, nsds_trial_step *step);
/* Returns the slope at the end of an accepted step. Writes h times the slope at its start, and the
 * quartic part. */
const double *nsds_implicit_output(nsds_ode *ode, double h);
/* Returns true once fifteen implicit steps in a row could have been explicit. */
bool nsds_implicit_is_easy(nsds_ode *ode, double h);

#endif
