/* Calls on solvers and local problems, without a model. */
#include "calls.h"
#include "own_types.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 8, NAMES = 12 };

static int progress(int iteration, double residual, void *user) {
  (void)iteration, (void)residual, (void)user;
  return misbehave(NULL, 0);
}

static void choose_block(nsds_block *b, int left, bool friction) {
  static const nsds_set_kind sets[] = {NSDS_SET_NONNEGATIVE, NSDS_SET_EQUALITY,  NSDS_SET_BOX,
                                       NSDS_SET_COULOMB,     NSDS_SET_ROLLING,   NSDS_SET_DISC,
                                       NSDS_SET_CONE,        NSDS_SET_POLYHEDRON};
  b->set = friction ? (left >= 3 && chance(30) ? NSDS_SET_ROLLING : NSDS_SET_COULOMB)
                    : sets[chance(70) ? pick(3) : pick(8)];
  b->size = b->set == NSDS_SET_ROLLING ? 3 : left >= 3 && chance(50) ? 3 : left >= 2 ? 2 : 1;
  if (b->size > left || (b->size < 2 && b->set == NSDS_SET_COULOMB)) {
    b->set = NSDS_SET_NONNEGATIVE;
    b->size = 1;
  }
  b->mu = real(0.0, 1.0);
  b->mu_rolling = real(0.0, 0.2);
  b->radius = real(0.0, 1.0);
  b->lower = array(b->size, -1.0, 0.0);
  b->upper = array(b->size, 0.01, 1.0);
  b->nfacet = 2;
  b->H = array(2 * b->size, 0.1, 1.0);
  b->K = array(2, -1.0, -0.1);
}

nsds_block *choose_blocks(int n, bool friction, int *count) {
  nsds_block *block = brief(ROWS + 1, sizeof *block);
  int row = 0;
  for (*count = 0; row < n; ++*count) {
    choose_block(&block[*count], n - row, friction);
    row += block[*count].size;
  }
  if (*count > 0 && odd(5)) block[pick((unsigned)*count)].size = (int)pick(5) - 1;
  return block;
}

/* Of no other matrix: equal ones promise equal values. Those of simulations are small. */
uint64_t new_stamp(void) {
  static uint64_t last = (uint64_t)1 << 60;
  return ++last;
}

static void choose_matrix(nsds_matrix *M, int n) {
  M->n = n;
  M->symmetric = chance(50);
  if (chance(30)) M->stamp = M->pattern = new_stamp();
  if (chance(70)) {
    M->storage = NSDS_DENSE;
    M->x = chance(60) ? definite(n) : array(n * n, -1.0, 1.0);
    return;
  }
  const nsds_csc *columns = sparse(n, 2.0);
  M->storage = NSDS_CSC;
  M->p = columns->p;
  M->i = columns->i;
  M->x = columns->x;
}

nsds_problem *choose_problem(void) {
  nsds_problem *problem = brief(1, sizeof *problem);
  int n = 1 + (int)pick(ROWS);
  problem->n = n;
  problem->block = choose_blocks(n, chance(20), &problem->nblock);
  choose_matrix(&problem->M, n);
  problem->q = odd(2) ? NULL : array(n, -1.0, 1.0);
  if (chance(20)) problem->q_error = array(n, 0.0, 1e-9);
  if (odd(3)) problem->n = n - 1;
  static const nsds_storage wrong[] = {(nsds_storage)0, NSDS_FACTORED, NSDS_BLOCK_ROWS,
                                       (nsds_storage)16};
  if (odd(3)) problem->M.storage = wrong[pick(4)];
  return problem;
}

/* Methods that cannot solve a problem give up soon, as most calls are to be short. */
void few_iterations(nsds_solver *solver, bool more) {
  double most = more ? 300.0 : 25.0;
  if (!solver) return;
  double asked = nsds_solver_get(solver, "max_iterations");
  if (!(asked >= 1.0 && asked <= most)) nsds_solver_set(solver, "max_iterations", most);
}

static nsds_solver *any_solver(void) {
  unsigned first = pick(SOLVERS);
  for (unsigned i = 0; i < SOLVERS; ++i) {
    if (fuzz.solver[(first + i) % SOLVERS]) return fuzz.solver[(first + i) % SOLVERS];
  }
  return NULL;
}

