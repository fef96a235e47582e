/*
 * The problem of a step that failed is there to be looked at: written to a file and solved by the
 * command `nsds solve` with the step's method it has the outcome and the residual that the step
 * reported; by a method that suits it, a solution that the step then takes.
 */
#include "scenes.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

/* What the command says of a file: outcome and residual. */
typedef struct answer {
  char outcome[64];
  double residual;
  int code;
} answer;

static answer solve_by_command(const char *file, const char *solver, int iterations) {
  char command[1024], line[2048] = "";
  const char *report = "failed_problem.json";
  snprintf(command, sizeof command, "'%s' solve --format json --solver %s --max-iter %d '%s' >%s",
           NSDS_TEST_COMMAND, solver, iterations, file, report);
  answer a = {.code = system(command) != 0, .residual = NAN};
  FILE *out = fopen(report, "r");
  assert_non_null(out);
  assert_non_null(fgets(line, sizeof line, out));
  fclose(out);
  remove(report);
  const char *outcome = strstr(line, "\"outcome\": \""), *residual = strstr(line, "\"residual\": ");
  assert_non_null(outcome);
  assert_non_null(residual);
  assert_int_equal(sscanf(outcome + 12, "%63[^\"]", a.outcome), 1);
  assert_int_equal(sscanf(residual + 12, "%lf", &a.residual), 1);
  return a;
}

/* The failed step's problem in a file says what the step said. */
static void compare(nsds_model *model, nsds_simulation *s, const char *solver, int iterations) {
  const char *file = "failed_problem.dat";
  const nsds_problem *problem = nsds_simulation_problem(s);
  const nsds_solver_info *info = &nsds_simulation_info(s)->solver;
  assert_non_null(problem);
  assert_int_equal(problem->n, nsds_simulation_info(s)->rows);
  nsds_context *context = nsds_model_context(model);
  assert_ok(model, nsds_problem_check(context, problem));

  size_t work = nsds_problem_work(problem);
  double *scratch = malloc((work + 1) * sizeof *scratch);
  nsds_certificate certificate;
  assert_non_null(scratch);
  nsds_certify(problem, nsds_simulation_solution(s), scratch, &certificate);
  assert_near(certificate.residual, info->residual, 0.0);
  free(scratch);

  assert_ok(model, nsds_problem_write(context, problem, NULL, file, NSDS_FORMAT_AUTO));
  answer a = solve_by_command(file, solver, iterations);
  print_message("             %d rows, %s: %s, residual %g\n", problem->n, solver, a.outcome,
                a.residual);
  /* in a step the ray of a method stays a ray; a solve by itself looks for its proof */
  bool proved = (info->outcome == NSDS_NO_SOLUTION && strcmp(a.outcome, "no solution") != 0) ||
                info->outcome == NSDS_RAY;
  assert_string_equal(a.outcome, proved ? "proved unsolvable" : nsds_outcome_text(info->outcome));
  assert_int_equal(a.code, info->outcome != NSDS_SOLVED);
  /* the command writes some digits; products of a dense file and of factors round differently */
  assert_near(a.residual, info->residual, 1e-2 * info->residual + 1e-15);
  remove(file);
}

/* One sweep is not enough for a column of beads; `beads` decides on the storage of the problem. */
static void too_few_sweeps(int beads) {
  bead_scene scene;
  nsds_model *model = nsds_model_create(NULL);
  scene_bead_column(model, &scene, beads, 0.1, 0.1 - 1e-6, 0.2 - 1e-6, 0.0);
  nsds_simulation *s =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-2, .solver = "nsgs"});
  assert_sound(model);
  assert_null(nsds_simulation_problem(s));
  assert_null(nsds_simulation_solution(s));
  assert_ok(model, nsds_solver_set(nsds_simulation_solver(s), "max_iterations", 1.0));
  snapshot before = snapshot_take(model);
  assert_status(model, nsds_step(s), NSDS_ERROR_SOLVER);
  snapshot_check(&before, model, "failed");
  assert_int_equal(nsds_simulation_problem(s)->n, beads);
  compare(model, s, "nsgs", 1);
  snapshot_check(&before, model, "looked at");
  snapshot_free(&before);
  nsds_error_clear(nsds_model_context(model));

  /* another method, on the problem as it is lent; the step in stages takes its answer */
  nsds_solver *solver = nsds_solver_create(nsds_model_context(model), "lemke");
  double *z = calloc(2 * (size_t)beads, sizeof *z);
  assert_non_null(z);
  assert_ok(model, nsds_solve(solver, nsds_simulation_problem(s), z, z + beads, NULL));
  for (int k = 0; k < beads; ++k) assert_near(z[k], (beads - k) * 9.81 * 1e-2, 1e-8);
  assert_ok(model, nsds_step_begin(s));
  assert_status(model, nsds_step_solve(s), NSDS_ERROR_SOLVER);
  assert_ok(model, nsds_step_take(s, z));
  assert_ok(model, nsds_step_update(s));
  assert_ok(model, nsds_step_accept(s));
  free(z);
  nsds_solver_destroy(solver);
  nsds_model_destroy(model);
}

