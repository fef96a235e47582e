/*
 * Solvers of a user's own: one that sweeps as "nsgs" does, certificates of what is no solution,
 * refusals, what registration checks, failures of the user's operations and of memory. Everything
 * is written with public headers.
 */
#include "cmocka_setup.h"
#include "families.h"
#include "meter.h"

#include <nsds/extend_solver.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- projected Gauss-Seidel, as a user would write it ---- */

/* Counts what the library asks of the user; `fail` is returned by the operation of that name. */
typedef struct witness {
  int created, destroyed, reserved, solved;
  nsds_status fail_create, fail_reserve, fail_solve;
} witness;

typedef struct own_pgs {
  witness *seen;
  size_t capacity;
  double *z, *d, *w, *work;
} own_pgs;

static nsds_status own_create(void *user, nsds_context *context, void **self) {
  witness *seen = user;
  assert_non_null(context);
  assert_null(*self);
  if (seen->fail_create) return seen->fail_create;
  own_pgs *s = calloc(1, sizeof *s);
  assert_non_null(s);
  s->seen = seen;
  ++seen->created;
  *self = s;
  return NSDS_OK;
}

static void own_destroy(void *self) {
  own_pgs *s = self;
  ++s->seen->destroyed;
  free(s->z);
  free(s);
}

static nsds_status own_reserve(void *self, const nsds_problem *problem) {
  own_pgs *s = self;
  size_t n = (size_t)problem->n, work = nsds_problem_work(problem);
  ++s->seen->reserved;
  if (s->seen->fail_reserve) return s->seen->fail_reserve;
  if (3 * n + work > s->capacity) {
    free(s->z);
    s->capacity = 3 * n + work;
    s->z = malloc(s->capacity * sizeof *s->z);
    assert_non_null(s->z);
  }
  s->d = s->z + n;
  s->w = s->d + n;
  s->work = s->w + n;
  return NSDS_OK;
}

static double diagonal(const nsds_matrix *M, int j) {
  if (M->storage == NSDS_DENSE) return M->x[j + (size_t)j * (size_t)M->n];
  for (int k = M->p[j]; k < M->p[j + 1]; ++k)
    if (M->i[k] == j) return M->x[k];
  return 0.0;
}

static void move_row(own_pgs *s, const nsds_matrix *M, int j, double z) {
  double change = z - s->z[j];
  if (change == 0.0) return;
  s->z[j] = z;
  if (M->storage == NSDS_DENSE)
    for (int i = 0; i < M->n; ++i) s->w[i] += M->x[i + (size_t)j * (size_t)M->n] * change;
  else
    for (int k = M->p[j]; k < M->p[j + 1]; ++k) s->w[M->i[k]] += M->x[k] * change;
}

static void sweep(own_pgs *s, const nsds_problem *p, double omega) {
  for (int a = 0, i = 0; a < p->nblock; ++a)
    for (int end = i + p->block[a].size; i < end; ++i) {
      bool equality = p->block[a].set == NSDS_SET_EQUALITY;
      if (equality ? s->d[i] == 0.0 : !(s->d[i] > 0.0)) continue;
      double z = s->z[i] - omega * s->w[i] / s->d[i];
      move_row(s, &p->M, i, equality || z > 0.0 ? z : 0.0);
    }
}

static void own_start(own_pgs *s, const nsds_problem *p, double *z) {
  for (int a = 0, i = 0; a < p->nblock; ++a)
    for (int end = i + p->block[a].size; i < end; ++i) {
      bool equality = p->block[a].set == NSDS_SET_EQUALITY;
      s->d[i] = diagonal(&p->M, i);
      bool fixed = equality ? s->d[i] == 0.0 : !(s->d[i] > 0.0);
      if (fixed || (!equality && z[i] < 0.0)) z[i] = 0.0;
      s->z[i] = z[i];
    }
  nsds_problem_multiply(p, s->z, s->w, s->work);
}

