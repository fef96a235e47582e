/*
 * Josephy and Newton's method for w = F(z), -(w + shift) in N_C(z), see nsds/nonlinear.h. At z_k
 *
 *     w = F_k + J_k (z - z_k) + e R^-1 (z - z_k),   e = 0 if that suffices,
 *
 * is a problem for the solver. The next point lies between z_k and the solution, so in C. A search
 * that halves the step ends when
 *
 *     theta(z) = | z - P_C(z - R (F(z) + shift)) |   in the metric of blockwise.h
 *
 * has fallen below the largest of the last values (Grippo, Lampariello & Lucidi 1986). If that
 * fails, e grows, which shortens the step and turns it towards that of the projection method. After
 * a success e falls back towards 0.
 */
#include <nsds/nonlinear.h>

#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "numerics/judge.h"
#include "numerics/problem.h"
#include "numerics/sets/blockwise.h"
#include "numerics/solver_run.h"
#include "numerics/solver_tools.h"
#include "numerics/watch.h"
#include "numerics/store.h"

#include <float.h>

enum {
  default_steps = 100,
  window = 4,    /* number of merits; the largest of them counts */
  halvings = 10, /* most halvings of a step */
};

static const double descent = 1e-4;      /* decrease of the merit that a step must reach */
static const double first_weight = 1e-3; /* least e above 0: J with a little of its diagonal */
static const double most_weight = 1e6;   /* largest e: almost only the diagonal */
static const double weight_factor = 10.0;

typedef struct newton {
  nsds_solver *solver;
  nsds_context *context;
  const nsds_nonlinear_problem *given;
  nsds_problem linear; /* at z, with the arrays J and q */
  nsds_store store;
  size_t count; /* number of entries of J */
  double *J, *q;
  int *place;       /* n: places of the diagonal entries in J */
  double *diagonal; /* n: diagonal entries of F' */
  double *F, *base; /* n each: F(z), F(z) - F'(z) z */
  double *r;        /* n: the metric */
  double *z, *best; /* n each: the iterate, and the iterate with the least residual */
  double *next;     /* n: solution of the linear problem */
  double *trial, *F_trial, *p;
  double e, residual, least; /* certified residuals of z and of the best iterate */
  double past[window];       /* merits; the first belongs to z */
} newton;

/* ---- functions of the user ---- */

enum { HAS_NO_VALUE = 1 };

/* Calls a function of the user. Returns 0, HAS_NO_VALUE, or a status < 0. Without rows nothing is
 * called. */
static int nonlinear_ask(const newton *t, nsds_point_fn function, const char *name, const double *z,
                         double *out, size_t count) {
  if (t->given->n == 0) return 0;
  nsds_zero_doubles(out, count);
  int said = function(z, out, t->given->user);
  if (said < 0 && nsds_error(t->context) == NSDS_OK)
    nsds_fail(t->context, NSDS_ERROR_CALLBACK, "nsds_nonlinear_solve: %s returned %d and gives up",
              name, said);
  if (said < 0) return NSDS_ERROR_CALLBACK;
  return said > 0 || nsds_first_nonfinite(out, (int)count) >= 0 ? HAS_NO_VALUE : 0;
}

static int ask_F(const newton *t, const double *z, double *F) {
  return nonlinear_ask(t, t->given->F, "F", z, F, (size_t)t->given->n);
}

/* Computes column j by forward differences; backward ones if F has no value there. */
static int difference_column(newton *t, int j) {
  int n = t->given->n;
  double nonlinear_step = sqrt(DBL_EPSILON) * fmax(1.0, fabs(t->z[j]));
  memcpy(t->trial, t->z, (size_t)n * sizeof *t->trial);
  t->trial[j] = t->z[j] + nonlinear_step;
  int said = ask_F(t, t->trial, t->F_trial);
  if (said == HAS_NO_VALUE) {
    t->trial[j] = t->z[j] - nonlinear_step;
    said = ask_F(t, t->trial, t->F_trial);
  }
  double *column = t->J + (size_t)j * (size_t)n;
  for (int i = 0; i < n; ++i) column[i] = (t->F_trial[i] - t->F[i]) / (t->trial[j] - t->z[j]);
  return said;
}

