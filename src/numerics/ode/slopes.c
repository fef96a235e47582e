/* Sums of slopes, norms and error estimates that both Runge-Kutta methods use. */
#include "numerics/ode/slopes.h"

static const double safety = 0.9, smallest_factor = 0.2, largest_factor = 10.0;
static const double beta = 0.04; /* weight of the last error in the PI control */

double nsds_ode_norm(const nsds_ode *ode, const double *v, const double *x, const double *y) {
  double sum = 0.0;
  int n = ode->problem.n;
  for (int i = 0; i < n; ++i) {
    double size = fabs(x[i]);
    nsds_raise(&size, fabs(y[i]));
    double unit = ode->options.absolute_tolerance + ode->options.relative_tolerance * size;
    sum += (v[i] / unit) * (v[i] / unit);
  }
  return sqrt(sum / n);
}

void nsds_weigh_slopes(int n, int count, const double *weight, double *const *k, double h,
                       double *restrict v) {
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    for (int r = 0; r < count; ++r)
      for (int j = 0; j < 4; ++j) sum[j] += weight[r] * k[r][i + j];
    for (int j = 0; j < 4; ++j) v[i + j] = h * sum[j];
  }
  for (; i < n; ++i) {
    double sum = 0.0;
    for (int r = 0; r < count; ++r) sum += weight[r] * k[r][i];
    v[i] = h * sum;
  }
}

/* Returns the factor by which the step may grow after `error` <= 1. */
static double growth(nsds_runge_kutta *rk, int order, double error) {
  double factor = safety * pow(error, 0.75 * beta - 1.0 / order) * pow(rk->last_error, beta);
  rk->last_error = fmax(error, 1e-4);
  return fmin(fmax(factor, smallest_factor), largest_factor);
}

void nsds_judge_error(nsds_ode *ode, int order, nsds_trial_step *step) {
  nsds_runge_kutta *rk = ode->self;
  double error = nsds_ode_norm(ode, rk->y_error, ode->x1, rk->x_new);
  if (!isfinite(error)) { /* the state has overflowed */
    ode->cause = NSDS_ODE_FAILED_STEP_SIZE;
    return;
  }
  if (error <= 1.0) nsds_trial_accept(step, growth(rk, order, error));
  else step->factor = fmax(smallest_factor, safety * pow(error, 0.75 * beta - 1.0 / order));
}
