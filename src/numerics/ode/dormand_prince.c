/*
 * The explicit Runge-Kutta method of order 5 of Dormand and Prince (J. Comp. Appl. Math. 6, 1980)
 * with seven stages, the last of which is the first of the next step, and its dense output of
 * order 4.
 *
 * The step is x1 = x0 + h sum b_i k_i, its error estimate h sum e_i k_i. Dense output, u in [0, 1]:
 * the cubic Hermite polynomial through x0, k1, x1, k7, and h u^2 (1 - u)^2 sum d_i k_i, which makes
 * it of order 4 (Hairer, Norsett & Wanner, Solving ODEs I, II.6). Step sizes follow a PI control
 * (II.4, IV.2), the first one the estimate of II.4. Stiffness: h |k7 - k6| / |x1 - y6| estimates
 * h |df/dx|; fifteen steps in a row (with fewer than six others between) beyond 3.25, near the end
 * of the stability domain, say that stability bounds the step (Solving ODEs II, IV.2). Memory is n
 * times a few numbers, taken in advance.
 */
#include "archive.h"
#include "ode_internal.h"

#include <limits.h>

const struct nsds_dormand_prince_tableau nsds_dormand_prince_tableau = {
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

static const struct nsds_dormand_prince_tableau *const tableau = &nsds_dormand_prince_tableau;

static const double safety = 0.9, smallest_factor = 0.2, largest_factor = 10.0;
static const double beta = 0.04; /* weight of the last error in the PI control */
static const double stability = 3.25;

typedef struct dormand_prince {
  double *stages;          /* 7 n */
  double *k[7];            /* the slopes, of these */
  double *y6;              /* state of stage 6, then of the one that is tried */
  double *x0;              /* at t0 */
  double *x_new;           /* the end of the step that is tried, */
  double *y_error;         /* and its error */
  double *quartic;         /* h sum d_i k_i of the last step */
  double *slope0, *slope1; /* h k1, h k7 of the last step */
  double h;                /* of the next step; 0: to be chosen */
  double wish;             /* largest h of the next step, 0: none */
  double last_error;
  bool has_slope; /* k[0] = f(t1, x1) */
  int stiff_steps, other_steps;
} dormand_prince;

static nsds_status dp_reserve(nsds_ode *ode) {
  dormand_prince *dp = ode->self;
  size_t n = (size_t)ode->problem.n;
  const nsds_cut cut[] = {NSDS_CUT(dp->stages, 7 * n), NSDS_CUT(dp->y6, n),
                          NSDS_CUT(dp->x0, n),         NSDS_CUT(dp->x_new, n),
                          NSDS_CUT(dp->y_error, n),    NSDS_CUT(dp->quartic, n),
                          NSDS_CUT(dp->slope0, n),     NSDS_CUT(dp->slope1, n)};
  nsds_status status = NSDS_HOLD(&ode->store, cut);
  for (size_t s = 0; !status && s < 7; ++s) dp->k[s] = dp->stages + s * n;
  return status;
}

static nsds_status dp_start(nsds_ode *ode, double step) {
  dormand_prince *dp = ode->self;
  dp->wish = step;
  dp->last_error = 1e-4;
  dp->has_slope = false;
  return NSDS_OK;
}

static void dp_forget(nsds_ode *ode) { ((dormand_prince *)ode->self)->h = 0.0; }

/* ---- norms and the first step ---- */

/* Root mean square of v, in units of the tolerance at x or y, whichever is larger. */
static double norm(const nsds_ode *ode, const double *v, const double *x, const double *y) {
  double sum = 0.0;
  int n = ode->problem.n;
  for (int i = 0; i < n; ++i) {
    double unit = ode->options.absolute_tolerance +
                  ode->options.relative_tolerance * fmax(fabs(x[i]), fabs(y[i]));
    sum += (v[i] / unit) * (v[i] / unit);
  }
  return sqrt(sum / n);
}

/* From the sizes of x, f and, by an Euler step, of f'; k[0] holds f, k[1] and y6 are scratch. */
static int first_step(nsds_ode *ode, double limit, double *h) {
  dormand_prince *dp = ode->self;
  int n = ode->problem.n;
  const double *x = ode->x1;
  double size = norm(ode, x, x, x), rate = norm(ode, dp->k[0], x, x);
  double euler = rate < 1e-5 ? 1e-6 : 0.01 * fmax(size, 1.0) / rate; /* also from x near zero */
  euler = fmax(euler, 100.0 * nsds_ode_ulp(ode->t1));
  euler = fmin(fmin(euler, limit - ode->t1), *h);
  if (dp->h >= 0.01 * euler && dp->h <= 100.0 * euler) { /* that of before still fits */
    *h = fmin(*h, dp->h);
    return 0;
  }
  for (int i = 0; i < n; ++i) dp->y6[i] = x[i] + euler * dp->k[0][i];
  int result = nsds_ode_rhs(ode, ode->t1 + euler, dp->y6, dp->k[1]);
  if (result < 0) return result;
  double bend = 0.0;
  if (result == 0) {
    for (int i = 0; i < n; ++i) dp->k[1][i] -= dp->k[0][i];
    bend = norm(ode, dp->k[1], x, x) / euler;
  }
  double most = fmax(rate, bend);
  double next = most <= 1e-15 ? fmax(1e-6, 1e-3 * euler) : pow(0.01 / most, 0.2);
  *h = fmin(*h, result == 0 ? fmin(100.0 * euler, next) : euler);
  return 0;
}

/* f(t1, x1), and the step to try first. */
static int begin(nsds_ode *ode, double limit, double *h) {
  dormand_prince *dp = ode->self;
  const nsds_ode_options *o = &ode->options;
  *h = o->largest_step > 0.0 ? o->largest_step : INFINITY;
  if (dp->wish > 0.0) *h = fmin(*h, dp->wish);
  if (!dp->has_slope) {
    int result = nsds_ode_rhs(ode, ode->t1, ode->x1, dp->k[0]);
    if (result > 0) return nsds_ode_fail_step_size(ode, ode->t1);
    if (result < 0) return result;
    dp->has_slope = true;
    if (dp->h == 0.0 && o->first_step > 0.0) *h = fmin(*h, o->first_step);
    else return first_step(ode, limit, h);
    return 0;
  }
  *h = fmin(*h, dp->h);
  return 0;
}

/* ---- one step ---- */

/* v = h sum of weight_r k_r, r < count. */
static void weigh(int n, int count, const double *weight, double *const *k, double h,
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

/* Stages 2 to 7 of a step from t1 to `to`; x_new is the state of the last. */
static int stages(nsds_ode *ode, double h, double to) {
  dormand_prince *dp = ode->self;
  int n = ode->problem.n;
  for (int s = 1; s < 7; ++s) {
    double *y = s == 6 ? dp->x_new : dp->y6;
    weigh(n, s, tableau->a[s], dp->k, h, y);
    for (int i = 0; i < n; ++i) y[i] += ode->x1[i];
    double t = s >= 5 ? to : fmin(ode->t1 + tableau->c[s] * h, to);
    int result = nsds_ode_rhs(ode, t, y, dp->k[s]);
    if (result) return result;
  }
  return 0;
}

static void watch_stiffness(nsds_ode *ode, double h) {
  dormand_prince *dp = ode->self;
  double slopes = 0.0, states = 0.0, noise = 0.0;
  for (int i = 0; i < ode->problem.n; ++i) {
    double a = dp->k[6][i] - dp->k[5][i], b = dp->x_new[i] - dp->y6[i];
    double least = 0.01 * ode->options.absolute_tolerance; /* below, nothing bounds a step */
    slopes += a * a;
    states += b * b;
    noise += least * least;
  }
  if (states > noise && h * sqrt(slopes / states) > stability) {
    dp->other_steps = 0;
    if (++dp->stiff_steps == 15) ode->count.stiff = true;
  } else if (++dp->other_steps == 6) {
    dp->stiff_steps = 0;
  }
}

/* The step becomes the last one; its slopes and the quartic part are kept for dense output. */
static void take(nsds_ode *ode, double h, double to) {
  dormand_prince *dp = ode->self;
  int n = ode->problem.n;
  if (ode->quadratic) {
    nsds_zero_doubles(dp->quartic, (size_t)n);
  } else {
    watch_stiffness(ode, h);
    weigh(n, 7, tableau->d, dp->k, h, dp->quartic);
  }
  for (int i = 0; i < n; ++i) {
    dp->x0[i] = ode->x1[i];
    ode->x1[i] = dp->x_new[i];
    dp->slope0[i] = h * dp->k[0][i];
    dp->slope1[i] = h * dp->k[6][i];
  }
  double *first = dp->k[0];
  dp->k[0] = dp->k[6];
  dp->k[6] = first;
  ode->t0 = ode->t1;
  ode->t1 = to;
  ++ode->count.steps;
}

/* Factor by which the step may grow after `error` <= 1. */
static double growth(dormand_prince *dp, double error) {
  double factor = safety * pow(error, 0.75 * beta - 0.2) * pow(dp->last_error, beta);
  dp->last_error = fmax(error, 1e-4);
  return fmin(fmax(factor, smallest_factor), largest_factor);
}

/* A quadratic x: the midpoint rule is exact. */
static int midpoint(nsds_ode *ode, double h, double to) {
  dormand_prince *dp = ode->self;
  int n = ode->problem.n;
  for (int i = 0; i < n; ++i) dp->y6[i] = ode->x1[i] + 0.5 * h * dp->k[0][i];
  int result = nsds_ode_rhs(ode, ode->t1 + 0.5 * h, dp->y6, dp->k[5]);
  if (result) return result;
  for (int i = 0; i < n; ++i) dp->x_new[i] = ode->x1[i] + h * dp->k[5][i];
  return nsds_ode_rhs(ode, to, dp->x_new, dp->k[6]);
}

/* Tries h; the factor for the next try or step. */
static int try_step(nsds_ode *ode, double h, double to, bool *accepted, double *factor) {
  dormand_prince *dp = ode->self;
  int n = ode->problem.n;
  *accepted = false;
  *factor = 0.25;
  int result = ode->quadratic ? midpoint(ode, h, to) : stages(ode, h, to);
  if (result) return result > 0 ? 0 : result;
  if (ode->quadratic && nsds_first_nonfinite(dp->x_new, n) < 0) {
    *accepted = true;
    *factor = largest_factor;
    return 0;
  }
  weigh(n, 7, tableau->e, dp->k, h, dp->y_error);
  double error = norm(ode, dp->y_error, ode->x1, dp->x_new);
  if (!isfinite(error)) { /* the state has grown beyond all numbers */
    ode->cause = NSDS_ODE_FAILED_STEP_SIZE;
    return 0;
  }
  *accepted = error <= 1.0;
  if (*accepted) *factor = growth(dp, error);
  else *factor = fmax(smallest_factor, safety * pow(error, 0.75 * beta - 0.2));
  return 0;
}

static int dp_step(nsds_ode *ode, double limit) {
  dormand_prince *dp = ode->self;
  double h, factor;
  int result = begin(ode, limit, &h);
  if (result) return result;
  dp->wish = 0.0;
  for (bool accepted = false, rejected = false; !accepted; rejected = true) {
    result = nsds_ode_try(ode);
    if (result) return result;
    double left = limit - ode->t1;
    bool last = !(1.01 * h < left);
    double tried = last ? left : h, to = last ? limit : ode->t1 + h;
    if (!last && !(h > 10.0 * nsds_ode_ulp(ode->t1))) return nsds_ode_fail_step_size(ode, ode->t1);
    result = try_step(ode, tried, to, &accepted, &factor);
    if (result) return result;
    if (accepted) take(ode, tried, to);
    else ++ode->count.rejected;
    if (accepted && rejected) factor = fmin(factor, 1.0);
    /* A step cut short says little of how long the next may be. */
    if (!accepted || !last || factor * tried > h) h = factor * tried;
    if (!accepted && h < 10.0 * nsds_ode_ulp(ode->t1)) return nsds_ode_fail_step_size(ode, ode->t1);
  }
  dp->h = h;
  return 0;
}

/* Entry i at part u of the last step; v = 1 - u. */
static inline double interpolate(const dormand_prince *dp, const double *x1, double u, double v,
                                 int i) {
  double change = x1[i] - dp->x0[i];
  double bend = dp->slope0[i] - change, turn = change - dp->slope1[i] - bend;
  return dp->x0[i] + u * (change + v * (bend + u * (turn + v * dp->quartic[i])));
}

static double part_of_step(const nsds_ode *ode, double t) {
  return t == ode->t0 ? 0.0 : (t - ode->t0) / (ode->t1 - ode->t0);
}

static void dp_dense(nsds_ode *ode, double t, double *restrict x) {
  const dormand_prince dp = *(const dormand_prince *)ode->self;
  double u = part_of_step(ode, t), v = 1.0 - u;
  const double *x1 = ode->x1;
  for (int i = 0, n = ode->problem.n; i < n; ++i) x[i] = interpolate(&dp, x1, u, v, i);
}

static double dp_entry(const nsds_ode *ode, double t, int k) {
  double u = part_of_step(ode, t);
  return interpolate(ode->self, ode->x1, u, 1.0 - u, k);
}

/* The dense output is a thing of [t0, t1], and the first stage of the next step is f(t1, x1). */
static void dp_archive(nsds_ode *ode, nsds_archive *a) {
  dormand_prince *dp = ode->self;
  const char *object = "the integration";
  size_t n = (size_t)ode->problem.n;
  double *const part[] = {dp->x0, dp->quartic, dp->slope0, dp->slope1, dp->k[0]};
  double *const number[] = {&dp->h, &dp->wish, &dp->last_error};
  if (a->mode == NSDS_ARCHIVE_WRITE && ode->t0 == ode->t1) /* there is no output yet */
    for (size_t k = 0; k < 4; ++k) nsds_zero_doubles(part[k], n);
  if (a->mode == NSDS_ARCHIVE_WRITE && !dp->has_slope) nsds_zero_doubles(dp->k[0], n);
  for (size_t k = 0; k < sizeof part / sizeof *part; ++k)
    nsds_archive_finite(a, object, "dense output", part[k], n);
  for (size_t k = 0; k < sizeof number / sizeof *number; ++k)
    nsds_archive_at_least(a, object, "step size or error", number[k], 0.0);
  nsds_archive_bool(a, &dp->has_slope);
  nsds_archive_int(a, object, "stiff steps", &dp->stiff_steps, 0, INT_MAX / 2);
  nsds_archive_int(a, object, "other steps", &dp->other_steps, 0, INT_MAX / 2);
}

const nsds_ode_method nsds_dormand_prince = {
    .name = "dormand_prince",
    .self_size = sizeof(dormand_prince),
    .reserve = dp_reserve,
    .start = dp_start,
    .forget = dp_forget,
    .step = dp_step,
    .dense = dp_dense,
    .entry = dp_entry,
    .archive = dp_archive,
};