static nsds_status ask_jacobian(newton *t) {
  int said = 0;
  if (t->given->jacobian)
    said = nonlinear_ask(t, t->given->jacobian, "jacobian", t->z, t->J, t->count);
  else
    for (int j = 0; j < t->given->n && !said; ++j) said = difference_column(t, j);
  if (said != HAS_NO_VALUE) return (nsds_status)said;
  return nsds_fail(t->context, NSDS_ERROR_CALLBACK,
                   "nsds_nonlinear_solve: the Jacobian has no finite value where F has one");
}

/* ---- the linear problem ---- */

/* Computes J and q for the present e. */
static void nonlinear_weigh(newton *t) {
  for (int i = 0; i < t->given->n; ++i) {
    double weight = t->e / t->r[i];
    t->J[t->place[i]] = t->diagonal[i] + weight;
    t->q[i] = t->base[i] - weight * t->z[i];
  }
}

static double merit(newton *t, const double *z, const double *F) {
  int n = t->given->n;
  nsds_shift(&t->linear, F, t->p);
  nsds_project_step(&t->linear, 1.0, t->r, z, t->p, t->p);
  return sqrt(nsds_distance_z(n, t->r, z, t->p));
}

/* Makes the linear problem at z, where F is known, and the residual of z in it. */
static nsds_status nonlinear_linearise(newton *t) {
  int n = t->given->n;
  nsds_solver *solver = t->solver;
  nsds_status status = ask_jacobian(t);
  if (status) return status;
  nsds_zero_doubles(t->q, (size_t)n);
  nsds_problem_multiply(&t->linear, t->z, t->base, NULL);
  for (int i = 0; i < n; ++i) {
    t->q[i] = t->base[i] = t->F[i] - t->base[i];
    t->diagonal[i] = t->J[t->place[i]];
  }
  nsds_metric(&t->linear, t->r, t->p);
  t->residual = nsds_solver_residual(solver, &t->linear, t->z, NULL);
  if (t->residual < t->least) {
    t->least = t->residual;
    memcpy(t->best, t->z, (size_t)n * sizeof *t->best);
  }
  return NSDS_OK;
}

/* Converts earlier merits to the present metric. */
static void renew_merits(newton *t, double before) {
  double now = merit(t, t->z, t->F);
  double change = before > 0.0 && isfinite(now / before) ? now / before : 1.0;
  for (int k = window - 1; k > 0; --k) t->past[k] = t->past[k - 1] * change;
  t->past[0] = now;
}

/* ---- steps ---- */

/* Moves z towards the solution of the linear problem; *moved says that the merit fell enough. */
static nsds_status nonlinear_move(newton *t, bool *moved) {
  int n = t->given->n;
  double most = 0.0, length = 1.0;
  for (int k = 0; k < window; ++k) most = fmax(most, t->past[k]);
  *moved = false;
  for (int h = 0; h <= halvings; ++h, length *= 0.5) {
    for (int i = 0; i < n; ++i) t->trial[i] = t->z[i] + length * (t->next[i] - t->z[i]);
    nsds_project(&t->linear, t->trial, t->trial);
    int said = ask_F(t, t->trial, t->F_trial);
    if (said < 0) return (nsds_status)said;
    if (said) continue;
    double now = merit(t, t->trial, t->F_trial);
    if (!(now <= (1.0 - descent * length) * most)) continue;
    memcpy(t->z, t->trial, (size_t)n * sizeof *t->z);
    memcpy(t->F, t->F_trial, (size_t)n * sizeof *t->F);
    *moved = true;
    nsds_status status = nonlinear_linearise(t);
    if (!status) renew_merits(t, now);
    return status;
  }
  return NSDS_OK;
}

static nsds_status solve_linear(newton *t, nsds_solver_info *info) {
  int n = t->given->n, steps = info->iterations, factorizations = info->factorizations;
  nonlinear_weigh(t);
  memcpy(t->next, t->z, (size_t)n * sizeof *t->next);
  nsds_status status = nsds_solver_run(t->solver, &t->linear, t->next, 0, info);
  info->iterations = steps + 1;
  info->factorizations += factorizations;
  return status;
}

/* Solves one linear problem and moves; *over says that nothing more can be done. */
static nsds_status nonlinear_step(newton *t, nsds_solver_info *info, bool *over) {
  bool moved;
  nsds_status status = solve_linear(t, info);
  if (status) return status;
  *over = info->outcome == NSDS_REFUSED;
  if (*over) return NSDS_OK;
  info->outcome = NSDS_NOT_CONVERGED; /* an unsolvable linear problem says nothing of this one */
  status = nonlinear_move(t, &moved);
  if (moved) t->e = t->e > first_weight ? t->e / weight_factor : 0.0;
  else {
    *over = t->e >= most_weight;
    t->e = fmax(t->e * weight_factor, first_weight);
  }
  return status;
}

