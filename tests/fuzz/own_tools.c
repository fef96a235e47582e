/* Integrators of dx/dt = -x/10 + r and dv/dt = p, and a projected Gauss-Seidel; see own_types.h. */
#include "own_types.h"

#include <math.h>
#include <stdlib.h>

static nsds_status own_refresh(nsds_integration *s) {
  s->input_weight = 1.0;
  return misbehave_status(NULL, 0);
}

static nsds_status own_free_state(nsds_integration *s) {
  for (int i = 0; i < s->nu; ++i) s->u_free[i] = s->u[i] * (1.0 - 0.1 * s->scheme->h);
  return misbehave_status(s->u_free, s->nu);
}

static nsds_status own_evaluate(nsds_integration *s) {
  for (int i = 0; i < s->nu; ++i) {
    s->residual[i] = s->u_end[i] - s->u[i];
    s->force_end[i] = 0.0;
  }
  return misbehave_status(s->residual, s->nu);
}

static nsds_status own_tangent(nsds_integration *s) {
  (void)s;
  return misbehave_status(NULL, 0);
}

static nsds_status own_solve_increment(nsds_integration *s) {
  return misbehave_status(s->u_free, s->nu);
}

static void own_apply(const nsds_integration *s, int nrhs, double *b) {
  for (int i = 0; i < s->nu * nrhs; ++i) b[i] *= s->nq ? 1.0 : s->scheme->h;
  misbehave(b, s->nu * nrhs);
}

static nsds_status own_advance(nsds_integration *s) {
  for (int i = 0; i < s->nq; ++i) {
    s->q_end[i] = s->q[i] + (i < s->nu ? s->scheme->h * s->u_end[i] : 0.0);
  }
  return misbehave_status(s->q_end, s->nq);
}

static size_t own_memory(const nsds_integration *s) { return (size_t)s->nu; }

static nsds_status own_finish(nsds_integration *s) {
  for (int i = 0; s->memory && i < s->nu; ++i) s->memory[i] = s->u_end[i];
  return misbehave_status(s->memory, s->nu);
}

const nsds_integrator own_integrators[OWN_INTEGRATORS] = {{.name = "own 1",
                                                           .order = 1,
                                                           .memory = own_memory,
                                                           .refresh = own_refresh,
                                                           .free = own_free_state,
                                                           .evaluate = own_evaluate,
                                                           .tangent = own_tangent,
                                                           .solve = own_solve_increment,
                                                           .apply = own_apply,
                                                           .finish = own_finish},
                                                          {.name = "own 2",
                                                           .order = 2,
                                                           .refresh = own_refresh,
                                                           .free = own_free_state,
                                                           .evaluate = own_evaluate,
                                                           .tangent = own_tangent,
                                                           .solve = own_solve_increment,
                                                           .apply = own_apply,
                                                           .advance = own_advance},
                                                          {.name = "own incomplete", .order = 1}};

/* One row of the sweep. */
static void relax(const nsds_problem *problem, const double *M, int i, double *z) {
  int n = problem->n;
  double w = problem->q[i];
  for (int j = 0; j < n; ++j) w += M[i + (size_t)j * (size_t)n] * z[j];
  double diagonal = M[i + (size_t)i * (size_t)n];
  if (diagonal > 0.0) z[i] = fmax(0.0, z[i] - w / diagonal);
}

static nsds_status sweeps(void *self, nsds_solver_task *task, double *z) {
  (void)self;
  int n = task->problem->n;
  double *M = malloc(((size_t)n * (size_t)n + 1) * sizeof *M);
  if (!M) return NSDS_ERROR_MEMORY;
  DO(nsds_problem_to_dense, task->problem, M);
  for (int sweep = 0; sweep < 50 && !READ(nsds_solver_stop, task, sweep, NAN); ++sweep) {
    for (int i = 0; i < n; ++i) relax(task->problem, M, i, z);
    task->iterations = sweep + 1;
  }
  free(M);
  return misbehave_status(z, n);
}

static nsds_status workspace(void *user, nsds_context *context, void **self) {
  (void)user, (void)context;
  *self = own_self(8);
  nsds_status status = misbehave_status(NULL, 0);
  if (!status) return NSDS_OK;
  own_free(*self);
  return status;
}

static nsds_status workspace_grow(void *self, const nsds_problem *problem) {
  (void)self, (void)problem;
  return misbehave_status(NULL, 0);
}

static const nsds_option own_options[] = {{"weight", "1", "Does nothing.", 1.0, 0.0, 2.0}, {0}};

const nsds_solver_ops own_solvers[OWN_SOLVERS] = {
    {.name = "own sweeps",
     .summary = "Projected Gauss-Seidel.",
     .sets = NSDS_SET_NONNEGATIVE,
     .storages = NSDS_DENSE | NSDS_CSC | NSDS_FACTORED | NSDS_BLOCK_ROWS,
     .option = own_options,
     .create = workspace,
     .destroy = own_free,
     .reserve = workspace_grow,
     .solve = sweeps},
    {.name = "auto", .sets = NSDS_SET_EQUALITY, .storages = NSDS_DENSE, .solve = sweeps},
    {.name = "", .sets = NSDS_SET_EQUALITY, .storages = NSDS_DENSE}};
