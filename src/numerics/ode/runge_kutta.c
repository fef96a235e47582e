/*
 * Steps of the built-in methods, see runge_kutta.h. Step sizes come from a PI control (Hairer,
 * Norsett & Wanner, Solving ODEs II, IV.2), the first one from the estimate of Solving ODEs I,
 * II.4. Memory is taken in advance: a few numbers per state, and 2 n^2 numbers if steps may be
 * implicit.
 *
 * dormand_prince  explicit steps (dormand_prince.c)
 * esdirk          implicit steps (esdirk.c)
 * auto            explicit steps until fifteen are bounded by stability; then implicit steps until
 *                 fifteen are so short that explicit ones would be stable
 */
#include "numerics/ode/runge_kutta_state.h"

#include "base/archive.h"
#include "base/base.h"
#include "numerics/ode/dormand_prince.h"
#include "numerics/ode/esdirk.h"
#include "numerics/ode/iteration_matrix.h"
#include "numerics/ode/ode_functions.h"
#include "numerics/ode/ode_internal.h"
#include "numerics/ode/slopes.h"
#include "numerics/store.h"

#include <limits.h>

static const double largest_factor = 10.0;
static const double kept = 1.2; /* an implicit step keeps its size if it could grow by less */

static nsds_status rk_reserve(nsds_ode *ode) {
  nsds_runge_kutta *rk = ode->self;
  size_t n = (size_t)ode->problem.n;
  const nsds_cut cut[] = {NSDS_CUT(rk->stages, 7 * n), NSDS_CUT(rk->y6, n),
                          NSDS_CUT(rk->x0, n),         NSDS_CUT(rk->x_new, n),
                          NSDS_CUT(rk->y_error, n),    NSDS_CUT(rk->quartic, n),
                          NSDS_CUT(rk->slope0, n),     NSDS_CUT(rk->slope1, n)};
  nsds_status status = NSDS_HOLD(&ode->store, cut);
  for (size_t s = 0; !status && s < 7; ++s) rk->k[s] = rk->stages + s * n;
  rk->switches = ode->method == &nsds_auto_ode && n <= nsds_auto_states;
  rk->implicit = ode->method == &nsds_esdirk || (rk->switches && rk->implicit);
  rk->jacobian = NSDS_JACOBIAN_NONE;
  if (!status && n > 0 && (rk->switches || rk->implicit))
    status = nsds_iteration_matrix_reserve(&ode->store, &rk->matrix, (int)n);
  return status;
}

static nsds_status rk_start(nsds_ode *ode, double step) {
  nsds_runge_kutta *rk = ode->self;
  rk->wish = step;
  rk->last_error = 1e-4;
  rk->has_slope = false;
  rk->jacobian = NSDS_JACOBIAN_NONE;
  return NSDS_OK;
}

static void rk_forget(nsds_ode *ode) {
  nsds_runge_kutta *rk = ode->self;
  rk->h = 0.0;
  if (!rk->switches) return;
  rk->implicit = false;
  rk->stiff_steps = rk->other_steps = rk->easy_steps = 0;
}

/* ---- norms and the first step ---- */

/* Chooses the first step from the sizes of x, f and, by an Euler step, f'. k[0] holds f; k[1] and
 * y6 are scratch. */
static int first_step(nsds_ode *ode, double limit, double *h) {
  nsds_runge_kutta *rk = ode->self;
  int n = ode->problem.n;
  const double *x = ode->x1;
  double size = nsds_ode_norm(ode, x, x, x), rate = nsds_ode_norm(ode, rk->k[0], x, x);
  double euler =
      rate < 1e-5 ? 1e-6 : 0.01 * nsds_larger(size, 1.0) / rate; /* also from x near zero */
  euler = nsds_larger(euler, 100.0 * nsds_ode_ulp(ode->t1));
  euler = nsds_smaller(nsds_smaller(euler, limit - ode->t1), *h);
  if (rk->h >= 0.01 * euler && rk->h <= 100.0 * euler) { /* the last step size still fits */
    *h = nsds_smaller(*h, rk->h);
    return 0;
  }
  for (int i = 0; i < n; ++i) rk->y6[i] = x[i] + euler * rk->k[0][i];
  int result = nsds_ode_rhs(ode, ode->t1 + euler, rk->y6, rk->k[1]);
  if (result < 0) return result;
  double bend = 0.0;
  if (result == 0) {
    for (int i = 0; i < n; ++i) rk->k[1][i] -= rk->k[0][i];
    bend = nsds_ode_norm(ode, rk->k[1], x, x) / euler;
  }
  double most = fmax(rate, bend);
  double next = most <= 1e-15 ? fmax(1e-6, 1e-3 * euler) : pow(0.01 / most, 0.2);
  *h = fmin(*h, result == 0 ? fmin(100.0 * euler, next) : euler);
  return 0;
}

