/*
 * An implicit Runge-Kutta method of the family ESDIRK4(3)6L[2]SA of Kennedy and Carpenter
 * (NASA/TM-2016-219173, 7.1). The method has order 4 and stage order 2, is L-stable and stiffly
 * accurate, and has an error estimate of order 3. The first of six stages is explicit; the others
 * have the diagonal entry 1/4. The last stage is the end of the step, and its slope is the first of
 * the next step.
 *
 * The family has two parameters. Kennedy and Carpenter take c4 = 5/8 and c5 = 26/25, but f must not
 * be evaluated beyond the end of a step. Here c4 = 27/40 and c5 = 9/10. Errors of fifth order are a
 * tenth larger, errors of the dense output half as large, and no coefficient exceeds 1.03. The
 * other coefficients follow from a_i1 = a_i2, the order and the stage order. The error estimate
 * follows from order 3, no error for x' = z x as z -> -infinity, and sum (b_i - e_i) c_i^3 = 1/4 +
 * 1/200.
 *
 * A stage x = r + c k, c = h / 4, is solved for z = c k by Newton's method (Hairer & Wanner,
 * Solving ODEs II, IV.8): z += (1 - c J)^-1 (c f(r + z) - z). One matrix 1 - c J serves all stages.
 * The iteration starts from an extrapolation of the earlier slopes. The rate of convergence gives
 * the remaining error, which may be a part of the tolerance. So J may be anything near df/dx: its
 * errors cost iterations but no accuracy. The rate comes from the last stage that took two
 * iterations, as the first stage of each step does. J is kept from step to step while the rate is
 * good; linear motions keep J from event to event and need six evaluations a step.
 *
 * The dense output is x0 + h sum B_i(u) k_i with the only quartic of order 4 that has B_1 = B_2.
 * Otherwise the explicit stage would add stiff parts without bound.
 */
#include "numerics/ode/esdirk.h"

#include "base/base.h"
#include "base/finite.h"
#include "numerics/ode/iteration_matrix.h"
#include "numerics/ode/ode_functions.h"
#include "numerics/ode/ode_internal.h"
#include "numerics/ode/slopes.h"

enum { stages = 6, most_iterations = 8, diverged = 2 };

/* The quartic satisfies sum B_i(u) c_i^p = u^(p+1) / (p+1) for p = 0 to 3, sum B_i(u) a_ij c_j^2 =
 * u^4 / 12, and B_1 = B_2: six equations for each power of u. */
const nsds_implicit_tableau nsds_esdirk_tableau = {
    .c = {0.0, 0.5, 0.14644660940672623780, 0.675, 0.9, 1.0}, /* c3 = (2 - sqrt 2) / 4 */
    .a = {{0.0},
          {0.25, 0.25},
          {-0.051776695296636881100, -0.051776695296636881100, 0.25},
          {-0.015341404948960845231, -0.015341404948960845231, 0.45568280989792169046, 0.25},
          {-0.33275397015518696295, -0.33275397015518696295, 1.0246663521049429970,
           0.29084158820543092895, 0.25},
          {0.0099702931109303297800, 0.0099702931109303297800, 0.34761693117735208802,
           0.66706978595319204252, -0.28462730335240479011, 0.25}},
    .e = {0.081413244316469095222, 0.081413244316469095222, -0.13915572934235785403,
          -0.00068204820958936778666, -0.031213562059376383267, 0.0082248509783854146359},
    .first = {1.7854019599785987636, 1.7854019599785987636, -1.5872855603676518312,
              -0.58807762488911795138, -1.3214473998738106824, 0.92600666517338293777},
    .d = {-5.7050639102142955503, -5.7050639102142955503, 10.046647376972669833,
          -2.5492473994082662531, 8.1075133741908729744, -4.1947855313266854539},
};

static const nsds_implicit_tableau *const tableau = &nsds_esdirk_tableau;

