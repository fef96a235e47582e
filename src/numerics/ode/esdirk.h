#ifndef NSDS_SRC_ESDIRK_H
#define NSDS_SRC_ESDIRK_H

#include "numerics/ode/runge_kutta.h"

extern const nsds_implicit_tableau nsds_esdirk_tableau;
/* Tries a step: 0, or a status. x_new and the slopes are those of the step. */
int nsds_implicit_step(nsds_ode *ode, nsds_trial_step *step);
/* Of a step that has been accepted: h times the slope at its start, the quartic part; returns the slope at its end. */
const double *nsds_implicit_output(nsds_ode *ode, double h);
/* Whether fifteen implicit steps in a row need not have been implicit. */
bool nsds_implicit_is_easy(nsds_ode *ode, double h);

#endif
