/*
 * The default solver: chooses by size and sets, certifies every answer, falls through to the next
 * candidate and reports its path. Nonnegative rows only and q >= 0: z = 0 at once. Up to three
 * rows: enumeration, whose verdict is final. Otherwise semismooth Newton, Lemke (dense, up to
 * nsds_dense_limit rows), projected Gauss-Seidel; the iterate with the least residual is returned.
 */
#include "solver_internal.h"

#include <stdio.h>

enum { CANDIDATE_DIRECT, CANDIDATE_NEWTON, CANDIDATE_LEMKE, CANDIDATE_PGS, candidate_count };

static const nsds_method *const candidate[candidate_count] = {
    &nsds_method_direct, &nsds_method_semismooth_newton, &nsds_method_lemke, &nsds_method_pgs};

enum { direct_rows = 3, eager_rows = 64 };

typedef struct auto_state {
  nsds_solver *child[candidate_count];
  double *start; /* n */
  double *best;  /* n */
  size_t start_capacity, best_capacity;
} auto_state;

static nsds_status reserve_child(nsds_solver *solver, const nsds_problem *problem, int k) {
  auto_state *s = solver->state;
  if (!s->child[k]) s->child[k] = nsds_solver_new(solver->context, candidate[k], solver->toolbox);
  if (!s->child[k]) return NSDS_ERROR_MEMORY;
  return candidate[k]->reserve(s->child[k], problem);
}

/* The first choice always; the others early only where they are cheap. */
static nsds_status reserve(nsds_solver *solver, const nsds_problem *problem) {
  auto_state *s = solver->state;
  size_t n = (size_t)problem->n;
  if (n <= direct_rows)
    return NSDS_LIKELY(s->child[CANDIDATE_DIRECT] != NULL)
               ? NSDS_OK
               : reserve_child(solver, problem, CANDIDATE_DIRECT);
  nsds_status status = nsds_grow(solver->context, &s->start, &s->start_capacity, n, sizeof(double));
  if (!status) status = nsds_grow(solver->context, &s->best, &s->best_capacity, n, sizeof(double));
  if (!status) status = reserve_child(solver, problem, CANDIDATE_NEWTON);
  if (n > eager_rows) return status;
  if (!status) status = reserve_child(solver, problem, CANDIDATE_LEMKE);
  if (!status) status = reserve_child(solver, problem, CANDIDATE_PGS);
  return status;
}

static bool trivial(const nsds_problem *problem) {
  unsigned negative = 0;
  for (int i = 0; i < problem->n; ++i) negative |= !(problem->q[i] >= 0.0);
  return !negative && !nsds_has_equalities(problem);
}

static void note(nsds_run *run, const nsds_run *child) {
  if (!run->path) return;
  enum { path_size = sizeof((nsds_solver_info *)0)->path };
  size_t used = strlen(run->path);
  snprintf(run->path + used, path_size - used, "%s%s:%s", used ? " > " : "", child->solver,
           nsds_outcome_text(child->outcome));
}

static void adopt(nsds_run *run, const nsds_run *child) {
  run->solver = child->solver;
  run->outcome = child->outcome;
  run->iterations = child->iterations;
  run->residual = child->residual;
  run->worst_block = child->worst_block;
}

static nsds_status run_child(nsds_solver *solver, int k, const nsds_problem *problem, double *z,
                             nsds_run *child) {
  nsds_status status = reserve_child(solver, problem, k);
  if (status) return status;
  nsds_solver *s = ((auto_state *)solver->state)->child[k];
  s->value[OPTION_TOLERANCE] = solver->value[OPTION_TOLERANCE];
  s->value[OPTION_MAX_ITERATIONS] = solver->value[OPTION_MAX_ITERATIONS];
  *child = (nsds_run){.worst_block = -1};
  status = nsds_solver_run(s, problem, z, child);
  return status;
}

static bool settled(const nsds_run *run) {
  return run->outcome == NSDS_SOLVED || run->outcome == NSDS_INTERRUPTED;
}

/* The candidates in turn; z ends as the iterate with the least residual. */
static nsds_status fall_through(nsds_solver *solver, const nsds_problem *problem, double *z,
                                nsds_run *run) {
  auto_state *s = solver->state;
  size_t bytes = (size_t)problem->n * sizeof *z;
  bool ray = false, last_is_best = true;
  memcpy(s->start, z, bytes);
  run->residual = INFINITY;
  for (int k = CANDIDATE_NEWTON; k < candidate_count; ++k) {
    if (k == CANDIDATE_LEMKE && problem->n > nsds_dense_limit) continue;
    nsds_run child;
    memcpy(z, s->start, bytes);
    nsds_status status = run_child(solver, k, problem, z, &child);
    if (status) return status;
    ++run->tried;
    run->factorizations += child.factorizations;
    if (run->tried > 1 || !settled(&child)) note(run, &child);
    ray = ray || child.outcome == NSDS_RAY;
    last_is_best = settled(&child) || run->tried == 1 || child.residual < run->residual;
    if (last_is_best) {
      adopt(run, &child);
      memcpy(s->best, z, bytes);
    }
    if (settled(&child)) break;
  }
  if (!last_is_best) memcpy(z, s->best, bytes);
  if (ray && run->outcome == NSDS_NOT_CONVERGED) run->outcome = NSDS_RAY;
  run->certified = last_is_best;
  return NSDS_OK;
}

static nsds_status solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                         nsds_run *run) {
  run->tried = 0;
  if (problem->n <= direct_rows || trivial(problem)) {
    run->tried = 1;
    if (problem->n > direct_rows) {
      memset(z, 0, (size_t)problem->n * sizeof *z);
      return NSDS_OK;
    }
    run->solver = nsds_method_direct.row.name;
    auto_state *s = solver->state;
    nsds_solver *direct = s->child[CANDIDATE_DIRECT];
    direct->value[OPTION_TOLERANCE] = solver->value[OPTION_TOLERANCE];
    return nsds_method_direct.solve(direct, problem, z, run);
  }
  return fall_through(solver, problem, z, run);
}

static void release(nsds_solver *solver) {
  auto_state *s = solver->state;
  for (int k = 0; k < candidate_count; ++k) nsds_solver_destroy(s->child[k]);
  nsds_release(solver->context, s->start);
  nsds_release(solver->context, s->best);
}

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0, "iteration limit of each method tried; 0: the method's own default"),
    {0}};

const nsds_method nsds_method_auto = {
    .row = {.name = "auto",
            .summary = "Chooses the method by size and sets, certifies the answer, tries the next "
                       "method when it fails.",
            .reference = "this library: docs/architecture.md",
            .sets = nsds_all_sets,
            .storages = nsds_all_storages,
            .option = options},
    .state_size = sizeof(auto_state),
    .reserve = reserve,
    .solve = solve,
    .release = release,
};