static const double enough = 0.01; /* part of the tolerance that Newton's method may leave */
static const double slow = 0.2;    /* a larger rate asks for a new Jacobian */
static const double stable = 2.0;  /* below this h |df/dx| explicit steps are stable */

/* ---- the Jacobian ---- */

/* Writes column j by the difference over `step`. Returns 0, NSDS_ODE_SMALLER or a status. */
static int difference(nsds_ode *ode, double step, int j) {
  nsds_runge_kutta *rk = ode->self;
  int n = ode->problem.n;
  double *column = rk->matrix.J + (size_t)j * (size_t)n, *x = rk->x_new;
  x[j] = ode->x1[j] + step;
  step = x[j] - ode->x1[j];
  int result = nsds_ode_rhs(ode, ode->t1, x, column);
  x[j] = ode->x1[j];
  for (int i = 0; !result && i < n; ++i) column[i] = (column[i] - rk->k[6][i]) / step;
  return result;
}

/* Writes J by differences. A column stays zero if f refuses on both sides; smaller steps do
 * without. */
static int jacobian_by_differences(nsds_ode *ode, double h) {
  nsds_runge_kutta *rk = ode->self;
  int n = ode->problem.n, result = nsds_ode_rhs(ode, ode->t1, ode->x1, rk->k[6]);
  nsds_copy_doubles(rk->x_new, ode->x1, (size_t)n);
  for (int j = 0; j < n && result == 0; ++j) {
    double size = fmax(fabs(ode->x1[j]), fabs(h * rk->k[6][j]));
    double step = fmax(sqrt(DBL_EPSILON) * size, 10.0 * ode->options.absolute_tolerance);
    result = difference(ode, step, j);
    if (result > 0) result = difference(ode, -step, j);
    if (result > 0) nsds_zero_doubles(rk->matrix.J + (size_t)j * (size_t)n, (size_t)n);
    result = result < 0 ? result : 0;
  }
  return result;
}

/* Takes the Jacobian at t1, x1: from the problem, or by differences if the problem refuses. */
static int take_jacobian(nsds_ode *ode, double h) {
  nsds_runge_kutta *rk = ode->self;
  size_t n = (size_t)ode->problem.n;
  int result = ode->problem.jacobian ? nsds_ode_jacobian(ode, ode->t1, ode->x1, rk->matrix.J)
                                     : NSDS_ODE_SMALLER;
  if (result == 0 && nsds_first_nonfinite(rk->matrix.J, (int)(n * n)) >= 0)
    result = NSDS_ODE_SMALLER;
  if (result > 0) result = jacobian_by_differences(ode, h);
  if (result) return result;
  nsds_iteration_matrix_taken(&rk->matrix);
  rk->jacobian = NSDS_JACOBIAN_CURRENT;
  return 0;
}

/* ---- stages ---- */

/* Writes the weights that extrapolate the slopes of the stages before s to stage s. */
static void esdirk_extrapolate(int s, double *weight) {
  const double *c = tableau->c;
  for (int i = 0; i < s; ++i) {
    weight[i] = 1.0;
    for (int j = 0; j < s; ++j)
      if (j != i) weight[i] *= (c[s] - c[j]) / (c[i] - c[j]);
  }
}

/* Does one iteration of stage s from the state r + z; writes the correction to y_error and its norm
 * to *size. */
static int esdirk_iterate(nsds_ode *ode, int s, double t, double c, double *size) {
  nsds_runge_kutta *rk = ode->self;
  int n = ode->problem.n;
  double *z = rk->k[6], *change = rk->y_error;
  for (int i = 0; i < n; ++i) rk->x_new[i] = rk->y6[i] + z[i];
  int result = nsds_ode_rhs(ode, t, rk->x_new, rk->k[s]);
  if (result) return result;
  for (int i = 0; i < n; ++i) change[i] = c * rk->k[s][i] - z[i];
  nsds_iteration_matrix_solve(&rk->matrix, change);
  for (int i = 0; i < n; ++i) z[i] += change[i];
  *size = nsds_ode_norm(ode, change, ode->x1, ode->x1);
  return 0;
}

