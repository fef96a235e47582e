/*
 * Solvers of a user's own in simulations: registered in the context of the model and chosen by
 * name, they solve the one-step problems, equal to the built-in methods that they repeat bit by
 * bit. Their answers are certified: what is no solution fails the step, which leaves the model as
 * it was.
 */
#include "worlds.h"

#include <nsds/extend_solver.h>

#include <stdlib.h>

enum { most_rows = 100 };

typedef struct witness {
  long solves;
  nsds_solver *inner;          /* of the wrapper */
  int garbage;                 /* what it answers instead */
  nsds_simulation *simulation; /* on which it tries what is not allowed */
  nsds_status tried;
} witness;

/* ---- projected Gauss-Seidel on a dense matrix, rows nonnegative ---- */

static nsds_status sweep_solve(void *self, nsds_solver_task *task, double *z) {
  const nsds_problem *p = task->problem;
  const double *M = p->M.x;
  int n = p->n, limit = task->max_iterations > 0 ? task->max_iterations : 10000, check = 5;
  double x[most_rows], w[most_rows], work[4 * most_rows];
  nsds_certificate c;
  assert_true(n <= most_rows && nsds_problem_work(p) <= sizeof work / sizeof *work);
  ++((witness *)self)->solves;
  for (int i = 0; i < n; ++i) x[i] = z[i] = M[i + i * n] > 0.0 && z[i] > 0.0 ? z[i] : 0.0;
  nsds_problem_multiply(p, x, w, work);
  nsds_certify(p, z, work, &c);
  double best = c.residual;
  for (int k = 1; k <= limit && best > task->tolerance; ++k) {
    for (int i = 0; i < n; ++i) {
      if (!(M[i + i * n] > 0.0)) continue;
      double next = fmax(x[i] - task->option[0] * w[i] / M[i + i * n], 0.0), change = next - x[i];
      if (change == 0.0) continue;
      x[i] = next;
      for (int j = 0; j < n; ++j) w[j] += M[j + i * n] * change;
    }
    task->iterations = k;
    if (k == check || k == limit) {
      check = k + 5 + k / 4;
      nsds_certify(p, x, work, &c);
      if (c.residual < best) {
        best = c.residual;
        memcpy(z, x, (size_t)n * sizeof *z);
      }
      nsds_problem_multiply(p, x, w, work);
    }
    if (nsds_solver_stop(task, k, best)) break;
  }
  return NSDS_OK;
}

static const nsds_option sweep_options[] = {{"relaxation", "1", "omega", 1.0, 1e-6, 1.9}, {0}};

/* ---- a built-in method in a coat, with answers spoilt on request ---- */

enum { HONEST, ZEROS, HUGE_NUMBERS, NOT_A_NUMBER, SLIGHTLY_OFF, SAYS_SOLVED, FAILS, kinds };

static nsds_status coat_solve(void *self, nsds_solver_task *task, double *z) {
  witness *seen = self;
  int n = task->problem->n;
  double w[most_rows];
  assert_true(n <= most_rows);
  ++seen->solves;
  if (seen->simulation) seen->tried = nsds_simulation_set_solver(seen->simulation, "auto", 0.0);
  if (seen->garbage == FAILS) return NSDS_ERROR_INTERNAL;
  nsds_status status = nsds_solve(seen->inner, task->problem, z, w, NULL);
  for (int i = 0; i < n; ++i) {
    if (seen->garbage == ZEROS) z[i] = 0.0;
    if (seen->garbage == HUGE_NUMBERS) z[i] = 1e30 * (i + 1);
    if (seen->garbage == NOT_A_NUMBER) z[i] = NAN;
    if (seen->garbage == SLIGHTLY_OFF || seen->garbage == SAYS_SOLVED) z[i] *= 1.0 + 1e-6;
  }
  if (seen->garbage == SAYS_SOLVED) task->outcome = NSDS_SOLVED;
  task->iterations = 1;
  return status == NSDS_ERROR_SOLVER ? NSDS_OK : status;
}

static nsds_solver_ops sweeps_of(witness *seen) {
  return (nsds_solver_ops){.name = "own_sweeps",
                           .sets = NSDS_SET_NONNEGATIVE,
                           .storages = NSDS_DENSE,
                           .option = sweep_options,
                           .user = seen,
                           .solve = sweep_solve};
}

