/*
 * The implicit Runge-Kutta method ESDIRK4(3)6L[2]SA of Kennedy and Carpenter (NASA/TM-2016-219173,
 * 7.1): order 4, an explicit first stage and five with one diagonal entry g, stage order 2, L-stable
 * and stiffly accurate, with an error estimate of order 3. The last stage is the end of the step,
 * and its slope the first of the next.
 *
 * A stage x = r + c k, c = g h, is solved for z = c k by Newton's method with one matrix 1 - c J for
 * all of them: z += (1 - c J)^-1 (c f(r + z) - z), from an extrapolation of the slopes before.
 * It ends where the error left, by the rate of convergence, is a part of the tolerance; so J may be
 * anything near df/dx, and its errors cost iterations and no accuracy. J is kept from step to step
 * while Newton's method converges quickly: for linear motions from event to event. Its rate is
 * taken to grow worse from stage to stage until a second iteration shows it again.
 *
 * Dense output: x0 + h sum B_i(u) k_i with the one quartic that is of order 4 and has B_1 = B_2,
 * without which the explicit stage would add what is stiff without bound (Hairer & Wanner, Solving
 * ODEs II, IV.8, on Newton's method).
 */
#include "runge_kutta.h"

enum { stages = 6, most_iterations = 8, diverged = 2 };

#define ROOT 1.4142135623730950488 /* of 2 */
#define A41 ((5.0 - 7.0 * ROOT) / 64.0)
#define A51 ((-13796.0 - 54539.0 * ROOT) / 125000.0)
#define B1 ((1181.0 - 987.0 * ROOT) / 13782.0)
#define B3 (47.0 * (-267.0 + 1783.0 * ROOT) / 273343.0)
#define B4 (-16.0 * (-22922.0 + 3525.0 * ROOT) / 571953.0)
#define B5 (-15625.0 * (97.0 + 376.0 * ROOT) / 90749876.0)

/* The quartic: sum B_i(u) c_i^p = u^(p+1) / (p+1) for p = 0 to 3, sum B_i(u) a_ij c_j^2 = u^4 / 12,
 * and B_1 = B_2, six equations for each power of u. */
const struct nsds_esdirk_tableau nsds_esdirk_tableau = {
    .c = {0.0, 1.0 / 2, (2.0 - ROOT) / 4.0, 5.0 / 8, 26.0 / 25, 1.0},
    .a = {{0.0},
          {0.25, 0.25},
          {(1.0 - ROOT) / 8.0, (1.0 - ROOT) / 8.0, 0.25},
          {A41, A41, 7.0 * (1.0 + ROOT) / 32.0, 0.25},
          {A51, A51, (506605.0 + 132109.0 * ROOT) / 437500.0,
           166.0 * (-97.0 + 376.0 * ROOT) / 109375.0, 0.25},
          {B1, B1, B3, B4, B5, 0.25}},
    .e = {B1 + 480923228411.0 / 4982971448372.0, B1 + 480923228411.0 / 4982971448372.0,
          B3 - 6709447293961.0 / 12833189095359.0, B4 - 3513175791894.0 / 6748737351361.0,
          B5 + 498863281070.0 / 6042575550617.0, 0.25 - 2077005547802.0 / 8945017530137.0},
    .first = {0.95838975628803892824, 0.95838975628803892824, -0.014518173556596669951,
              -1.3135269700682582872, -1.6845003901998290326, 2.0957660212486061333},
    .d = {-1.8146339355316157508, -1.8146339355316157508, 2.7144702994154046705,
          1.9717661181259709461, 8.3601679682643290047, -9.4171365147424731197},
};

static const struct nsds_esdirk_tableau *const tableau = &nsds_esdirk_tableau;

static const double enough = 0.01;    /* of the tolerance may Newton's method leave */
static const double slow = 0.2;       /* a contraction that asks for a new Jacobian */
static const double forgotten = 0.95; /* power by which the contraction is trusted less */
static const double stable = 2.0;     /* h |df/dx| of explicit steps without doubt */

/* ---- the Jacobian ---- */

/* Column j by a difference to this side: 0, smaller, or a status. */
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

/* Where f refuses on both sides the column is zero: smaller steps go without it. */
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

