#ifndef NSDS_SRC_SLOPES_H
#define NSDS_SRC_SLOPES_H

#include "numerics/ode/runge_kutta_state.h"

/* Computes v = h sum of weight_r k_r, r < count. */
void nsds_weigh_slopes(int n, int count, const double *weight, double *const *k, double h,
                       double *restrict v);
/* Returns the root mean square of v, in units of the tolerance at x or y, whichever is larger. */
double nsds_ode_norm(const nsds_ode *ode, const double *v, const double *x, const double *y);
/* Sets `accepted` and `factor` of a step to x_new, from the error in y_error and the order of the
 * method. */
void nsds_judge_error(nsds_ode *ode, int order, nsds_trial_step *step);

#endif