static void a_problem_that_takes_more_sweeps(void **state) {
  (void)state;
  too_few_sweeps(6);
  too_few_sweeps(60);
}

static int driven(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = -1.0;
  return 0;
}

/* A body that is driven into the floor has no solution: 0 P - 1 >= 0. */
static void a_problem_without_solution(void **state) {
  (void)state;
  static const char *const name[] = {"auto", "lemke", "nsgs", "enumeration"};
  for (size_t k = 0; k < sizeof name / sizeof *name; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds =
        nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                    .mass = (double[]){1.0},
                                                                    .q0 = (double[]){0.05},
                                                                    .prescribed.n = 1,
                                                                    .prescribed.index = (int[]){0},
                                                                    .prescribed.fn = driven});
    nsds_relation *floor = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
    nsds_connect(model, floor, nsds_newton_impact(model, 0.0), 1, &ds);
    nsds_simulation *s = nsds_time_stepping(
        model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-2, .solver = name[k]});
    assert_sound(model);
    assert_ok(model, nsds_solver_set(nsds_simulation_solver(s), "max_iterations", 100.0));
    nsds_status status;
    while ((status = nsds_step(s)) == NSDS_OK) assert_int_equal(nsds_simulation_problem(s)->n, 0);
    assert_status(model, status, NSDS_ERROR_SOLVER);
    assert_near(nsds_time(s), 0.06, 0.011);
    compare(model, s, name[k], 100);
    /* and again, and once the cause is removed the simulation goes on */
    nsds_error_clear(nsds_model_context(model));
    assert_status(model, nsds_step(s), NSDS_ERROR_SOLVER);
    assert_ok(model, nsds_set_state(ds, (double[]){1.0}, NULL));
    assert_ok(model, nsds_step(s));
    assert_int_equal(nsds_simulation_problem(s)->n, 0);
    nsds_model_destroy(model);
  }
}

/* Both problems of a step that is cut into halves: what is lent is the last one. */
static void after_halving(void **state) {
  (void)state;
  bead_scene scene;
  nsds_model *model = nsds_model_create(NULL);
  scene_bead_column(model, &scene, 5, 0.1, 0.1 - 1e-6, 0.2 - 1e-6, 0.0);
  nsds_simulation *s = nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-2, .solver = "nsgs", .max_halvings = 2});
  assert_ok(model, nsds_solver_set(nsds_simulation_solver(s), "max_iterations", 1.0));
  assert_status(model, nsds_step(s), NSDS_ERROR_SOLVER);
  compare(model, s, "nsgs", 1);
  nsds_model_destroy(model);
}

static int fails_later(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 0.0;
  return in->t > 0.025;
}

/* A step that fails before it has a problem lends none: that of the step before is gone. */
static void no_problem_is_lent_where_none_was_formed(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  const double one = 1.0;
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &one, .fext_fn = fails_later});
  nsds_relation *floor = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = &one});
  nsds_connect(model, floor, nsds_newton_impact(model, 0.0), 1, &ds);
  nsds_simulation *s = run(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-2}, 2);
  assert_int_equal(nsds_simulation_problem(s)->n, 1);
  assert_status(model, nsds_step(s), NSDS_ERROR_CALLBACK);
  assert_null(nsds_simulation_problem(s));
  assert_null(nsds_simulation_solution(s));
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_problem_that_takes_more_sweeps),
      cmocka_unit_test(a_problem_without_solution),
      cmocka_unit_test(after_halving),
      cmocka_unit_test(no_problem_is_lent_where_none_was_formed),
  };
  return cmocka_run_group_tests_name("kernel.failed_problem", tests, NULL, NULL);
}