static nsds_status own_solve(void *self, nsds_solver_task *task, double *z) {
  own_pgs *s = self;
  const nsds_problem *p = task->problem;
  int limit = task->max_iterations > 0 ? task->max_iterations : 10000, check = 5;
  nsds_certificate c;
  ++s->seen->solved;
  if (s->seen->fail_solve) return s->seen->fail_solve;
  own_start(s, p, z);
  nsds_certify(p, z, s->work, &c);
  double best = c.residual;
  for (int k = 1; k <= limit && best > task->tolerance; ++k) {
    sweep(s, p, task->option[0]);
    task->iterations = k;
    if (k == check || k == limit) {
      check = k + 5 + k / 4;
      nsds_certify(p, s->z, s->work, &c);
      if (isinf(c.residual)) break;
      if (c.residual < best) {
        best = c.residual;
        memcpy(z, s->z, (size_t)p->n * sizeof *z);
      }
      nsds_problem_multiply(p, s->z, s->w, s->work);
    }
    if (nsds_solver_stop(task, k, best)) break;
  }
  return NSDS_OK;
}

static const nsds_option own_options[] = {{"relaxation", "1", "omega", 1.0, 1e-6, 1.999999},
                                          {"unused", "m/s", "a second one", 3.0, 0.0, INFINITY},
                                          {0}};

static nsds_solver_ops own_ops(witness *seen) {
  return (nsds_solver_ops){.name = "own_pgs",
                           .summary = "Projected Gauss-Seidel once more.",
                           .reference = "nsgs.c",
                           .sets = NSDS_SET_EQUALITY | NSDS_SET_NONNEGATIVE,
                           .storages = NSDS_DENSE | NSDS_CSC,
                           .option = own_options,
                           .user = seen,
                           .create = own_create,
                           .destroy = own_destroy,
                           .reserve = own_reserve,
                           .solve = own_solve};
}

/* ---- against the built-in one ---- */

typedef struct answer {
  nsds_status status;
  nsds_solver_info info;
  double *z, *w;
  int calls; /* of the progress function */
} answer;

enum { last_call = 7 };

static int stop_late(int iteration, double residual, void *user) {
  assert_true(iteration >= 1 && residual >= 0.0);
  return ++*(int *)user == last_call;
}

static answer ask(nsds_context *context, const char *name, const nsds_problem *problem,
                  double relaxation, bool stopped) {
  size_t n = (size_t)problem->n;
  answer a = {.z = calloc(n + 1, sizeof *a.z), .w = calloc(n + 1, sizeof *a.w)};
  nsds_solver *solver = nsds_solver_create(context, name);
  assert_non_null(solver);
  assert_status(nsds_solver_set(solver, "max_iterations", 200.0), NSDS_OK);
  assert_status(nsds_solver_set(solver, "relaxation", relaxation), NSDS_OK);
  if (strcmp(name, "nsgs") == 0) assert_status(nsds_solver_set(solver, "plain", 1.0), NSDS_OK);
  if (stopped) nsds_solver_set_progress(solver, stop_late, &a.calls);
  random_seed(3);
  for (size_t i = 0; i < n; ++i) a.z[i] = random_number();
  a.status = nsds_solve(solver, problem, a.z, a.w, &a.info);
  nsds_solver_destroy(solver);
  return a;
}

/* They look at the residual after other sweeps, and sum up in another order. */
static void compare(const answer *own, const answer *built_in, int n) {
  assert_string_equal(own->info.solver, "own_pgs");
  assert_string_equal(built_in->info.solver, "nsgs");
  if (own->info.outcome == NSDS_INTERRUPTED) {
    assert_int_equal(own->info.iterations, last_call);
    assert_int_equal(own->calls, last_call);
  }
  if (own->info.outcome != NSDS_SOLVED || built_in->info.outcome != NSDS_SOLVED) return;
  assert_int_equal(own->status, NSDS_OK);
  double size = 0.0;
  for (int i = 0; i < n; ++i) size = fmax(size, fabs(built_in->w[i]));
  for (int i = 0; i < n; ++i) /* unique, where z need not be */
    assert_true(fabs(own->w[i] - built_in->w[i]) <= 1e-7 * (1.0 + size));
}