/* At t1, x1. One that is refused comes by differences. */
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
  rk->has_jacobian = rk->of_this_state = true;
  rk->contraction = 1.0;
  rk->c = 0.0;
  return 0;
}

/* 1 - c J is factored; a longer step lets Newton's method contract less. */
static bool factor_matrix(nsds_runge_kutta *rk, double c) {
  if (c > rk->c && rk->c > 0.0) rk->contraction = fmin(1.0, rk->contraction * (c / rk->c));
  rk->c = c;
  return nsds_iteration_matrix_factor(&rk->matrix, c);
}

/* ---- stages ---- */

/* Of the polynomial through the slopes of stages before s, at that of s. */
static void extrapolate(int s, double *weight) {
  const double *c = tableau->c;
  for (int i = 0; i < s; ++i) {
    weight[i] = 1.0;
    for (int j = 0; j < s; ++j)
      if (j != i) weight[i] *= (c[s] - c[j]) / (c[i] - c[j]);
  }
}

/* What is left to correct at stage s in state r + z, by one iteration: into y_error, its size into
 * *size. */
static int iterate(nsds_ode *ode, int s, double t, double c, double *size) {
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

/* Newton's method for z, from what is there; changes below `noise` are rounding. */
static int find_stage(nsds_ode *ode, int s, double t, double c, double noise) {
  nsds_runge_kutta *rk = ode->self;
  double last = 0.0, size = 0.0;
  for (int m = 0; m < most_iterations; ++m) {
    int result = iterate(ode, s, t, c, &size);
    if (result) return result;
    if (!isfinite(size)) return diverged;
    if (size <= noise) return 0;
    if (m > 0 && size >= 0.9 * last) return diverged;
    rk->contraction = m > 0 ? size / last : pow(rk->contraction, forgotten);
    double left = rk->contraction < 1.0 ? rk->contraction / (1.0 - rk->contraction) : INFINITY;
    if (left * size <= enough) return 0;
    last = size;
  }
  return diverged;
}

/* Slopes 2 to 6, and the state of the last. */
static int implicit_stages(nsds_ode *ode, const nsds_trial_step *step) {
  nsds_runge_kutta *rk = ode->self;
  int n = ode->problem.n;
  double c = 0.25 * step->h, *z = rk->k[6], weight[stages];
  double noise = 8.0 * DBL_EPSILON * nsds_ode_norm(ode, ode->x1, ode->x1, ode->x1);
  for (int s = 1; s < stages; ++s) {
    double t = s == stages - 1 ? step->to : fmin(ode->t1 + tableau->c[s] * step->h, step->to);
    extrapolate(s, weight);
    nsds_weigh_slopes(n, s, weight, rk->k, c, z);
    nsds_weigh_slopes(n, s, tableau->a[s], rk->k, step->h, rk->y6);
    for (int i = 0; i < n; ++i) rk->y6[i] += ode->x1[i];
    int result = find_stage(ode, s, t, c, noise);
    if (result) return result;
    for (int i = 0; i < n; ++i) rk->k[s][i] = z[i] / c;
  }
  for (int i = 0; i < n; ++i) rk->x_new[i] = rk->y6[i] + z[i];
  return 0;
}

/* ---- a step ---- */

int nsds_implicit_step(nsds_ode *ode, nsds_trial_step *step) {
  nsds_runge_kutta *rk = ode->self;
  int result = rk->has_jacobian ? 0 : take_jacobian(ode, step->h);
  if (!result && !factor_matrix(rk, 0.25 * step->h)) result = diverged;
  if (!result) result = implicit_stages(ode, step);
  if (result < 0) return result;
  if (result == diverged) {
    ode->cause = NSDS_ODE_FAILED_STEP_SIZE;
    if (!rk->of_this_state) step->factor = 1.0; /* the same with a new Jacobian */
    rk->has_jacobian = rk->of_this_state;
  }
  if (result) return 0;
  nsds_weigh_slopes(ode->problem.n, stages, tableau->e, rk->k, step->h, rk->y_error);
  nsds_judge_error(ode, 4, step);
  if (step->accepted && rk->contraction > slow && !rk->of_this_state) rk->has_jacobian = false;
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