static nsds_solver_ops coat_of(witness *seen) {
  return (nsds_solver_ops){.name = "coat",
                           .sets = NSDS_SET_NONNEGATIVE | NSDS_SET_EQUALITY,
                           .storages = NSDS_DENSE | NSDS_FACTORED,
                           .user = seen,
                           .solve = coat_solve};
}

/* ---- simulations ---- */

static nsds_simulation *start(const world *w, nsds_model **model, const nsds_solver_ops *ops,
                              const char *solver) {
  *model = nsds_model_create(NULL);
  if (ops) assert_ok(*model, nsds_solver_register(nsds_model_context(*model), ops));
  w->build(*model);
  nsds_simulation *s = nsds_time_stepping(
      *model, &(nsds_time_stepping_def){.t1 = 1e3, .h = w->h, .solver = solver, .tolerance = 1e-9});
  assert_sound(*model);
  assert_non_null(s);
  return s;
}

/* The largest difference of velocities. */
static double between(const nsds_model *one, const nsds_model *other) {
  double most = 0.0;
  for (int k = 0; k < nsds_ds_count(one); ++k) {
    const nsds_ds *a = nsds_ds_at(one, k), *b = nsds_ds_at(other, k);
    for (int i = 0; i < nsds_nv(a); ++i) most = worse(most, fabs(nsds_v(a)[i] - nsds_v(b)[i]));
  }
  return most;
}

/* To the bit, where the one calls the other. */
static void compare(const world *w, const nsds_solver_ops *ops, witness *seen, const char *built_in,
                    bool exact) {
  nsds_model *model[2];
  nsds_simulation *s[2] = {start(w, &model[0], NULL, built_in),
                           start(w, &model[1], ops, ops->name)};
  int rows = 0;
  seen->inner = nsds_solver_create(nsds_model_context(model[1]), built_in);
  assert_ok(model[1], nsds_solver_set(seen->inner, "tolerance", 1e-9));
  for (int n = 0; n < w->steps; ++n) {
    assert_ok(model[0], nsds_step(s[0]));
    assert_ok(model[1], nsds_step(s[1]));
    if (exact && state_hash(model[0], 0) != state_hash(model[1], 0))
      fail_msg("%s by %s: other bits in step %d", w->name, ops->name, n);
    if (!exact) assert_near(between(model[0], model[1]), 0.0, 1e-6);
    const nsds_step_info *a = nsds_simulation_info(s[0]), *b = nsds_simulation_info(s[1]);
    assert_true(!exact || a->solver.residual == b->solver.residual || a->rows == 0);
    if (a->rows > 0) assert_string_equal(b->solver.solver, ops->name);
    rows = b->rows > rows ? b->rows : rows;
  }
  print_message("             %-22s %s: up to %d rows, %ld solves\n", w->name, ops->name, rows,
                seen->solves);
  assert_true(seen->solves > 2);
  nsds_solver_destroy(seen->inner);
  nsds_model_destroy(model[0]);
  nsds_model_destroy(model[1]);
}

static void equal_to_what_they_repeat(void **state) {
  (void)state;
  for (int k = 0; k < 2; ++k) { /* the ball, the column of beads */
    witness seen = {0};
    nsds_solver_ops ops = sweeps_of(&seen);
    compare(&worlds[k], &ops, &seen, "nsgs", false);
  }
  static const int with_coat[] = {0, 1, 2, 6}; /* the machine has equality rows, and Newton */
  for (size_t k = 0; k < sizeof with_coat / sizeof *with_coat; ++k) {
    witness seen = {0};
    nsds_solver_ops ops = coat_of(&seen);
    compare(&worlds[with_coat[k]], &ops, &seen, "semismooth_newton", true);
  }
}

static void garbage_fails_the_step(void **state) {
  (void)state;
  witness seen = {0};
  nsds_solver_ops ops = coat_of(&seen);
  nsds_model *model;
  nsds_simulation *s = start(&worlds[1], &model, &ops, "coat");
  nsds_context *context = nsds_model_context(model);
  seen.inner = nsds_solver_create(context, "lemke");
  while (nsds_simulation_info(s)->rows < 5) assert_ok(model, nsds_step(s));
  for (int n = 0; n < 20; ++n) {
    snapshot before = snapshot_take(model);
    bool loaded = false;
    for (seen.garbage = ZEROS; seen.garbage < kinds; ++seen.garbage) {
      nsds_status status = nsds_step(s);
      if (status == NSDS_OK && seen.garbage == ZEROS) break; /* it was right */
      assert_status(model, status, seen.garbage == FAILS ? NSDS_ERROR_INTERNAL : NSDS_ERROR_SOLVER);
      assert_words(nsds_last_message(context), ((const char *[]){"coat"}), 1);
      if (seen.garbage != FAILS) {
        assert_int_equal(nsds_simulation_info(s)->solver.outcome, NSDS_NOT_CONVERGED);
        assert_true(nsds_simulation_info(s)->solver.residual > 1e-9);
      }
      nsds_error_clear(context);
      snapshot_check(&before, model, "garbage");
      loaded = true;
    }
    snapshot_free(&before);
    seen.garbage = HONEST;
    if (loaded) assert_ok(model, nsds_step(s));
  }
  nsds_solver_destroy(seen.inner);
  nsds_model_destroy(model);
}

