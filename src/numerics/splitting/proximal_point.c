/*
 * Proximal point iteration (Martinet 1970; Rockafellar 1976) around an inner method: with
 * P = alpha R^-1 in the metric R of blockwise.h,
 *
 *     z+ solves the problem with M + P for M and q - P z for q,
 *
 * which is regular for every monotone M and has the solutions of the problem as its fixed points.
 * The solutions are found to part of the distance of z; alpha falls while the inner method
 * succeeds, so that convergence becomes fast in the end, and rises when it fails. For friction the
 * sub-problem keeps De Saxce's shift (Acary, Bremond & Huber 2018).
 */
#include "blockwise.h"
#include "shifted_matrix.h"
#include "subproblem.h"
#include "watch.h"

enum { OPTION_WEIGHT = OPTION_FIRST_NESTED, OPTION_FACTOR };

enum { default_iterations = 1000, most_failures = 10 };

static const double inner_part = 0.1; /* accuracy of a sub-problem, against the last residual */
static const double inner_most = 1e-2;
static const double inner_least = 1e-15;
static const double weight_least = 1e-6;
static const double weight_most = 1e6;
static const double weight_up = 10.0; /* when the inner method fails */

typedef struct proximal_state {
  nsds_subproblem sub;
  nsds_shifted_matrix shifted;
  double *r, *P, *z; /* n each: metric, diagonal, iterate */
  size_t r_capacity, P_capacity, z_capacity;
} proximal_state;

static void set_weight(nsds_solver *solver, const nsds_problem *problem, double alpha) {
  proximal_state *s = solver->state;
  for (int i = 0; i < problem->n; ++i) s->P[i] = alpha / s->r[i];
  nsds_shifted_set(&s->shifted, solver->toolbox, s->P);
  s->sub.problem.M = s->shifted.M;
}

/* One sub-problem, from the iterate to the next. */
static nsds_status step(nsds_solver *solver, const nsds_problem *problem, const nsds_watch *watch,
                        nsds_solver_info *info) {
  proximal_state *s = solver->state;
  size_t bytes = (size_t)problem->n * sizeof(double);
  double tolerance = fmax(inner_part * watch->tolerance, inner_least);
  tolerance = fmax(tolerance, fmin(inner_part * watch->latest, inner_most));
  for (int i = 0; i < problem->n; ++i) s->sub.q[i] = problem->q[i] - s->P[i] * s->z[i];
  memcpy(s->sub.z, s->z, bytes);
  nsds_status status = nsds_subproblem_solve(&s->sub, solver, tolerance, info);
  memcpy(s->z, s->sub.z, bytes);
  return status;
}

/* The weight for the next step. */
static double adapted(double alpha, double factor, bool solved) {
  double next = alpha * (solved ? factor : weight_up);
  return fmin(fmax(next, weight_least), weight_most);
}

static nsds_status solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                         nsds_solver_info *info) {
  proximal_state *s = solver->state;
  double alpha = solver->value[OPTION_WEIGHT], factor = solver->value[OPTION_FACTOR];
  int failures = 0;
  nsds_watch watch = nsds_watch_start(solver, problem, z, default_iterations, 1, info);
  if (nsds_watch_done(&watch)) return NSDS_OK;
  nsds_metric(problem, s->r, s->z);
  memcpy(s->z, z, (size_t)problem->n * sizeof *z);
  for (int k = 1;; ++k) {
    set_weight(solver, problem, alpha);
    nsds_status status = step(solver, problem, &watch, info);
    if (status || nsds_watch_step(&watch, k, s->z)) return status;
    if (s->sub.interrupted) info->outcome = NSDS_INTERRUPTED;
    failures = s->sub.solved ? 0 : failures + 1;
    if (s->sub.interrupted || failures == most_failures) return NSDS_OK;
    alpha = adapted(alpha, factor, s->sub.solved);
  }
}

static nsds_status reserve(nsds_solver *solver, const nsds_problem *problem) {
  proximal_state *s = solver->state;
  nsds_context *context = solver->context;
  size_t n = (size_t)problem->n;
  nsds_status status = NSDS_ENSURE(context, s->r, s->r_capacity, n);
  if (!status) status = NSDS_ENSURE(context, s->P, s->P_capacity, n);
  if (!status) status = NSDS_ENSURE(context, s->z, s->z_capacity, n);
  if (!status) status = nsds_watch_reserve(solver, problem, 0);
  if (!status) status = nsds_subproblem_open(&s->sub, solver, problem, problem->nblock);
  if (!status) status = nsds_shifted_open(&s->shifted, solver, problem);
  if (status) return status;
  s->shifted.M.pattern = 0;
  s->shifted.M.stamp = nsds_private_stamp(solver->toolbox);
  s->sub.problem.M = s->shifted.M;
  s->sub.problem.block = problem->block;
  return nsds_subproblem_reserve(&s->sub, solver);
}

static void release(nsds_solver *solver) {
  proximal_state *s = solver->state;
  nsds_subproblem_release(&s->sub, solver->context);
  nsds_shifted_release(&s->shifted, solver->context);
  nsds_release(solver->context, s->r);
  nsds_release(solver->context, s->P);
  nsds_release(solver->context, s->z);
}

static const char *const inner_methods[] = {"nsgs",
                                            "projected_gradient",
                                            "admm",
                                            "tresca",
                                            "de_saxce",
                                            "aclm",
                                            "panagiotopoulos",
                                            "conjugate_projected_gradient",
                                            "extragradient",
                                            "hyperplane_projection",
                                            "fixed_point_projection",
                                            NULL};

enum { last_inner = (int)(sizeof inner_methods / sizeof *inner_methods) - 2 };

static const nsds_option options[] = {
    NSDS_NESTED_OPTIONS(last_inner),
    {"weight", "1", "first alpha in units of the diagonal of M", 1e-1, 1e-6, 1e6},
    {"factor", "1", "alpha is multiplied by this after a solved sub-problem", 0.5, 1e-3, 1.0},
    {0}};

const nsds_method nsds_method_proximal_point = {
    .row = {.name = "proximal_point",
            .summary = "Regularised problems by an inner method, with decreasing weight; singular "
                       "M.",
            .reference = "Rockafellar: SIAM J. Control Optim. 14 (1976); Acary, Bremond, Huber: "
                         "Advanced Topics in Nonsmooth Dynamics (2018)",
            .sets = nsds_every_set,
            .storages = nsds_all_storages,
            .option = options,
            .inner = inner_methods},
    .state_size = sizeof(proximal_state),
    .reserve = reserve,
    .solve = solve,
    .release = release,
};