/* Evaluates f(t1, x1) and chooses the step to try first. */
static int rk_begin(nsds_ode *ode, double limit, double *h) {
  nsds_runge_kutta *rk = ode->self;
  const nsds_ode_options *o = &ode->options;
  *h = o->largest_step > 0.0 ? o->largest_step : INFINITY;
  if (rk->wish > 0.0) *h = fmin(*h, rk->wish);
  if (!rk->has_slope) {
    int result = nsds_ode_rhs(ode, ode->t1, ode->x1, rk->k[0]);
    if (result > 0) return nsds_ode_fail_step_size(ode, ode->t1);
    if (result < 0) return result;
    rk->has_slope = true;
    if (rk->h == 0.0 && o->first_step > 0.0) *h = fmin(*h, o->first_step);
    else return first_step(ode, limit, h);
    return 0;
  }
  *h = nsds_smaller(*h, rk->h);
  return 0;
}

/* ---- one step ---- */

/* Chooses explicit or implicit for the next steps. */
static void choose_kind(nsds_ode *ode, double h, bool implicit) {
  nsds_runge_kutta *rk = ode->self;
  bool other =
      implicit ? rk->switches && nsds_implicit_is_easy(ode, h) : nsds_explicit_is_stiff(ode, h);
  if (other && !rk->switches) ode->count.stiff = true;
  if (!other || !rk->switches) return;
  rk->implicit = !implicit;
  rk->stiff_steps = rk->other_steps = rk->easy_steps = 0;
  rk->jacobian = NSDS_JACOBIAN_NONE;
  if (implicit) rk->has_slope = false; /* its last slope is f only within the errors of x */
}

/* Accepts the step; its slopes and quartic part are kept for dense output. */
static void rk_take(nsds_ode *ode, const nsds_trial_step *step, bool implicit) {
  nsds_runge_kutta *rk = ode->self;
  int n = ode->problem.n;
  const double *last =
      implicit ? nsds_implicit_output(ode, step->h) : nsds_explicit_output(ode, step->h);
  int stage = last == rk->k[6] ? 6 : 5;
  choose_kind(ode, step->h, implicit);
  for (int i = 0; i < n; ++i) {
    rk->x0[i] = ode->x1[i];
    ode->x1[i] = rk->x_new[i];
    rk->slope1[i] = step->h * last[i];
  }
  double *first = rk->k[0];
  rk->k[0] = rk->k[stage];
  rk->k[stage] = first;
  if (rk->jacobian == NSDS_JACOBIAN_CURRENT) rk->jacobian = NSDS_JACOBIAN_OLD;
  ode->t0 = ode->t1;
  ode->t1 = step->to;
  ++ode->count.steps;
}

static int rk_step(nsds_ode *ode, double limit) {
  nsds_runge_kutta *rk = ode->self;
  bool implicit = rk->implicit && !(ode->rate && rk->switches);
  double h;
  int result = rk_begin(ode, limit, &h);
  if (result) return result;
  rk->wish = 0.0;
  for (bool accepted = false, rejected = false; !accepted; rejected = true) {
    result = nsds_ode_try(ode);
    if (result) return result;
    double left = limit - ode->t1;
    bool last = !(1.01 * h < left);
    nsds_trial_step step = {.h = last ? left : h, .to = last ? limit : ode->t1 + h, .factor = 0.25};
    if (!last && !(h > 10.0 * nsds_ode_ulp(ode->t1))) return nsds_ode_fail_step_size(ode, ode->t1);
    result = implicit ? nsds_implicit_step(ode, &step) : nsds_explicit_step(ode, &step);
    if (result) return result;
    accepted = step.accepted;
    double factor = nsds_smaller(step.factor, largest_factor);
    if (implicit && accepted && factor > 1.0 && factor < kept) factor = 1.0;
    if (accepted) rk_take(ode, &step, implicit);
    else ++ode->count.rejected;
    if (accepted && rejected) factor = fmin(factor, 1.0);
    /* A step cut short by the limit says little about the next step size. */
    if (!accepted || !last || factor * step.h > h) h = factor * step.h;
    if (!accepted && h < 10.0 * nsds_ode_ulp(ode->t1)) return nsds_ode_fail_step_size(ode, ode->t1);
  }
  rk->h = h;
  return 0;
}

/* ---- dense output ---- */

