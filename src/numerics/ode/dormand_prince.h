#ifndef NSDS_SRC_DORMAND_PRINCE_H
#define NSDS_SRC_DORMAND_PRINCE_H

#include "numerics/ode/runge_kutta.h"

extern const nsds_pair_tableau nsds_dormand_prince_tableau;
/* Try a step: 0, or a status. x_new and the slopes are those of the step. */
int nsds_explicit_step(nsds_ode *ode, nsds_trial_step *step);
/* Of a step that has been accepted, before it is taken: h times the slope at its start, and the
 * quartic part. The slope at its end is returned. */
const double *nsds_explicit_output(nsds_ode *ode, double h);
/* Whether fifteen explicit steps were bounded by stability; whether as many implicit ones need not
 * have been. */
bool nsds_explicit_is_stiff(nsds_ode *ode, double h);

#endif