static nsds_solver *create(const char *name) {
  unsigned k = pick(SOLVERS);
  if (fuzz.solver[k]) {
    nsds_error_clear(fuzz.context);
    if (fuzz.depth > 0) return fuzz.solver[k]; /* it may be at work */
    DO(nsds_solver_destroy, fuzz.solver[k]);
    fuzz.solver[k] = NULL; /* functions that are called meanwhile would find it */
  }
  fuzz.solver[k] = MAKE(nsds_solver_create, fuzz.context, name);
  if (fuzz.solver[k]) CALL(nsds_solver_set, fuzz.solver[k], "time_limit", 1.0);
  return fuzz.solver[k];
}

nsds_status call_solver(scene *s) {
  (void)s;
  int rows = 0;
  while (nsds_solver_table(rows) && !nsds_solver_table(rows)->global) ++rows;
  const char *name = nsds_solver_table((int)pick((unsigned)rows))->name;
  if (chance(10)) CALL(nsds_solver_register, fuzz.context, &own_solvers[0]);
  nsds_solver *solver = create(odd(5) ? NULL : chance(10) ? "own sweeps" : name);
  if (solver && chance(30)) DO(nsds_solver_set_progress, solver, progress, NULL);
  few_iterations(solver, chance(4));
  return made(solver);
}

nsds_status call_solver_set(scene *s) {
  (void)s;
  nsds_solver *solver = any_solver();
  const nsds_solver_row *row = MAKE(nsds_solver_get_row, solver);
  if (!row) return CALL(nsds_solver_set, solver, "tolerance", 1.0);
  int count = 0;
  while (row->option[count].name) ++count;
  const nsds_option *option = &row->option[pick((unsigned)count)];
  READ(nsds_solver_get, solver, odd(5) ? "no such" : option->name);
  if (strcmp(option->name, "time_limit") == 0) return NSDS_OK;
  double value = chance(50) ? option->min : option->default_value;
  if (chance(20) && option->max < 1e4) value = option->max;
  nsds_status status =
      CALL(nsds_solver_set, solver, odd(3) ? NULL : option->name, odd(10) ? odd_real() : value);
  few_iterations(solver, chance(4));
  return status;
}

/* What the solver has for a proof is one. */
static void check_proof(const nsds_solver *solver, const nsds_problem *p, double *work) {
  const double *y = MAKE(nsds_solver_proof, solver);
  if (y && work && !READ(nsds_certify_no_solution, p, y, work))
    finding("a proof that proves nothing");
}

static void check_solution(nsds_solver *solver, const nsds_problem *p, const double *z,
                           const nsds_solver_info *info) {
  double *work = brief((size_t)nsds_problem_work(p) + 1, sizeof *work);
  nsds_certificate certificate;
  DO(nsds_certify, p, z, work, &certificate);
  double tolerance = nsds_solver_get(solver, "tolerance");
  for (int i = 0; i < p->n; ++i) {
    if (!isfinite(z[i])) finding("%s: solved, and z[%d] is %g", info->solver, i, z[i]);
  }
  if (!(certificate.residual <= tolerance)) {
    finding("%s: solved, and the certificate is %g", info->solver, certificate.residual);
  }
}

nsds_status call_solve(scene *s) {
  (void)s;
  nsds_solver *solver = any_solver();
  nsds_problem *p = choose_problem();
  nsds_status status = CALL(nsds_problem_check, odd(3) ? NULL : fuzz.context, odd(2) ? NULL : p);
  if (status || !solver || CALL(nsds_problem_check, fuzz.context, p)) return status;
  if (chance(20)) CALL(nsds_solver_reserve, solver, p);
  double *z = array(p->n ? p->n : 1, -1.0, 1.0), *w = brief((size_t)p->n + 1, sizeof *w);
  nsds_solver_info info;
  status = CALL(nsds_solve, solver, p, odd(2) ? NULL : z, odd(2) ? NULL : w, &info);
  if (!status) check_solution(solver, p, z, &info);
  else if (status == NSDS_ERROR_SOLVER && info.outcome == NSDS_NO_SOLUTION)
    check_proof(solver, p, brief((size_t)nsds_problem_work(p) + 1, sizeof(double)));
  return status;
}

static int visit(const double *z, const double *w, void *user) {
  const nsds_problem *p = user;
  for (int i = 0; i < p->n; ++i) {
    if (!isfinite(z[i] + w[i])) finding("enumeration: z[%d] is %g, w %g", i, z[i], w[i]);
  }
  return misbehave(NULL, 0);
}