/* Interpolates entry i at part u of the last step; v = 1 - u. */
static inline double interpolate(const nsds_runge_kutta *rk, const double *x1, double u, double v,
                                 int i) {
  double change = x1[i] - rk->x0[i];
  double bend = rk->slope0[i] - change, turn = change - rk->slope1[i] - bend;
  return rk->x0[i] + u * (change + v * (bend + u * (turn + v * rk->quartic[i])));
}

static void rk_dense(nsds_ode *ode, double t, double *restrict x) {
  const nsds_runge_kutta rk = *(const nsds_runge_kutta *)ode->self;
  double u = nsds_ode_part(ode, t), v = 1.0 - u;
  const double *x1 = ode->x1;
  for (int i = 0, n = ode->problem.n; i < n; ++i) x[i] = interpolate(&rk, x1, u, v, i);
}

static double rk_sum(const nsds_ode *ode, double u, double start, int n, const int *column,
                     const double *value) {
  const nsds_runge_kutta *rk = ode->self;
  double v = 1.0 - u, sum = start;
  for (int k = 0; k < n; ++k) sum += value[k] * interpolate(rk, ode->x1, u, v, column[k]);
  return sum;
}

static bool rk_parabola(const nsds_ode *ode, nsds_parabola *p) {
  const nsds_runge_kutta *rk = ode->self;
  *p = (nsds_parabola){ode->t0, rk->x0, rk->slope0};
  return ode->rate && (rk->switches || !rk->implicit) && ode->t0 < ode->t1;
}

/* ---- as numbers ---- */

static void archive_implicit(nsds_ode *ode, nsds_archive *a) {
  nsds_runge_kutta *rk = ode->self;
  const char *object = "the integration";
  size_t n = (size_t)ode->problem.n;
  int jacobian = rk->jacobian != NSDS_JACOBIAN_NONE;
  if (rk->switches) nsds_archive_bool(a, &rk->implicit);
  nsds_archive_int(a, object, "easy steps", &rk->easy_steps, 0, INT_MAX / 2);
  nsds_archive_size(a, object, "yes or no", &jacobian, 0, 1);
  if (jacobian) nsds_archive_finite(a, object, "Jacobian", rk->matrix.J, n * n);
  if (a->status || a->mode != NSDS_ARCHIVE_READ) return;
  rk->jacobian = jacobian ? NSDS_JACOBIAN_OLD : NSDS_JACOBIAN_NONE;
  if (jacobian) nsds_iteration_matrix_taken(&rk->matrix);
}

/* Archives the dense output on [t0, t1] and the first slope of the next step, f(t1, x1). */
static void rk_archive(nsds_ode *ode, nsds_archive *a) {
  nsds_runge_kutta *rk = ode->self;
  const char *object = "the integration";
  size_t n = (size_t)ode->problem.n;
  double *const part[] = {rk->x0, rk->quartic, rk->slope0, rk->slope1, rk->k[0]};
  double *const number[] = {&rk->h, &rk->wish, &rk->last_error};
  if (a->mode == NSDS_ARCHIVE_WRITE && ode->t0 == ode->t1) /* no dense output yet */
    for (size_t k = 0; k < 4; ++k) nsds_zero_doubles(part[k], n);
  if (a->mode == NSDS_ARCHIVE_WRITE && !rk->has_slope) nsds_zero_doubles(rk->k[0], n);
  for (size_t k = 0; k < sizeof part / sizeof *part; ++k)
    nsds_archive_finite(a, object, "dense output", part[k], n);
  for (size_t k = 0; k < sizeof number / sizeof *number; ++k)
    nsds_archive_at_least(a, object, "step size or error", number[k], 0.0);
  nsds_archive_bool(a, &rk->has_slope);
  nsds_archive_int(a, object, "stiff steps", &rk->stiff_steps, 0, INT_MAX / 2);
  nsds_archive_int(a, object, "other steps", &rk->other_steps, 0, INT_MAX / 2);
  if (rk->switches || rk->implicit) archive_implicit(ode, a);
}

#define METHOD(text)                                                                               \
  {                                                                                                \
    .name = text, .self_size = sizeof(nsds_runge_kutta), .reserve = rk_reserve, .start = rk_start, \
    .forget = rk_forget, .step = rk_step, .dense = rk_dense, .sum = rk_sum,                        \
    .parabola = rk_parabola, .archive = rk_archive                                                 \
  }

const nsds_ode_method nsds_auto_ode = METHOD("auto");
const nsds_ode_method nsds_dormand_prince = METHOD("dormand_prince");
const nsds_ode_method nsds_esdirk = METHOD("esdirk");
