/*
 * Both problems of an event can be read and written: that in impulses also when one in forces has come
 * after it.
 */
#include "support.h"

#include <nsds/io.h>

#include <stdio.h>

static const double g = 9.81, mass = 2.0;

static nsds_ds *add_ball(nsds_model *model, double height, double e) {
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .ndof = 1, .q0 = &height, .mass = &mass, .fext = (double[]){-mass * g}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_connect(model, gap, nsds_newton_impact(model, e), 1, &ds);
  return ds;
}

static void check_written(nsds_context *context, const nsds_problem *problem) {
  const char *path = "impact_problem.nsds";
  assert_int_equal(nsds_problem_write(context, problem, NULL, path, NSDS_FORMAT_AUTO), NSDS_OK);
  nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
  if (!file) fail_msg("%s", nsds_error_message(context));
  assert_int_equal(nsds_problem_file_problem(file)->n, problem->n);
  assert_true(nsds_problem_file_problem(file)->q[0] == problem->q[0]);
  nsds_problem_file_destroy(file);
  remove(path);
}

/* A ball that stays where it lands: impulse m v, then the force m g. */
static void an_impact_keeps_its_problem_behind_forces(void **state) {
  (void)state;
  for (int k = 1; k <= 40; ++k) {
    double height = 0.05 * k, v = sqrt(2.0 * g * height);
    nsds_model *model = nsds_model_create(NULL);
    nsds_context *context = nsds_model_context(model);
    add_ball(model, height, 0.0);
    nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 10.0});
    assert_null(nsds_event_impact_problem(s));
    assert_null(nsds_event_impact_solution(s));
    assert_ok(model, nsds_step(s));
    const nsds_problem *impact = nsds_event_impact_problem(s), *last = nsds_simulation_problem(s);
    assert_non_null(impact);
    assert_non_null(last);
    assert_true(impact != last);
    assert_near(nsds_event_impact_solution(s)[0], mass * v, 1e-8 * v);
    assert_near(impact->q[0], -v, 1e-8 * v);
    assert_near(impact->M.x[0], 1.0 / mass, 1e-14);
    assert_near(nsds_simulation_solution(s)[0], mass * g, 1e-8);
    check_written(context, impact);
    check_written(context, last);
    nsds_model_destroy(model);
  }
}

/* A ball that bounces has one problem; output times and time stepping have none. */
static void events_without_an_impact_have_no_problem_of_one(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  add_ball(model, 1.0, 0.5);
  nsds_simulation *s =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 10.0, .output_period = 0.1});
  while (nsds_step(s) == NSDS_OK && !(nsds_simulation_event(s)->kind & NSDS_EVENT_IMPACT)) {
    assert_null(nsds_event_impact_problem(s));
  }
  assert_non_null(nsds_event_impact_problem(s));
  assert_non_null(nsds_simulation_problem(s));
  nsds_model_destroy(model);
  model = nsds_model_create(NULL);
  add_ball(model, 0.0, 0.5);
  s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.01});
  assert_ok(model, nsds_step(s));
  assert_null(nsds_event_impact_problem(s));
  assert_null(nsds_event_impact_problem(NULL));
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_impact_keeps_its_problem_behind_forces),
      cmocka_unit_test(events_without_an_impact_have_no_problem_of_one),
  };
  return cmocka_run_group_tests_name("event_driven.impact_problem", tests, NULL, NULL);
}
