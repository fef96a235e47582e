/*
 * Reference trajectory of a nonlinear system: a pendulum attached to a slider between two walls.
 * The table was computed with a Newton matrix that is not the Jacobian; with the exact one, used
 * here, only the Newton tolerance of 1e-10 N s is left. The card gives the differences that makes
 * over the run: 5.8e-9 on q, 2.7e-8 on v. The height of the slider is noise below 2.2e-10.
 */
#include "mechanisms.h"
#include "support.h"

static void pendulum_slider(void **state) {
  (void)state;
  table t = table_read("pendulum_slider");
  deviation d = {.reference = &t};
  nsds_model *model = nsds_model_create(NULL);
  slider_scene s = scene_pendulum_slider(model);
  assert_sound(model);
  nsds_simulation *simulation = nsds_time_stepping(
      model, &(nsds_time_stepping_def){
                 .t1 = 3.0,
                 .h = 1e-3,
                 .second_order = nsds_moreau_jean(0.5, 1.0),
                 .activation = nsds_activation(1.0, 1e-12),
                 .newton = {.residual = 1e-10, .increment = HUGE_VAL, .max_iterations = 200}});
  assert_sound(model);
  int impacts = 0, most_iterations = 0;
  for (int k = 1; k < t.rows; ++k) {
    assert_ok(model, nsds_step(simulation));
    deviation_note(&d, k, 0, nsds_time(simulation));
    for (int i = 0; i < 3; ++i) {
      deviation_note(&d, k, 1 + i, nsds_q(s.body)[i]);
      deviation_note(&d, k, 4 + i, nsds_v(s.body)[i]);
    }
    deviation_note(&d, k, 7, nsds_y(s.floor)[0]);
    deviation_note(&d, k, 8, nsds_y(s.right)[0]);
    deviation_note(&d, k, 9, nsds_y(s.left)[0]);
    impacts += nsds_impulse(s.left)[0] > 0.0 || nsds_impulse(s.right)[0] > 0.0;
    int iterations = nsds_simulation_info(simulation)->newton_iterations;
    if (iterations > most_iterations) most_iterations = iterations;
  }
  assert_true(impacts > 5);                                  /* the walls are hit */
  assert_true(most_iterations >= 2 && most_iterations <= 4); /* quadratic convergence */
  deviation_check(&d, "slider: t", 0, 0, 1, 1e-14);
  deviation_check(&d, "slider: q1, q3", 1, 3, 2, 5.9e-9);
  deviation_check(&d, "slider: v1, v3", 4, 6, 2, 2.8e-8);
  deviation_check(&d, "slider: q2 (noise)", 2, 2, 1, 1e-9);
  deviation_check(&d, "slider: v2 (noise)", 5, 5, 1, 1e-9);
  deviation_check(&d, "slider: gap of the floor", 7, 7, 1, 1e-9);
  deviation_check(&d, "slider: gaps of the walls", 8, 9, 1, 5.9e-9);
  nsds_model_destroy(model);
  table_free(&t);
}

/* The Jacobians above are the right ones. */
static void jacobians_are_exact(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  slider_scene s = scene_pendulum_slider(model);
  assert_sound(model);
  nsds_jacobian_report report;
  assert_ok(model, nsds_set_state(s.body, (double[]){0.1, 0.2, 0.7}, (double[]){1.0, -1.0, 2.0}));
  assert_ok(model, nsds_check_jacobians(model, 0.0, 0.0, &report));
  assert_int_equal(report.checked, 4);
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jacobians_are_exact),
      cmocka_unit_test(pendulum_slider),
  };
  return cmocka_run_group_tests_name("kernel.reference_pendulum", tests, NULL, NULL);
}
