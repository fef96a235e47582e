/*
 * Alternating direction method of multipliers for monotone M (Boyd et al. 2011; for friction Acary,
 * Bremond & Huber 2018, Daviet, Bertails-Descoubes & Boissieux 2011). In the metric R of
 * blockwise.h:
 *
 *     x  = (M + rho R^-1)^-1 (rho R^-1 (y - u) - q - s)
 *     x' = relaxation x + (1 - relaxation) y
 *     y+ = P(x' + u),   u+ = u + x' - y+,   and -rho R^-1 u is w + s in the end
 *
 * De Saxce's shift s depends on the tangential part of w alone, which -rho R^-1 u has, and is
 * renewed in every step. One factorisation for every rho, which follows the ratio of the residuals
 * |x - y| and rho |y - y-| (Stellato et al. 2020), at distances that double.
 *
 * With acceleration, y and u are extrapolated as Nesterov does, and the extrapolation starts anew
 * when the residual grows (Goldstein, O'Donoghue, Setzer & Baraniuk 2014, algorithm 8).
 *
 * Kept between solves while the stamp of M stays: rho, M and the factors.
 */
#include "block_system.h"
#include "blockwise.h"
#include "watch.h"

enum { OPTION_PENALTY = OPTION_FIRST_OWN, OPTION_RELAXATION, OPTION_ACCELERATE };

enum { arrays = 10, default_iterations = 10000, first_adaptation = 10 };

static const double adapt_beyond = 3.0; /* ratio of the residuals that asks for another rho */
static const double adapt_most = 100.0; /* change of rho at once */
static const double must_fall = 0.999;  /* of the residual in a step with extrapolation */

typedef struct admm_state {
  nsds_block_system system;
  double *diagonal; /* n: B of the factors */
  size_t diagonal_capacity;
  uint64_t stamp; /* of M in the factors, 0: none */
  int n;
  double rho;
} admm_state;

typedef struct admm {
  admm_state *state;
  nsds_solver *solver;
  const nsds_problem *problem;
  nsds_solver_info *info;
  int n;
  double rho, relaxation;
  bool shifts, accelerate;
  double *r;             /* n: metric */
  double *x, *y, *u;     /* n each */
  double *y0, *u0;       /* n each: of the step before */
  double *yh, *uh;       /* n each: extrapolated */
  double *s, *v;         /* n each: shift; w + s = -rho R^-1 u */
  double momentum;       /* Nesterov's a */
  double size;           /* |u - uh|^2 + |y - yh|^2 of the step before */
  double primal, dual;   /* residuals */
  double xscale, wscale; /* what they are measured against */
  int adaptation;        /* iteration that may change rho next */
} admm;

/* ---- the linear system ---- */

/* Factors of M + rho R^-1, made anew when M or rho changed. */
static nsds_status factor(admm *t) {
  admm_state *s = t->state;
  bool same = s->stamp != 0 && s->stamp == t->problem->M.stamp && s->n == t->n;
  for (int i = 0; i < t->n; ++i) {
    double value = t->rho / t->r[i];
    same = same && s->diagonal[i] == value;
    s->diagonal[i] = value;
  }
  if (same) return NSDS_OK;
  s->stamp = 0;
  nsds_block_system_start(&s->system, t->solver, t->problem);
  for (int i = 0; i < t->n; ++i) nsds_block_system_add(&s->system, i, s->diagonal[i]);
  ++t->info->factorizations;
  nsds_status status = nsds_block_system_factor(&s->system, true);
  if (status) return status;
  s->stamp = t->problem->M.stamp;
  s->n = t->n;
  return NSDS_OK;
}

/* Doubles the penalty until M + rho R^-1 is regular. */
static nsds_status factor_regular(admm *t) {
  nsds_status status = factor(t);
  for (int k = 0; k < 10 && status == NSDS_ERROR_SINGULAR; ++k) {
    t->rho *= 2.0;
    status = factor(t);
  }
  return status;
}

/* ---- one step ---- */