static void test_beside_pgs(void **unused) {
  (void)unused;
  int solved = 0, stopped = 0, unsolved = 0, apart = 0;
  witness seen = {0};
  nsds_solver_ops ops = own_ops(&seen);
  nsds_context *context = nsds_context_create(NULL);
  assert_status(nsds_solver_register(context, &ops), NSDS_OK);
  family f;
  for (int k = 0; family_create(&f, k); ++k) {
    for (int way = 0; way < 8; ++way) {
      stored s;
      stored_create(&s, &f, way % 2 ? NSDS_CSC : NSDS_DENSE);
      double relaxation = way & 2 ? 1.4 : 1.0;
      answer own = ask(context, "own_pgs", &s.problem, relaxation, way & 4);
      answer built_in = ask(context, "nsgs", &s.problem, relaxation, way & 4);
      compare(&own, &built_in, f.n);
      solved += own.info.outcome == NSDS_SOLVED;
      stopped += own.info.outcome == NSDS_INTERRUPTED;
      unsolved += own.info.outcome == NSDS_NOT_CONVERGED;
      apart += (own.info.outcome == NSDS_SOLVED) != (built_in.info.outcome == NSDS_SOLVED);
      free(own.z);
      free(own.w);
      free(built_in.z);
      free(built_in.w);
      stored_destroy(&s);
    }
    family_destroy(&f);
  }
  assert_status(nsds_error(context), NSDS_OK);
  nsds_context_destroy(context);
  print_message("             %d solved, %d stopped, %d not converged, %d by one alone\n", solved,
                stopped, unsolved, apart);
  assert_true(solved > 20 && stopped > 20 && unsolved > 5);
  assert_true(apart < solved / 10);
  assert_true(seen.created > 0 && seen.created == seen.destroyed);
}

/* ---- certificates ---- */

/* What a bad solver returns, and says. */
typedef struct liar {
  double z[2];
  nsds_outcome says;
  double start[2]; /* as it came */
} liar;

static nsds_status lie(void *self, nsds_solver_task *task, double *z) {
  liar *l = self;
  memcpy(l->start, z, sizeof l->start);
  memcpy(z, l->z, sizeof l->z);
  task->outcome = l->says;
  return NSDS_OK;
}

static const double small_M[4] = {2, 1, 1, 2}, small_q[2] = {-5, -6};
static const nsds_block small_block = {.set = NSDS_SET_NONNEGATIVE, .size = 2};

static nsds_problem small_problem(const nsds_block *block) {
  return (nsds_problem){.n = 2,
                        .nblock = 1,
                        .block = block,
                        .M = {.storage = NSDS_DENSE, .n = 2, .x = small_M},
                        .q = small_q};
}

