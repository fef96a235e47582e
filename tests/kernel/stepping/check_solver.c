/*
 * The check-solver callback: what each verdict does with an answer that is certified or not, and
 * how the step can be repeated with another tolerance, more iterations or another method. A stack
 * of beads by projected Gauss-Seidel with one sweep allowed is the problem that does not get
 * solved.
 */
#include "scenes.h"
#include "support.h"

enum { beads = 6 };

typedef struct script {
  nsds_verdict verdict[16]; /* what to answer, the last one from then on */
  int count, calls;
  const char *solver_on_retry; /* set_solver() before a RETRY */
  double iterations_on_retry;  /* or more sweeps */
  double tolerance_on_retry;   /* or a looser tolerance */
  nsds_outcome outcome[16];    /* of each solve, as reported */
  double residual[16];
  nsds_simulation *simulation;
} script;

static nsds_verdict follow(nsds_simulation *simulation, const nsds_solver_info *info, void *user) {
  script *s = user;
  int k = s->calls < 15 ? s->calls : 15;
  s->simulation = simulation;
  s->outcome[k] = info->outcome;
  s->residual[k] = info->residual;
  nsds_verdict verdict = s->verdict[k < s->count ? k : s->count - 1];
  ++s->calls;
  if (verdict == NSDS_RETRY) {
    nsds_solver *solver = nsds_simulation_solver(simulation);
    if (s->iterations_on_retry > 0.0)
      nsds_solver_set(solver, "max_iterations", s->iterations_on_retry);
    if (s->tolerance_on_retry > 0.0) nsds_solver_set(solver, "tolerance", s->tolerance_on_retry);
    if (s->solver_on_retry)
      nsds_simulation_set_solver(simulation, s->solver_on_retry, 0.0); /* info is not used after */
  }
  return verdict;
}

typedef struct stack {
  nsds_model *model;
  nsds_simulation *simulation;
  bead_scene scene;
} stack;

/* Beads at rest on each other, sunk in by a micrometre so that all contacts are active. */
static stack *build(script *s, const char *solver, double sweeps) {
  static stack w;
  w.model = nsds_model_create(NULL);
  scene_bead_column(w.model, &w.scene, beads, 0.1, 0.1 - 1e-6, 0.2 - 1e-6, 0.0);
  w.simulation =
      nsds_time_stepping(w.model, &(nsds_time_stepping_def){.t1 = 1.0,
                                                            .h = 1e-2,
                                                            .solver = solver,
                                                            .check_solver = s ? follow : NULL,
                                                            .check_solver_user = s});
  assert_sound(w.model);
  if (sweeps > 0.0)
    assert_ok(w.model,
              nsds_solver_set(nsds_simulation_solver(w.simulation), "max_iterations", sweeps));
  return &w;
}

static double exact(int i) { return (beads - i) * 9.81 * 1e-2; }

static void certified_answers_pass(void **state) {
  (void)state;
  const nsds_verdict fine[] = {NSDS_CONTINUE, NSDS_ACCEPT};
  for (int k = 0; k < 2; ++k) {
    script s = {.verdict = {fine[k]}, .count = 1};
    stack *w = build(&s, NULL, 0.0);
    for (int n = 0; n < 5; ++n) assert_ok(w->model, nsds_step(w->simulation));
    assert_int_equal(s.calls, 5); /* once per solve */
    assert_ptr_equal(s.simulation, w->simulation);
    assert_int_equal(s.outcome[4], NSDS_SOLVED);
    assert_true(s.residual[4] <= 1e-10);
    assert_int_equal(nsds_simulation_info(w->simulation)->rows, beads);
    assert_int_equal(nsds_simulation_info(w->simulation)->active, beads);
    for (int i = 0; i < beads; ++i)
      assert_near(nsds_impulse(w->scene.contact[i])[0], exact(i), 1e-12);
    nsds_model_destroy(w->model);
  }
}

