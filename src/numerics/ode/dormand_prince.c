/*
 * The explicit Runge-Kutta method of order 5 of Dormand and Prince (J. Comp. Appl. Math. 6, 1980).
 * The last of its seven stages is the first of the next step. The dense output has order 4.
 *
 * The step is x1 = x0 + h sum b_i k_i, its error estimate h sum e_i k_i. The dense output, u in [0,
 * 1], is the cubic Hermite polynomial through x0, k1, x1, k7, plus h u^2 (1 - u)^2 sum d_i k_i,
 * which raises the order to 4 (Hairer, Norsett & Wanner, Solving ODEs I, II.6).
 *
 * h |k7 - k6| / |x1 - y6| estimates h |df/dx|. The stability domain ends near 3.25. The problem is
 * stiff if the estimate exceeds 3.25 in fifteen steps, without six others in a row (Solving ODEs
 * II, IV.2).
 */
#include "numerics/ode/dormand_prince.h"

#include "base/base.h"
#include "base/finite.h"
#include "numerics/ode/ode_functions.h"
#include "numerics/ode/slopes.h"

const nsds_pair_tableau nsds_dormand_prince_tableau = {
    .c = {0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0, 1.0},
    .a = {{0.0},
          {1.0 / 5},
          {3.0 / 40, 9.0 / 40},
          {44.0 / 45, -56.0 / 15, 32.0 / 9},
          {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
          {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
          {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}},
    .e = {71.0 / 57600, 0.0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40},
    .d = {-12715105075.0 / 11282082432.0, 0.0, 87487479700.0 / 32700410799.0,
          -10690763975.0 / 1880347072.0, 701980252875.0 / 199316789632.0,
          -1453857185.0 / 822651844.0, 69997945.0 / 29380423.0},
};

static const nsds_pair_tableau *const tableau = &nsds_dormand_prince_tableau;

static const double stability = 3.25;

/* Evaluates stages 2 to 7 of a step from t1 to `to`; x_new is the state of stage 7. */
static int explicit_stages(nsds_ode *ode, double h, double to) {
  nsds_runge_kutta *rk = ode->self;
  int n = ode->problem.n;
  for (int s = 1; s < 7; ++s) {
    double *y = s == 6 ? rk->x_new : rk->y6;
    nsds_weigh_slopes(n, s, tableau->a[s], rk->k, h, y);
    for (int i = 0; i < n; ++i) y[i] += ode->x1[i];
    double t = s >= 5 ? to : fmin(ode->t1 + tableau->c[s] * h, to);
    int result = nsds_ode_rhs(ode, t, y, rk->k[s]);
    if (result) return result;
  }
  return 0;
}

/* Steps by the midpoint rule, which is exact for a quadratic x. */
static int midpoint(nsds_ode *ode, double h, double to) {
  nsds_runge_kutta *rk = ode->self;
  int n = ode->problem.n;
  for (int i = 0; i < n; ++i) rk->y6[i] = ode->x1[i] + 0.5 * h * rk->k[0][i];
  int result = nsds_ode_rhs(ode, ode->t1 + 0.5 * h, rk->y6, rk->k[5]);
  if (result) return result;
  for (int i = 0; i < n; ++i) rk->x_new[i] = ode->x1[i] + h * rk->k[5][i];
  return nsds_ode_rhs(ode, to, rk->x_new, rk->k[6]);
}

/* Makes the same step at once. Returns false if a number is not finite: midpoint() then tells
 * where. */
static bool fall(nsds_ode *ode, double h) {
  nsds_runge_kutta *rk = ode->self;
  int n = ode->problem.n, half = n / 2;
  const double *q = ode->x1, *v = q + half, *rate = ode->rate, *a = rk->k[0] + half;
  double *restrict q_new = rk->x_new, *restrict v_new = q_new + half;
  double *restrict dq = rk->k[6], *restrict dv = dq + half;
  double zero = 0.0;
  for (int i = 0; i < half; ++i) {
    double end = v[i] + h * rate[i];
    q_new[i] = q[i] + h * (v[i] + 0.5 * h * a[i]);
    v_new[i] = dq[i] = end;
    dv[i] = rate[i];
    zero += 0.0 * q_new[i] + 0.0 * end;
  }
  if (!(zero == 0.0)) return false;
  ode->count.rhs += 2;
  return true;
}

int nsds_explicit_step(nsds_ode *ode, nsds_trial_step *step) {
  nsds_runge_kutta *rk = ode->self;
  int n = ode->problem.n;
  if (ode->rate && fall(ode, step->h)) {
    nsds_trial_accept(step, INFINITY);
    return 0;
  }
  int result =
      ode->rate ? midpoint(ode, step->h, step->to) : explicit_stages(ode, step->h, step->to);
  if (result) return result > 0 ? 0 : result;
  if (ode->rate && nsds_first_nonfinite(rk->x_new, n) < 0) {
    nsds_trial_accept(step, INFINITY);
    return 0;
  }
  nsds_weigh_slopes(n, 7, tableau->e, rk->k, step->h, rk->y_error);
  nsds_judge_error(ode, 5, step);
  return 0;
}

const double *nsds_explicit_output(nsds_ode *ode, double h) {
  nsds_runge_kutta *rk = ode->self;
  int n = ode->problem.n;
  if (ode->rate) nsds_zero_doubles(rk->quartic, (size_t)n);
  else nsds_weigh_slopes(n, 7, tableau->d, rk->k, h, rk->quartic);
  for (int i = 0; i < n; ++i) rk->slope0[i] = h * rk->k[0][i];
  return rk->k[6];
}

bool nsds_explicit_is_stiff(nsds_ode *ode, double h) {
  nsds_runge_kutta *rk = ode->self;
  double slopes = 0.0, states = 0.0, noise = 0.0;
  if (ode->rate) return false;
  for (int i = 0; i < ode->problem.n; ++i) {
    double a = rk->k[6][i] - rk->k[5][i], b = rk->x_new[i] - rk->y6[i];
    double least = 0.01 * ode->options.absolute_tolerance; /* smaller changes do not count */
    slopes += a * a;
    states += b * b;
    noise += least * least;
  }
  if (states > noise && h * sqrt(slopes / states) > stability) {
    rk->other_steps = 0;
    return ++rk->stiff_steps == 15;
  }
  if (++rk->other_steps == 6) rk->stiff_steps = 0;
  return false;
}