static void find_x(admm *t) {
  for (int i = 0; i < t->n; ++i)
    t->x[i] = t->state->diagonal[i] * (t->yh[i] - t->uh[i]) - t->problem->q[i] - t->s[i];
  nsds_block_system_solve(&t->state->system, t->x);
}

/* y and u from x; the old ones become y0 and u0. */
static void find_y(admm *t) {
  double *y = t->y0, *u = t->u0;
  t->y0 = t->y;
  t->u0 = t->u;
  t->y = y;
  t->u = u;
  for (int i = 0; i < t->n; ++i) {
    t->u[i] = t->uh[i] + t->relaxation * t->x[i] + (1.0 - t->relaxation) * t->yh[i];
    t->y[i] = t->u[i];
  }
  nsds_project(t->problem, t->y, t->y);
  for (int i = 0; i < t->n; ++i) t->u[i] -= t->y[i];
}

static void find_shift(admm *t) {
  for (int i = 0; i < t->n; ++i) t->v[i] = -t->rho / t->r[i] * t->u[i];
  if (!t->shifts) return;
  nsds_shift(t->problem, t->v, t->s);
  for (int i = 0; i < t->n; ++i) t->s[i] -= t->v[i];
}

static void measure(admm *t) {
  double primal = 0.0, dual = 0.0;
  for (int i = 0; i < t->n; ++i) {
    double p = t->x[i] - t->y[i], d = t->y[i] - t->yh[i];
    primal += p * p / t->r[i];
    dual += d * d / t->r[i];
  }
  t->primal = sqrt(primal / fmax(nsds_dot_z(t->n, t->r, t->x, t->x), primal));
  t->dual = t->rho * sqrt(dual) /
            sqrt(fmax(nsds_dot_w(t->n, t->r, t->v, t->v),
                      nsds_dot_w(t->n, t->r, t->problem->q, t->problem->q)));
}

/* yh and uh for the next step. */
static void extrapolate(admm *t) {
  double size = 0.0, before = t->size, next = 0.5 + sqrt(0.25 + t->momentum * t->momentum);
  for (int i = 0; i < t->n; ++i) {
    double p = t->u[i] - t->uh[i], d = t->y[i] - t->yh[i];
    size += (p * p + d * d) / t->r[i];
  }
  bool again = !t->accelerate || !(size < must_fall * before);
  double weight = again ? 0.0 : (t->momentum - 1.0) / next;
  t->size = again ? before / must_fall : size;
  t->momentum = again ? 1.0 : next;
  if (!t->accelerate) t->size = size;
  for (int i = 0; i < t->n; ++i) {
    t->yh[i] = t->y[i] + weight * (t->y[i] - t->y0[i]);
    t->uh[i] = t->u[i] + weight * (t->u[i] - t->u0[i]);
  }
}

/* Another rho where one residual is far ahead of the other: w + s = -rho R^-1 u stays. */
static nsds_status adapt(admm *t, int k) {
  if (k != t->adaptation) return NSDS_OK;
  t->adaptation *= 2;
  double ratio = sqrt(t->primal / t->dual);
  if (!(ratio > adapt_beyond || ratio < 1.0 / adapt_beyond)) return NSDS_OK;
  double factor_of_rho = fmin(fmax(ratio, 1.0 / adapt_most), adapt_most);
  t->rho *= factor_of_rho;
  nsds_status status = factor_regular(t);
  for (int i = 0; i < t->n; ++i) {
    t->u[i] = -t->v[i] * t->r[i] / t->rho;
    t->yh[i] = t->y[i];
    t->uh[i] = t->u[i];
  }
  t->momentum = 1.0;
  t->size = INFINITY;
  return status;
}

static nsds_status step(admm *t, int k) {
  find_x(t);
  find_y(t);
  find_shift(t);
  measure(t);
  extrapolate(t);
  return adapt(t, k);
}

/* ---- operations of the method ---- */