static void uncertified_answers_fail_the_step(void **state) {
  (void)state;
  script s = {.verdict = {NSDS_CONTINUE}, .count = 1};
  for (int with = 0; with < 2; ++with) {
    stack *w = build(with ? &s : NULL, "nsgs", 1.0);
    nsds_context *context = nsds_model_context(w->model);
    snapshot before = snapshot_take(w->model);
    assert_status(w->model, nsds_step(w->simulation), NSDS_ERROR_SOLVER);
    snapshot_check(&before, w->model, "an uncertified answer");
    const nsds_solver_info *info = &nsds_simulation_info(w->simulation)->solver;
    assert_int_equal(info->outcome, NSDS_NOT_CONVERGED);
    assert_string_equal(info->solver, "nsgs");
    assert_true(info->residual > 1e-10);
    const char *words[] = {"t = 0.01", "6 rows",          "not converged",
                           "nsgs",     "tolerance 1e-10", "bead"};
    assert_words(nsds_error_message(context), words, 6);
    /* and the simulation goes on once it may sweep as often as it needs */
    nsds_error_clear(context);
    assert_ok(w->model,
              nsds_solver_set(nsds_simulation_solver(w->simulation), "max_iterations", 1e5));
    assert_ok(w->model, nsds_step(w->simulation));
    assert_near(nsds_impulse(w->scene.contact[0])[0], exact(0), 1e-8);
    snapshot_free(&before);
    nsds_model_destroy(w->model);
  }
}

static void accept_takes_what_there_is(void **state) {
  (void)state;
  script s = {.verdict = {NSDS_ACCEPT}, .count = 1};
  stack *w = build(&s, "nsgs", 1.0);
  assert_ok(w->model, nsds_step(w->simulation));
  assert_int_equal(s.outcome[0], NSDS_NOT_CONVERGED);
  assert_near(nsds_time(w->simulation), 1e-2, 0.0);
  assert_true(fabs(nsds_impulse(w->scene.contact[0])[0] - exact(0)) > 1e-3);
  nsds_model_destroy(w->model);
}

static void stop_leaves_the_state(void **state) {
  (void)state;
  script s = {.verdict = {NSDS_CONTINUE, NSDS_CONTINUE, NSDS_STOP, NSDS_CONTINUE}, .count = 4};
  stack *w = build(&s, NULL, 0.0);
  for (int n = 0; n < 2; ++n) assert_ok(w->model, nsds_step(w->simulation));
  snapshot before = snapshot_take(w->model);
  assert_int_equal(nsds_step(w->simulation), NSDS_STOPPED);
  snapshot_check(&before, w->model, "a stopped step");
  assert_sound(w->model); /* not an error */
  assert_int_equal(nsds_step_count(w->simulation), 2);
  assert_near(nsds_time(w->simulation), 0.02, 0.0);
  assert_ok(w->model, nsds_step(w->simulation));
  assert_near(nsds_time(w->simulation), 0.03, 0.0);
  snapshot_free(&before);
  nsds_model_destroy(w->model);
  /* nsds_run() hands the stop on */
  s = (script){.verdict = {NSDS_CONTINUE, NSDS_STOP}, .count = 2};
  w = build(&s, NULL, 0.0);
  assert_int_equal(nsds_run(w->simulation), NSDS_STOPPED);
  assert_int_equal(nsds_step_count(w->simulation), 1);
  nsds_model_destroy(w->model);
}