/* What it does not take is said when the simulation is made; and by the first step where the solver
 * is chosen later, which changes nothing. */
static void what_it_does_not_accept_is_refused(void **state) {
  (void)state;
  witness seen = {0};
  nsds_solver_ops ops = sweeps_of(&seen);
  const char *const words[] = {"own_sweeps", "nsds_equality", "auto"};
  nsds_model *model = nsds_model_create(NULL);
  nsds_context *context = nsds_model_context(model);
  assert_ok(model, nsds_solver_register(context, &ops));
  worlds[6].build(model); /* equality rows */
  nsds_time_stepping_def def = {.t1 = 1e3, .h = worlds[6].h, .solver = "own_sweeps"};
  assert_null(nsds_time_stepping(model, &def));
  assert_int_equal(nsds_error(context), NSDS_ERROR_UNSUPPORTED);
  assert_words(nsds_error_message(context), words, 3);
  nsds_error_clear(context);
  def.solver = NULL;
  nsds_simulation *s = nsds_time_stepping(model, &def);
  assert_sound(model);
  assert_ok(model, nsds_simulation_set_solver(s, "own_sweeps", 0.0));
  snapshot before = snapshot_take(model);
  assert_status(model, nsds_step(s), NSDS_ERROR_UNSUPPORTED);
  assert_words(nsds_last_message(context), words, 3);
  assert_int_equal(seen.solves, 0);
  snapshot_check(&before, model, "refused");
  snapshot_free(&before);
  nsds_error_clear(context);
  assert_ok(model, nsds_simulation_set_solver(s, "auto", 0.0));
  assert_ok(model, nsds_step(s));
  nsds_model_destroy(model);
}

static void a_name_must_be_registered_before(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  worlds[0].build(model);
  const nsds_time_stepping_def def = {.t1 = 1.0, .h = 0.01, .solver = "own_sweeps"};
  assert_null(nsds_time_stepping(model, &def));
  nsds_error_clear(nsds_model_context(model));
  witness seen = {0};
  nsds_solver_ops ops = sweeps_of(&seen);
  assert_ok(model, nsds_solver_register(nsds_model_context(model), &ops));
  assert_non_null(nsds_time_stepping(model, &def));
  nsds_model_destroy(model);
}

/* While it solves, the instance that is solving cannot be replaced. */
static void it_cannot_be_replaced_while_it_solves(void **state) {
  (void)state;
  witness seen = {0};
  nsds_solver_ops ops = coat_of(&seen);
  nsds_model *model;
  nsds_simulation *s = start(&worlds[1], &model, &ops, "coat");
  seen.inner = nsds_solver_create(nsds_model_context(model), "lemke");
  while (nsds_simulation_info(s)->rows < 5) assert_ok(model, nsds_step(s));
  seen.simulation = s;
  long before = seen.solves;
  for (int n = 0; n < 20; ++n) {
    assert_status(model, nsds_step(s), NSDS_OK);
    if (seen.solves > before) assert_int_equal(seen.tried, NSDS_ERROR_STATE);
  }
  assert_true(seen.solves > before);
  assert_words(nsds_error_message(nsds_model_context(model)),
               ((const char *[]){"nsds_simulation_set_solver"}), 1);
  nsds_solver_destroy(seen.inner);
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_to_what_they_repeat),
      cmocka_unit_test(garbage_fails_the_step),
      cmocka_unit_test(what_it_does_not_accept_is_refused),
      cmocka_unit_test(a_name_must_be_registered_before),
      cmocka_unit_test(it_cannot_be_replaced_while_it_solves),
  };
  return cmocka_run_group_tests_name("kernel.user_solver", tests, NULL, NULL);
}
