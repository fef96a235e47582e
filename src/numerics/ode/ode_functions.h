#ifndef NSDS_SRC_ODE_FUNCTIONS_H
#define NSDS_SRC_ODE_FUNCTIONS_H

#include "numerics/ode/ode_internal.h"

/* Call a function of the problem, count the call and check the result. Return 0, NSDS_ODE_SMALLER
 * or a recorded status. */
int nsds_ode_rhs(nsds_ode *ode, double t, const double *x, double *dx);
int nsds_ode_jacobian(nsds_ode *ode, double t, const double *x, double *J);
int nsds_ode_g(nsds_ode *ode, double t, const double *x, double *g);
/* Writes x(t) within the last step, exact at its ends. */
void nsds_ode_dense(nsds_ode *ode, double t, double *x);
/* Evaluates all g at t within the last step. */
int nsds_ode_g_at(nsds_ode *ode, double t, double *g);
/* Evaluates g_i alone at t within the last step. */
int nsds_ode_g_one(nsds_ode *ode, int i, double t, double *g);
/* Records a failure of the integration. */
nsds_status nsds_ode_fail(nsds_ode *ode, nsds_ode_cause cause, const char *format, ...)
    NSDS_PRINTF(3, 4);
/* Records that no step is small enough; the message depends on the last refusal of f. */
nsds_status nsds_ode_fail_step_size(nsds_ode *ode, double t);
/* Counts a step to be tried; fails after max_steps. NSDS_STOPPED: the integration is to stop. */
nsds_status nsds_ode_try(nsds_ode *ode);

#endif