static void check_lie(liar l, nsds_outcome expected) {
  nsds_solver_ops ops = {.name = "liar",
                         .sets = NSDS_SET_NONNEGATIVE,
                         .storages = NSDS_DENSE,
                         .solve = lie,
                         .user = &l};
  nsds_problem problem = small_problem(&small_block);
  nsds_context *context = nsds_context_create(NULL);
  assert_status(nsds_solver_register(context, &ops), NSDS_OK);
  nsds_solver *solver = nsds_solver_create(context, "liar");
  double z[2] = {NAN, 3.0}, w[2];
  nsds_solver_info info;
  nsds_status status = nsds_solve(solver, &problem, z, w, &info);
  assert_int_equal(status, expected == NSDS_SOLVED ? NSDS_OK : NSDS_ERROR_SOLVER);
  assert_int_equal(info.outcome, expected);
  assert_true(l.start[0] == 0.0 && l.start[1] == 3.0);
  for (int i = 0; i < 2; ++i) {
    assert_true(isfinite(z[i]) && (!isfinite(l.z[i]) || !isfinite(l.z[1 - i]) || z[i] == l.z[i]));
    double expected_w = small_q[i] + small_M[2 * i] * z[0] + small_M[2 * i + 1] * z[1];
    assert_true(fabs(w[i] - expected_w) < 1e-12);
  }
  assert_true((info.residual <= 1e-10) == (expected == NSDS_SOLVED));
  assert_status(nsds_error(context), NSDS_OK);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

static void test_certificate_decides(void **unused) {
  (void)unused;
  double a = 4.0 / 3.0, b = 7.0 / 3.0; /* M z + q = 0 */
  check_lie((liar){.z = {a, b}, .says = NSDS_NOT_CONVERGED}, NSDS_SOLVED);
  check_lie((liar){.z = {a, b}, .says = NSDS_NO_SOLUTION}, NSDS_SOLVED);
  check_lie((liar){.z = {1, 1}, .says = NSDS_SOLVED}, NSDS_NOT_CONVERGED);
  check_lie((liar){.z = {-1, 4}, .says = NSDS_SOLVED}, NSDS_NOT_CONVERGED);
  check_lie((liar){.z = {a, b + 1e-6}, .says = NSDS_SOLVED}, NSDS_NOT_CONVERGED);
  check_lie((liar){.z = {1, 1}, .says = NSDS_RAY}, NSDS_RAY);
  check_lie((liar){.z = {1, 1}, .says = NSDS_NO_SOLUTION}, NSDS_NOT_CONVERGED); /* no proof */
  check_lie((liar){.z = {1, 1}, .says = (nsds_outcome)77}, NSDS_NOT_CONVERGED);
  check_lie((liar){.z = {NAN, 1}, .says = NSDS_SOLVED}, NSDS_NOT_CONVERGED);
  check_lie((liar){.z = {1, INFINITY}, .says = NSDS_SOLVED}, NSDS_NOT_CONVERGED);
}

/* ---- refusals ---- */

static void test_refusals(void **unused) {
  (void)unused;
  witness seen = {0};
  nsds_solver_ops ops = own_ops(&seen);
  nsds_context *context = nsds_context_create(NULL);
  assert_status(nsds_solver_register(context, &ops), NSDS_OK);
  nsds_solver *solver = nsds_solver_create(context, "own_pgs");
  nsds_block block = {.set = NSDS_SET_COULOMB, .size = 2, .mu = 0.5};
  nsds_problem problem = small_problem(&block);
  double z[2] = {1.0, 2.0}, w[2];
  nsds_solver_info info;
  assert_status(nsds_solve(solver, &problem, z, w, &info), NSDS_ERROR_SOLVER);
  assert_int_equal(info.outcome, NSDS_REFUSED);
  assert_true(z[0] == 1.0 && z[1] == 2.0);
  int row[2] = {0, 2}, first[2] = {0, 1}, column[1] = {0}, start[1] = {0};
  nsds_block_rows rows = {1, row, first, column, start, small_M};
  problem = small_problem(&small_block);
  problem.M = (nsds_matrix){.storage = NSDS_BLOCK_ROWS, .n = 2, .blocks = &rows};
  assert_status(nsds_solve(solver, &problem, z, w, &info), NSDS_ERROR_SOLVER);
  assert_int_equal(info.outcome, NSDS_REFUSED);
  assert_int_equal(seen.solved, 0);
  assert_status(nsds_error(context), NSDS_OK);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

/* ---- registration ---- */

static void refuse(nsds_context *context, const nsds_solver_ops *ops, nsds_status status,
                   const char *part) {
  nsds_error_clear(context);
  assert_status(nsds_solver_register(context, ops), status);
  assert_status(nsds_error(context), status);
  if (!strstr(nsds_error_message(context), part))
    fail_msg("\"%s\" is not in \"%s\"", part, nsds_error_message(context));
  assert_null(nsds_solver_registered(context, 1));
}

static void refuse_option(nsds_context *context, nsds_option option, nsds_status status,
                          const char *part) {
  witness seen = {0};
  nsds_solver_ops ops = own_ops(&seen);
  nsds_option options[2] = {option, {0}};
  ops.name = "optional";
  ops.option = options;
  refuse(context, &ops, status, part);
}

static void test_registration(void **unused) {
  (void)unused;
  char longest[NSDS_SOLVER_NAME + 2];
  memset(longest, 'x', sizeof longest);
  longest[NSDS_SOLVER_NAME + 1] = '\0';
  witness seen = {0};
  nsds_solver_ops good = own_ops(&seen), bad = good;
  nsds_context *context = nsds_context_create(NULL);
  assert_status(nsds_solver_register(NULL, &good), NSDS_ERROR_ARGUMENT);
  assert_status(nsds_solver_register(context, &good), NSDS_OK);
  assert_status(nsds_error(context), NSDS_OK);
  refuse(context, NULL, NSDS_ERROR_ARGUMENT, "ops is NULL");
  refuse(context, &good, NSDS_ERROR_ARGUMENT, "\"own_pgs\" already");
  bad.name = "nsgs";
  refuse(context, &bad, NSDS_ERROR_ARGUMENT, "\"nsgs\" already");
  bad.name = "auto";
  refuse(context, &bad, NSDS_ERROR_ARGUMENT, "\"auto\" already");
  bad.name = NULL;
  refuse(context, &bad, NSDS_ERROR_ARGUMENT, "name of the solver is NULL");
  bad.name = "";
  refuse(context, &bad, NSDS_ERROR_ARGUMENT, "name of the solver is empty");
  bad.name = "a/b";
  refuse(context, &bad, NSDS_ERROR_ARGUMENT, "name \"a/b\" has a slash");
  bad.name = longest;
  refuse(context, &bad, NSDS_ERROR_ARGUMENT, "has 64 characters");
  bad.name = "bad";
  bad.solve = NULL;
  refuse(context, &bad, NSDS_ERROR_ARGUMENT, "solve of solver \"bad\" is NULL");
  bad.solve = good.solve;
  bad.sets = 0;
  refuse(context, &bad, NSDS_ERROR_ARGUMENT, "sets of solver \"bad\" is 0");
  bad.sets = 256;
  refuse(context, &bad, NSDS_ERROR_ARGUMENT, "sets of solver \"bad\" is 0x100");
  bad.sets = good.sets;
  bad.storages = 16;
  refuse(context, &bad, NSDS_ERROR_ARGUMENT, "storages of solver \"bad\" is 0x10");
  bad.storages = good.storages;
  nsds_option six[7] = {{"a", "1", "", 0, 0, 1}, {"b", "1", "", 0, 0, 1}, {"c", "1", "", 0, 0, 1},
                        {"d", "1", "", 0, 0, 1}, {"e", "1", "", 0, 0, 1}, {"f", "1", "", 0, 0, 1}};
  bad.option = six;
  refuse(context, &bad, NSDS_ERROR_ARGUMENT, "more than 5 options");
  six[1].name = "a";
  refuse(context, &bad, NSDS_ERROR_ARGUMENT, "two options \"a\"");
  refuse_option(context, (nsds_option){"tolerance", "1", "", 0, 0, 1}, NSDS_ERROR_ARGUMENT,
                "every solver has this one");
  refuse_option(context, (nsds_option){"", "1", "", 0, 0, 1}, NSDS_ERROR_ARGUMENT,
                "its name is empty");
  refuse_option(context, (nsds_option){"a", NULL, "", 0, 0, 1}, NSDS_ERROR_ARGUMENT,
                "unit is NULL");
  refuse_option(context, (nsds_option){"a", "1", NULL, 0, 0, 1}, NSDS_ERROR_ARGUMENT,
                "help is NULL");
  refuse_option(context, (nsds_option){"a", "1", "", 2, 0, 1}, NSDS_ERROR_VALUE,
                "default 2 outside of 0..1");
  refuse_option(context, (nsds_option){"a", "1", "", NAN, 0, 1}, NSDS_ERROR_VALUE,
                "outside of 0..1");
  six[1].name = "b";
  six[5].name = NULL;
  nsds_error_clear(context);
  assert_status(nsds_solver_register(context, &bad), NSDS_OK); /* five are possible */
  longest[NSDS_SOLVER_NAME] = '\0';
  bad.name = longest;
  bad.option = NULL;
  bad.summary = bad.reference = NULL;
  assert_status(nsds_solver_register(context, &bad), NSDS_OK); /* and 63 characters */
  assert_string_equal(nsds_solver_registered(context, 2)->summary, "");
  nsds_context_destroy(context);
}

/* A registered solver is known in its context, by name, row and options. */
static void test_row_and_options(void **unused) {
  (void)unused;
  witness seen = {0};
  nsds_solver_ops ops = own_ops(&seen), second = own_ops(&seen);
  second.name = "second";
  nsds_context *context = nsds_context_create(NULL), *other = nsds_context_create(NULL);
  assert_null(nsds_solver_registered(context, 0));
  assert_status(nsds_solver_register(context, &ops), NSDS_OK);
  assert_status(nsds_solver_register(context, &second), NSDS_OK);
  const nsds_solver_row *row = nsds_solver_registered(context, 0);
  assert_string_equal(row->name, "own_pgs");
  assert_string_equal(row->reference, "nsgs.c");
  assert_true(row->sets == ops.sets && row->storages == ops.storages);
  assert_string_equal(nsds_solver_registered(context, 1)->name, "second");
  assert_null(nsds_solver_registered(context, 2));
  assert_null(nsds_solver_registered(context, -1));
  assert_null(nsds_solver_registered(other, 0));
  assert_null(nsds_solver_registered(NULL, 0));
  assert_null(nsds_solver_create(other, "own_pgs"));
  assert_null(nsds_solver_create(context, "third"));
  assert_non_null(strstr(nsds_error_message(context), "own_pgs, second"));
  nsds_error_clear(context);
  nsds_solver *solver = nsds_solver_create(context, "own_pgs");
  assert_ptr_equal(nsds_solver_get_row(solver), row);
  static const char *const names[] = {"tolerance",      "time_limit", "memory_limit",
                                      "max_iterations", "relaxation", "unused"};
  for (int k = 0; k < 6; ++k) assert_string_equal(row->option[k].name, names[k]);
  assert_null(row->option[6].name);
  assert_true(nsds_solver_get(solver, "unused") == 3.0);
  assert_true(nsds_solver_get(solver, "tolerance") == 1e-10);
  assert_status(nsds_solver_set(solver, "unused", 1e300), NSDS_OK);
  assert_status(nsds_solver_set(solver, "relaxation", 2.0), NSDS_ERROR_VALUE);
  assert_non_null(strstr(nsds_error_message(context), "\"own_pgs\" is 2; valid is 1e-06..2"));
  nsds_error_clear(context);
  assert_status(nsds_solver_set(solver, "omega", 1.0), NSDS_ERROR_ARGUMENT);
  assert_non_null(strstr(nsds_error_message(context), "max_iterations, relaxation, unused"));
  nsds_solver_destroy(solver);
  nsds_context_destroy(other);
  nsds_context_destroy(context);
  assert_false(nsds_solver_stop(NULL, 1, 0.0));
}

/* A time limit reaches the user's solver; without operations self is `user`. */
static nsds_status wait(void *self, nsds_solver_task *task, double *z) {
  assert_ptr_equal(self, &small_M);
  assert_true(task->tolerance == 1e-10 && task->max_iterations == 0);
  for (int k = 1; k < 1000000000; ++k) {
    z[0] = z[1] = 1.0 / k;
    task->iterations = k;
    if (nsds_solver_stop(task, k, NAN)) return NSDS_OK;
  }
  return NSDS_OK;
}

static void test_clock(void **unused) {
  (void)unused;
  nsds_solver_ops ops = {.name = "waiter",
                         .sets = NSDS_SET_NONNEGATIVE,
                         .storages = NSDS_DENSE,
                         .user = (void *)(uintptr_t)&small_M,
                         .solve = wait};
  nsds_context *context = nsds_context_create(NULL);
  assert_status(nsds_solver_register(context, &ops), NSDS_OK);
  nsds_solver *solver = nsds_solver_create(context, "waiter");
  assert_status(nsds_solver_set(solver, "time_limit", 1e-3), NSDS_OK);
  nsds_problem problem = small_problem(&small_block);
  double z[2] = {0.0}, w[2];
  nsds_solver_info info;
  assert_status(nsds_solve(solver, &problem, z, w, &info), NSDS_ERROR_SOLVER);
  assert_int_equal(info.outcome, NSDS_INTERRUPTED);
  assert_true(info.iterations >= 1);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

/* ---- failures ---- */

/* `given` by one operation is `expected` of the call, with a message naming both. */
static void check_failure(int operation, nsds_status given, nsds_status expected) {
  static const char *const names[] = {"create", "reserve", "solve"};
  witness seen = {0};
  nsds_solver_ops ops = own_ops(&seen);
  nsds_context *context = nsds_context_create(NULL);
  assert_status(nsds_solver_register(context, &ops), NSDS_OK);
  *(operation == 0   ? &seen.fail_create
    : operation == 1 ? &seen.fail_reserve
                     : &seen.fail_solve) = given;
  nsds_solver *solver = nsds_solver_create(context, "own_pgs");
  assert_true((operation == 0) == !solver);
  nsds_problem problem = small_problem(&small_block);
  double z[2] = {0.0}, w[2];
  if (solver) assert_status(nsds_solve(solver, &problem, z, w, NULL), expected);
  assert_status(nsds_error(context), expected);
  assert_non_null(strstr(nsds_error_message(context), "own_pgs"));
  assert_non_null(strstr(nsds_error_message(context), names[operation]));
  nsds_solver_destroy(solver);
  assert_int_equal(seen.created, seen.destroyed);
  nsds_context_destroy(context);
}

static void test_failures(void **unused) {
  (void)unused;
  for (int operation = 0; operation < 3; ++operation) {
    check_failure(operation, NSDS_ERROR_MEMORY, NSDS_ERROR_MEMORY);
    check_failure(operation, NSDS_ERROR_SINGULAR, NSDS_ERROR_SINGULAR);
    check_failure(operation, NSDS_ERROR_SOLVER, NSDS_ERROR_CALLBACK);
    check_failure(operation, NSDS_STOPPED, NSDS_ERROR_CALLBACK);
  }
}

/* Register, create, reserve, solve with the k-th allocation failing; afterwards all of it works. */
static bool run_with_failure(long k) {
  meter m = {.fail_at = k};
  witness seen = {0};
  nsds_solver_ops ops = own_ops(&seen);
  nsds_context *context = metered_context(&m);
  if (!context) return true;
  nsds_problem problem = small_problem(&small_block);
  double z[2] = {0.0}, w[2];
  for (int round = 0; round < 2; ++round) {
    bool failed = m.count < k;
    nsds_status status = NSDS_OK;
    if (!nsds_solver_registered(context, 0)) status = nsds_solver_register(context, &ops);
    nsds_solver *solver = status ? NULL : nsds_solver_create(context, "own_pgs");
    if (solver) status = nsds_solver_reserve(solver, &problem);
    long before = m.count;
    if (solver && !status) assert_status(nsds_solve(solver, &problem, z, w, NULL), NSDS_OK);
    assert_int_equal(m.count, before);
    failed = failed && m.count >= k;
    assert_status(nsds_error(context), failed ? NSDS_ERROR_MEMORY : NSDS_OK);
    assert_true(failed == (!solver || status == NSDS_ERROR_MEMORY));
    nsds_solver_destroy(solver);
    nsds_error_clear(context);
  }
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
  assert_int_equal(seen.created, seen.destroyed);
  return m.count >= k;
}

static void test_memory(void **unused) {
  (void)unused;
  long k = 1;
  while (run_with_failure(k)) ++k;
  assert_true(k > 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_beside_pgs),      cmocka_unit_test(test_certificate_decides),
      cmocka_unit_test(test_refusals),        cmocka_unit_test(test_registration),
      cmocka_unit_test(test_row_and_options), cmocka_unit_test(test_clock),
      cmocka_unit_test(test_failures),        cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests_name("numerics.user_solver", tests, NULL, NULL);
}
