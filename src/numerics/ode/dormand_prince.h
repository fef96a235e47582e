#ifndef NSDS_SRC_DORMAND_PRINCE_H
#define NSDS_SRC_DORMAND_PRINCE_H

#include "numerics/ode/runge_kutta_state.h"

extern const nsds_pair_tableau nsds_dormand_prince_tableau;
/* Tries a step; writes x_new and the slopes. Returns 0 or a status. */
int nsds_explicit_step(nsds_ode *ode, nsds_trial_step *step);
/* Returns the slope at the end of an accepted step, before the step is taken. Writes h times the
 * slope at its start, and the quartic part. */
const double *nsds_explicit_output(nsds_ode *ode, double h);
/* Returns true once fifteen explicit steps have been bounded by stability. */
bool nsds_explicit_is_stiff(nsds_ode *ode, double h);

#endif
