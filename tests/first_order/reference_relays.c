/*
 * Reference trajectories of systems with relays; allowances as in reference_circuits.c.
 */
#include "smc.h"
#include "support.h"
#include "switching.h"

static void relay_simple(void **state) {
  (void)state;
  table t = table_read("relay_simple");
  deviation d = {.reference = &t};
  nsds_model *model = nsds_model_create(NULL);
  relay_scene s = scene_relay_simple(model, 1.0, -1.0);
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3});
  assert_sound(model);
  for (int k = 0; k < t.rows; ++k) {
    if (k > 0) assert_ok(model, nsds_step(simulation));
    deviation_note(&d, k, 0, nsds_time(simulation));
    for (int i = 0; i < 2; ++i) {
      deviation_note(&d, k, 1 + i, nsds_x(s.system)[i]);
      deviation_note(&d, k, 3 + i, nsds_lambda(s.relay)[i]);
      deviation_note(&d, k, 5 + i, nsds_y(s.relay)[i]);
    }
  }
  deviation_check(&d, "simple relay: t", 0, 0, 1, 1e-14);
  deviation_check(&d, "simple relay: x, y", 1, 2, 1, 5e-15);
  deviation_check(&d, "simple relay: y", 5, 6, 1, 5e-15);
  deviation_check(&d, "simple relay: lambda", 3, 4, 1, 2.2e-12); /* rounding divided by h */
  nsds_model_destroy(model);
  table_free(&t);
}

static void relay_oscillator_sliding(void **state) {
  (void)state;
  table t = table_read("relay_oscillator_sliding");
  deviation d = {.reference = &t};
  nsds_model *model = nsds_model_create(NULL);
  relay_scene s = scene_relay_oscillator(model);
  nsds_simulation *simulation = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){.t1 = 100.0, .h = 1e-2, .first_order = nsds_euler_moreau(0.5)});
  assert_sound(model);
  for (int k = 0; k < t.rows; ++k) {
    if (k > 0) assert_ok(model, nsds_step(simulation));
    deviation_note(&d, k, 0, nsds_time(simulation));
    for (int i = 0; i < 3; ++i) deviation_note(&d, k, 1 + i, nsds_x(s.system)[i]);
    deviation_note(&d, k, 4, nsds_lambda(s.relay)[0]);
    deviation_note(&d, k, 5, nsds_y(s.relay)[0]);
  }
  /* unstable focus: rounding grows between the sliding phases, the card's own figures */
  deviation_check(&d, "relay oscillator: x", 1, 3, 1, 1e-10);
  deviation_check(&d, "relay oscillator: y", 5, 5, 1, 1e-10);
  deviation_check(&d, "relay oscillator: lambda", 4, 4, 1, 1e-9);
  nsds_model_destroy(model);
  table_free(&t);
}

/*
 * The controller's relay is a model of its own, stepped by the sampler. The table adds -h s and 2 h
 * u to x_2 one after the other; here b = -s + 2 u is one term. Until x_2 arrives at zero, 5000
 * steps at |x_2| <= 1 may differ by a rounding of 1.1e-16 each; u is x_2 divided by 2 * 0.01.
 */
static void smc_implicit(void **state) {
  (void)state;
  table t = table_read("smc_implicit");
  deviation d = {.reference = &t};
  nsds_model *model = nsds_model_create(NULL);
  smc_scene s = {0};
  scene_smc(model, &s, 1e-4, 1.0, 1e-2, smc_implicit_control);
  assert_sound(model);
  for (int k = 0; k < t.rows; ++k) {
    if (k > 0) assert_ok(model, nsds_step(s.simulation));
    deviation_note(&d, k, 0, nsds_time(s.simulation));
    deviation_note(&d, k, 1, nsds_x(s.plant)[0]);
    deviation_note(&d, k, 2, nsds_x(s.plant)[1]);
    deviation_note(&d, k, 3, nsds_ds_z(s.plant)[0]);
  }
  deviation_check(&d, "implicit SMC: t", 0, 0, 1, 1e-14);
  deviation_check(&d, "implicit SMC: x_1", 1, 1, 1, 4.5e-15);
  deviation_check(&d, "implicit SMC: x_2", 2, 2, 1, 5.5e-13);
  deviation_check(&d, "implicit SMC: u", 3, 3, 1, 2.8e-11);
  smc_free(&s);
  nsds_model_destroy(model);
  table_free(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(relay_simple),
      cmocka_unit_test(relay_oscillator_sliding),
      cmocka_unit_test(smc_implicit),
  };
  return cmocka_run_group_tests_name("first_order.reference_relays", tests, NULL, NULL);
}