static nsds_status start(admm *t, const double *z) {
  size_t bytes = (size_t)t->n * sizeof *z;
  nsds_metric(t->problem, t->r, t->x);
  nsds_status status = factor_regular(t);
  memcpy(t->y, z, bytes);
  memcpy(t->yh, z, bytes);
  nsds_problem_multiply(t->problem, z, t->v, t->solver->toolbox->certify_work);
  nsds_shift(t->problem, t->v, t->x);
  for (int i = 0; i < t->n; ++i) {
    t->s[i] = t->x[i] - t->v[i];
    t->u[i] = t->uh[i] = -t->x[i] * t->r[i] / t->rho;
  }
  return status;
}

static admm open(nsds_solver *solver, const nsds_problem *problem, nsds_solver_info *info) {
  size_t n = (size_t)problem->n;
  double *scratch = solver->toolbox->scratch;
  admm_state *state = solver->state;
  bool again = state->stamp != 0 && state->stamp == problem->M.stamp && state->n == problem->n;
  return (admm){.state = state,
                .solver = solver,
                .problem = problem,
                .info = info,
                .n = problem->n,
                .rho = again ? state->rho : solver->value[OPTION_PENALTY],
                .relaxation = solver->value[OPTION_RELAXATION],
                .accelerate = solver->value[OPTION_ACCELERATE] > 0.0,
                .shifts = (solver->toolbox->sets & nsds_shifted_sets) != 0,
                .r = scratch,
                .x = scratch + n,
                .y = scratch + 2 * n,
                .u = scratch + 3 * n,
                .y0 = scratch + 4 * n,
                .u0 = scratch + 5 * n,
                .yh = scratch + 6 * n,
                .uh = scratch + 7 * n,
                .s = scratch + 8 * n,
                .v = scratch + 9 * n,
                .momentum = 1.0,
                .size = INFINITY,
                .adaptation = first_adaptation};
}

static nsds_status solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                         nsds_solver_info *info) {
  nsds_watch watch = nsds_watch_start(solver, problem, z, default_iterations, 0, info);
  if (nsds_watch_done(&watch)) return NSDS_OK;
  admm t = open(solver, problem, info);
  nsds_status status = start(&t, z);
  for (int k = 1; !status; ++k) {
    status = step(&t, k);
    t.state->rho = t.rho;
    if (nsds_watch_step(&watch, k, t.y)) break;
  }
  return status == NSDS_ERROR_SINGULAR ? NSDS_OK : status;
}

static nsds_status reserve(nsds_solver *solver, const nsds_problem *problem) {
  admm_state *s = solver->state;
  size_t n = (size_t)problem->n;
  nsds_status status = NSDS_ENSURE(solver->context, s->diagonal, s->diagonal_capacity, n);
  if (!status) status = nsds_block_system_reserve(&s->system, solver, problem, 0);
  return status ? status : nsds_watch_reserve(solver, problem, arrays * n);
}

static void release(nsds_solver *solver) {
  admm_state *s = solver->state;
  nsds_block_system_release(&s->system, solver->context);
  nsds_release(solver->context, s->diagonal);
}

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of steps; 0: 10000"),
    {"penalty", "1", "first rho in units of the diagonal of M; adapted from there", 1.0, 1e-8, 1e8},
    {"relaxation", "1", "1: plain; above: over-relaxation", 1.0, 0.1, 1.9},
    {"accelerate", "integer", "1: extrapolation with restart; 0: none", 1.0, 0.0, 1.0},
    {0}};

const nsds_method nsds_method_admm = {
    .row = {.name = "admm",
            .summary = "Splits M from the sets, one factorisation for many steps; semidefinite M "
                       "of middle size.",
            .reference = "Acary, Bremond, Huber: Advanced Topics in Nonsmooth Dynamics (2018); "
                         "Goldstein et al.: SIAM J. Imaging Sci. 7 (2014)",
            .sets = nsds_every_set,
            .storages = nsds_all_storages,
            .option = options},
    .state_size = sizeof(admm_state),
    .reserve = reserve,
    .solve = solve,
    .release = release,
};