/* Solves for z by Newton's method, from its present value; changes below `noise` are rounding. Each
 * iteration multiplies the error by *rate; 1: unknown. */
static int find_stage(nsds_ode *ode, int s, double t, double c, double noise, double *rate) {
  double last = 0.0, size = 0.0;
  for (int m = 0; m < most_iterations; ++m) {
    int result = esdirk_iterate(ode, s, t, c, &size);
    if (result) return result;
    if (!isfinite(size)) return diverged;
    if (m > 0) *rate = fmax(size, noise) / last;
    if (size <= noise) return 0;
    if (m > 0 && size >= 0.9 * last) return diverged;
    if (*rate * size <= enough * (1.0 - *rate)) return 0;
    last = size;
  }
  return diverged;
}

/* Computes slopes 2 to 6, and the state of stage 6. */
static int implicit_stages(nsds_ode *ode, const nsds_trial_step *step, double *rate) {
  nsds_runge_kutta *rk = ode->self;
  int n = ode->problem.n;
  double c = 0.25 * step->h, *z = rk->k[6], weight[stages];
  double noise = 8.0 * DBL_EPSILON * nsds_ode_norm(ode, ode->x1, ode->x1, ode->x1);
  for (int s = 1; s < stages; ++s) {
    double t = s == stages - 1 ? step->to : fmin(ode->t1 + tableau->c[s] * step->h, step->to);
    esdirk_extrapolate(s, weight);
    nsds_weigh_slopes(n, s, weight, rk->k, c, z);
    nsds_weigh_slopes(n, s, tableau->a[s], rk->k, step->h, rk->y6);
    for (int i = 0; i < n; ++i) rk->y6[i] += ode->x1[i];
    int result = find_stage(ode, s, t, c, noise, rate);
    if (result) return result;
    for (int i = 0; i < n; ++i) rk->k[s][i] = z[i] / c;
  }
  for (int i = 0; i < n; ++i) rk->x_new[i] = rk->y6[i] + z[i];
  return 0;
}

/* ---- a step ---- */

int nsds_implicit_step(nsds_ode *ode, nsds_trial_step *step) {
  nsds_runge_kutta *rk = ode->self;
  double rate = 1.0;
  int result = rk->jacobian != NSDS_JACOBIAN_NONE ? 0 : take_jacobian(ode, step->h);
  if (!result && !nsds_iteration_matrix_factor(&rk->matrix, 0.25 * step->h)) result = diverged;
  if (!result) result = implicit_stages(ode, step, &rate);
  if (result < 0) return result;
  if (result == diverged) {
    ode->cause = NSDS_ODE_FAILED_STEP_SIZE;
    bool current = rk->jacobian == NSDS_JACOBIAN_CURRENT;
    if (!current) step->factor = 1.0; /* the same step with a new Jacobian */
    if (!current) rk->jacobian = NSDS_JACOBIAN_NONE;
  }
  if (result) return 0;
  nsds_weigh_slopes(ode->problem.n, stages, tableau->e, rk->k, step->h, rk->y_error);
  nsds_judge_error(ode, 4, step);
  if (step->accepted && rate > slow && rk->jacobian == NSDS_JACOBIAN_OLD)
    rk->jacobian = NSDS_JACOBIAN_NONE;
  return 0;
}

const double *nsds_implicit_output(nsds_ode *ode, double h) {
  nsds_runge_kutta *rk = ode->self;
  nsds_weigh_slopes(ode->problem.n, stages, tableau->d, rk->k, h, rk->quartic);
  nsds_weigh_slopes(ode->problem.n, stages, tableau->first, rk->k, h, rk->slope0);
  return rk->k[stages - 1];
}

bool nsds_implicit_is_easy(nsds_ode *ode, double h) {
  nsds_runge_kutta *rk = ode->self;
  rk->easy_steps = h * rk->matrix.radius < stable ? rk->easy_steps + 1 : 0;
  return rk->easy_steps == 15;
}