nsds_status call_enumerate(scene *s) {
  (void)s;
  nsds_solver *solver = chance(90) ? create("enumeration") : any_solver();
  nsds_problem *p = choose_problem();
  if (CALL(nsds_problem_check, fuzz.context, p)) return NSDS_OK;
  nsds_enumeration report;
  return CALL(nsds_enumerate, solver, p, chance(80) ? visit : NULL, p, chance(80) ? &report : NULL);
}

/* F(z) = M z + q + z^3 / 10 with M the identity. */
static int cubic(const double *z, double *out, void *user) {
  int n = *(int *)user;
  for (int i = 0; i < n; ++i) out[i] = z[i] + 0.1 * z[i] * z[i] * z[i] - 0.5 + 0.2 * i;
  return misbehave(out, n);
}

static int cubic_jacobian(const double *z, double *out, void *user) {
  int n = *(int *)user;
  for (int i = 0; i < n; ++i) out[i + i * n] = 1.0 + 0.3 * z[i] * z[i];
  return misbehave(out, n * n);
}

nsds_status call_nonlinear(scene *s) {
  (void)s;
  nsds_solver *solver = any_solver();
  int n = 1 + (int)pick(ROWS);
  nsds_nonlinear_problem p = {.n = odd(3) ? -n : n, .F = odd(3) ? NULL : cubic, .user = &n};
  p.block = choose_blocks(n, false, &p.nblock);
  if (chance(60)) p.jacobian = cubic_jacobian;
  double *z = array(n, -1.0, 1.0), *w = brief((size_t)n, sizeof *w);
  nsds_solver_info info;
  nsds_status status = CALL(nsds_nonlinear_solve, solver, odd(2) ? NULL : &p,
                            odd(5) ? -1 : (int)pick(20), z, w, chance(80) ? &info : NULL);
  for (int i = 0; !status && i < n; ++i) {
    if (!isfinite(z[i] + w[i])) finding("nonlinear: solved, z[%d] is %g, w %g", i, z[i], w[i]);
  }
  return status;
}

/* All that is about M. */
static void forms(const nsds_problem *p) {
  size_t n = (size_t)p->n;
  double *dense = brief(n * n + 1, sizeof *dense), *z = array(p->n + 1, -1.0, 1.0);
  double *w = brief(n + 1, sizeof *w);
  double *work = brief((size_t)READ(nsds_problem_work, p) + 1, sizeof *work);
  int *counts = brief((size_t)READ(nsds_problem_csc_work, p) + 1, sizeof *counts);
  int *columns = brief(n + 1, sizeof *columns);
  if (!dense || !z || !w || !work || !counts || !columns) return;
  DO(nsds_problem_to_dense, p, dense);
  DO(nsds_problem_multiply, p, z, w, work);
  DO(nsds_problem_to_csc, p, columns, NULL, NULL, counts);
  int *rows = brief((size_t)columns[n] + 1, sizeof *rows);
  double *values = brief((size_t)columns[n] + 1, sizeof *values);
  if (rows && values) DO(nsds_problem_to_csc, p, columns, rows, values, counts);
  nsds_certificate certificate;
  DO(nsds_certify, p, z, work, &certificate);
  READ(nsds_certify_no_solution, p, z, work);
}

nsds_status call_problem(scene *s) {
  (void)s;
  nsds_problem *p = choose_problem();
  nsds_status status = CALL(nsds_problem_check, fuzz.context, p);
  if (!status) forms(p);
  return status;
}

/* The problem of a step, solved by hand. */
nsds_status call_own_problem(scene *s) {
  const nsds_problem *p = nsds_simulation_problem(argument(s, SIMULATIONS));
  if (!p || p->n > 40) return NSDS_OK;
  nsds_status status = CALL(nsds_problem_check, fuzz.context, p);
  if (status) return status; /* the problem of a step that failed before it was solved */
  forms(p);
  disarm(); /* a callback that destroys the model would take the problem with it */
  nsds_solver *solver = any_solver();
  double *z = brief((size_t)p->n + 1, sizeof *z), *w = brief((size_t)p->n + 1, sizeof *w);
  nsds_solver_info info;
  status = CALL(nsds_solve, solver, p, z, w, &info);
  if (!status) check_solution(solver, p, z, &info);
  return status;
}