static nsds_status nonlinear_iterate(newton *t, int max_steps, nsds_solver_info *info) {
  double tolerance = t->solver->value[OPTION_TOLERANCE];
  nsds_status status = nonlinear_linearise(t);
  for (int k = 0; k < window && !status; ++k) t->past[k] = merit(t, t->z, t->F);
  for (bool over = false; !status && !over && t->residual > tolerance;) {
    nsds_watch watch = {.solver = t->solver, .best = t->residual, .limit = max_steps};
    info->outcome = nsds_watch_allows(&watch, info->iterations);
    if (info->outcome != NSDS_SOLVED) break;
    status = nonlinear_step(t, info, &over);
  }
  return status;
}

/* Returns to the best point, with F and the linear problem there. */
static nsds_status go_back(newton *t) {
  memcpy(t->z, t->best, (size_t)t->given->n * sizeof *t->z);
  int said = ask_F(t, t->z, t->F);
  if (said == HAS_NO_VALUE)
    return nsds_fail(t->context, NSDS_ERROR_CALLBACK,
                     "nsds_nonlinear_solve: F has no finite value where it has had one");
  return said ? (nsds_status)said : nonlinear_linearise(t);
}

/* Concludes by the certificate. */
static nsds_status conclude(newton *t, nsds_solver_info *info) {
  nsds_status status = t->least < t->residual ? go_back(t) : NSDS_OK;
  if (status) return status;
  t->e = 0.0;
  nonlinear_weigh(t);
  info->residual = nsds_solver_residual(t->solver, &t->linear, t->z, &info->worst_block);
  return nsds_solver_judge(t->solver, &t->linear, t->z, info);
}

/* ---- begin ---- */

static int diagonal_place(const nsds_nonlinear_problem *given, int j) {
  for (int k = given->p[j]; k < given->p[j + 1]; ++k)
    if (given->i[k] == j) return k;
  return -1;
}

static nsds_status place_diagonal(newton *t, const nsds_subject *s) {
  const nsds_nonlinear_problem *given = t->given;
  for (int j = 0; j < given->n; ++j) {
    t->place[j] = given->p ? diagonal_place(given, j) : j * given->n + j;
    if (t->place[j] < 0)
      return nsds_refuse(s, NSDS_ERROR_VALUE,
                         "the columns p and i have no entry (%d,%d); every diagonal entry must be "
                         "there, also where it is zero",
                         j, j);
  }
  return NSDS_OK;
}

static nsds_status nonlinear_check(const nsds_subject *s, const nsds_nonlinear_problem *given) {
  if (given->n < 0 || given->nblock < 0)
    return nsds_refuse(s, NSDS_ERROR_SIZE, "n is %d and nblock is %d; neither may be negative",
                       given->n, given->nblock);
  if (!given->F) return nsds_refuse(s, NSDS_ERROR_ARGUMENT, "F is NULL");
  if (!given->p && given->n > nsds_largest_square)
    return nsds_refuse(
        s, NSDS_ERROR_SIZE,
        "the Jacobian is dense and n is %d; valid are up to %d rows, more with p and i", given->n,
        nsds_largest_square);
  if (!given->p != !given->i)
    return nsds_refuse(s, NSDS_ERROR_ARGUMENT, "%s is NULL, %s is not; give both or none",
                       given->p ? "i" : "p", given->p ? "p" : "i");
  if (given->p && !given->jacobian)
    return nsds_refuse(s, NSDS_ERROR_ARGUMENT,
                       "jacobian is NULL and p is not; differences make a dense Jacobian");
  if (given->p) {
    nsds_status status = nsds_check_starts(s, NSDS_ERROR_VALUE, "p", given->p, given->n);
    if (status) return status;
  }
  return nsds_check_blocks(s, given->nblock, given->block, given->n);
}