static void retry_with_what_helps(void **state) {
  (void)state;
  const script helps[] = {
      {.verdict = {NSDS_RETRY, NSDS_CONTINUE}, .count = 2, .iterations_on_retry = 1e5},
      {.verdict = {NSDS_RETRY, NSDS_CONTINUE}, .count = 2, .solver_on_retry = "semismooth_newton"},
      {.verdict = {NSDS_RETRY, NSDS_CONTINUE}, .count = 2, .solver_on_retry = "auto"},
      {.verdict = {NSDS_RETRY, NSDS_CONTINUE}, .count = 2, .tolerance_on_retry = 1.0},
  };
  for (int k = 0; k < 4; ++k) {
    script s = helps[k];
    stack *w = build(&s, "nsgs", 1.0);
    assert_ok(w->model, nsds_step(w->simulation));
    assert_int_equal(s.calls, 2);
    assert_int_equal(s.outcome[0], NSDS_NOT_CONVERGED);
    assert_int_equal(s.outcome[1], NSDS_SOLVED);
    if (k < 3) assert_near(nsds_impulse(w->scene.contact[0])[0], exact(0), 1e-8);
    nsds_solver *solver = nsds_simulation_solver(w->simulation); /* what was set stays set */
    if (helps[k].solver_on_retry) {
      assert_string_equal(nsds_solver_get_row(solver)->name, helps[k].solver_on_retry);
      assert_near(nsds_solver_get(solver, "tolerance"), 1e-10, 0.0);
    }
    nsds_model_destroy(w->model);
  }
}

static void retries_are_limited(void **state) {
  (void)state;
  script s = {.verdict = {NSDS_RETRY}, .count = 1};
  stack *w = build(&s, "nsgs", 1.0);
  snapshot before = snapshot_take(w->model);
  assert_status(w->model, nsds_step(w->simulation), NSDS_ERROR_SOLVER);
  assert_int_equal(s.calls, 11); /* the first solve and ten more */
  snapshot_check(&before, w->model, "a step retried too often");
  const char *words[] = {"check_solver", "10"};
  assert_words(nsds_error_message(nsds_model_context(w->model)), words, 2);
  snapshot_free(&before);
  nsds_model_destroy(w->model);
}

/* No contact, no problem, no call. */
static void free_flight_does_not_ask(void **state) {
  (void)state;
  script s = {.verdict = {NSDS_STOP}, .count = 1};
  nsds_model *model = nsds_model_create(NULL);
  scene_bouncing_ball(model, 1.0, 0.1, 1.0, 0.5);
  nsds_simulation *simulation =
      run(model,
          &(nsds_time_stepping_def){
              .t1 = 1.0, .h = 1e-2, .check_solver = follow, .check_solver_user = &s},
          20);
  assert_int_equal(s.calls, 0);
  assert_null(nsds_simulation_info(simulation)->solver.solver);
  assert_int_equal(nsds_simulation_info(simulation)->rows, 0);
  nsds_model_destroy(model);
}

/* Who has shown that there is no solution is named, not who came nearest to one. */
static void no_solution_names_its_proof(void **state) {
  (void)state;
  enum { n = 5 };
  const nsds_block block = {.set = NSDS_SET_NONNEGATIVE, .size = n};
  double M[n * n], q[n], z[n] = {0.0}, w[n];
  for (int i = 0; i < n * n; ++i) M[i] = i % (n + 1) ? -0.1 : -1.0;
  for (int i = 0; i < n; ++i) q[i] = -1.0 - 0.1 * i;
  const nsds_problem problem = {
      .n = n, .nblock = 1, .block = &block, .M = {.storage = NSDS_DENSE, .n = n, .x = M}, .q = q};
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, NULL);
  nsds_solver_info info;
  assert_int_equal(nsds_solve(solver, &problem, z, w, &info), NSDS_ERROR_SOLVER);
  assert_int_equal(info.outcome, NSDS_NO_SOLUTION);
  assert_string_equal(info.solver, "enumeration");
  assert_non_null(strstr(info.path, "enumeration:no solution"));
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(certified_answers_pass),
      cmocka_unit_test(uncertified_answers_fail_the_step),
      cmocka_unit_test(accept_takes_what_there_is),
      cmocka_unit_test(stop_leaves_the_state),
      cmocka_unit_test(retry_with_what_helps),
      cmocka_unit_test(retries_are_limited),
      cmocka_unit_test(free_flight_does_not_ask),
      cmocka_unit_test(no_solution_names_its_proof),
  };
  return cmocka_run_group_tests_name("kernel.check_solver", tests, NULL, NULL);
}