static nsds_status nonlinear_reserve(newton *t) {
  const nsds_nonlinear_problem *given = t->given;
  size_t n = (size_t)given->n;
  t->count = given->p ? (size_t)given->p[n] : n * n;
  const nsds_cut cuts[] = {
      NSDS_CUT(t->J, t->count), NSDS_CUT(t->place, n), NSDS_CUT(t->diagonal, n),
      NSDS_CUT(t->q, n),        NSDS_CUT(t->F, n),     NSDS_CUT(t->base, n),
      NSDS_CUT(t->r, n),        NSDS_CUT(t->z, n),     NSDS_CUT(t->best, n),
      NSDS_CUT(t->next, n),     NSDS_CUT(t->trial, n), NSDS_CUT(t->F_trial, n),
      NSDS_CUT(t->p, n)};
  nsds_status status = NSDS_HOLD(&t->store, cuts);
  if (status) return status;
  t->linear = (nsds_problem){.n = given->n,
                             .nblock = given->nblock,
                             .block = given->block,
                             .q = t->q,
                             .M = {.storage = given->p ? NSDS_CSC : NSDS_DENSE,
                                   .n = given->n,
                                   .x = t->J,
                                   .p = given->p,
                                   .i = given->i,
                                   .pattern = nsds_private_stamp(t->solver->toolbox)}};
  return NSDS_OK;
}

/* Begins at the start, projected on the sets, with F there. */
static nsds_status nonlinear_begin(newton *t, const double *z) {
  const nsds_subject s = {.context = t->context, .of = "nsds_nonlinear_problem: "};
  nsds_status status = nonlinear_check(&s, t->given);
  if (!status) status = nonlinear_reserve(t);
  if (!status && t->given->p)
    status = nsds_check_columns(&s, "jacobian", t->given->n, t->given->n, t->given->p, t->given->i,
                                t->J);
  if (!status) status = place_diagonal(t, &s);
  if (!status) status = nsds_solver_prepare(t->solver, &t->linear);
  if (status) return status;
  if (t->given->n > 0) memcpy(t->z, z, (size_t)t->given->n * sizeof *z);
  nsds_make_finite(t->z, t->given->n);
  nsds_project(&t->linear, t->z, t->z);
  nsds_solver_open(t->solver, &t->linear);
  t->least = INFINITY;
  int said = ask_F(t, t->z, t->F);
  if (said != HAS_NO_VALUE) return (nsds_status)said;
  return nsds_fail(t->context, NSDS_ERROR_CALLBACK,
                   "nsds_nonlinear_solve: F has no finite value at the start put into the sets");
}

static nsds_status nonlinear_solve(newton *t, int max_steps, double *z, double *w,
                                   nsds_solver_info *info) {
  size_t bytes = (size_t)t->given->n * sizeof *z;
  nsds_status status = nonlinear_begin(t, z);
  if (!status) status = nonlinear_iterate(t, max_steps > 0 ? max_steps : default_steps, info);
  if (!status) status = conclude(t, info);
  if (status) return status;
  if (bytes > 0) {
    memcpy(z, t->z, bytes);
    memcpy(w, t->F, bytes);
  }
  return info->outcome == NSDS_SOLVED ? NSDS_OK : NSDS_ERROR_SOLVER;
}

nsds_status nsds_nonlinear_solve(nsds_solver *solver, const nsds_nonlinear_problem *problem,
                                 int max_steps, double *z, double *w, nsds_solver_info *info) {
  const char *call = "nsds_nonlinear_solve";
  nsds_solver_info unwanted;
  if (!info) info = &unwanted;
  *info = (nsds_solver_info){.outcome = NSDS_NOT_CONVERGED,
                             .worst_block = -1,
                             .worst_row = -1,
                             .residual = INFINITY,
                             .tried = 1};
  if (!solver) return nsds_fail_null(NULL, call, "solver");
  info->solver = solver->method->row.name;
  if (!problem || ((!z || !w) && problem->n > 0))
    return nsds_fail_null(solver->context, call, !problem ? "problem" : !z ? "z" : "w");
  if (max_steps < 0)
    return nsds_fail(solver->context, NSDS_ERROR_VALUE,
                     "%s: max_steps is %d; valid is 0, for %d, or more", call, max_steps,
                     default_steps);
  nsds_status status = nsds_solver_check_kind(solver, false, call);
  if (!status) status = nsds_solver_check_idle(solver, call);
  if (status) return status;
  newton t = {.solver = solver, .context = solver->context, .given = problem};
  t.store.context = solver->context;
  unsigned long failures = nsds_failures(solver->context);
  nsds_toolbox_enter(solver->toolbox);
  status = nonlinear_solve(&t, max_steps, z, w, info);
  nsds_toolbox_leave(solver->toolbox);
  nsds_store_release(&t.store);
  if (status == NSDS_ERROR_MEMORY)
    nsds_name_shortage(solver->context, failures, "solver", info->solver);
  return status;
}
