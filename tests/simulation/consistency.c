/*
 * Inconsistent algebraic starts: a resistive node 0 = x_0 - 2 x_1 started off its value, and an
 * equality law started off zero. Refused where the scheme would carry the violation on, otherwise
 * a warning, and the first step restores the equation. A refused model can be mended and run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <nsds/nsds.h>

#include <math.h>
#include <string.h>

static int warnings;

static void count(nsds_log_level level, const char *message, void *user) {
  (void)user;
  warnings += level == NSDS_LOG_WARNING && strstr(message, "initial state violates") != NULL;
}

static nsds_ds *node(nsds_model *model, double x1) {
  return nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.name = "node",
                                            .n = 2,
                                            .x0 = (double[]){1.0, x1},
                                            .mass = (double[]){1.0, 0.0, 0.0, 0.0},
                                            .A = (double[]){-1.0, 1.0, 0.0, -2.0}});
}

static void algebraic_row(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(&(nsds_context_def){.log = count});
  nsds_model *model = nsds_model_create(context);
  nsds_ds *ds = node(model, 3.0);
  nsds_time_stepping_def def = {.t1 = 1.0, .h = 0.01, .first_order = nsds_euler_moreau(0.5)};
  assert_null(nsds_time_stepping(model, &def));
  assert_int_equal(nsds_error(context), NSDS_ERROR_VALUE);
  assert_non_null(strstr(nsds_error_message(context), "system 'node'"));
  assert_non_null(strstr(nsds_error_message(context), "algebraic equation 1"));
  nsds_error_clear(context);

  warnings = 0;
  def.first_order = nsds_euler_moreau(1.0);
  nsds_simulation *damped = nsds_time_stepping(model, &def);
  assert_non_null(damped);
  assert_int_equal(warnings, 1);
  assert_int_equal(nsds_step(damped), NSDS_OK);
  assert_true(fabs(nsds_x(ds)[0] - 2.0 * nsds_x(ds)[1]) < 1e-14);
  nsds_simulation_destroy(damped);

  def.first_order = nsds_euler_moreau(0.5); /* the state is consistent now */
  nsds_simulation *simulation = nsds_time_stepping(model, &def);
  assert_non_null(simulation);
  assert_int_equal(nsds_run(simulation), NSDS_END);
  assert_true(fabs(nsds_x(ds)[0] - 2.0 * nsds_x(ds)[1]) < 1e-13);
  assert_int_equal(nsds_error(context), NSDS_OK);
  nsds_model_destroy(model);
  nsds_context_destroy(context);
}

/* dx/dt = lambda, y = x - 1 = 0, started at `x0`. */
static nsds_simulation *held(nsds_model *model, double x0, double gamma) {
  nsds_ds *ds =
      nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1, .x0 = (double[]){x0}});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.name = "hold",
                                                     .ny = 1,
                                                     .nx = 1,
                                                     .C = (double[]){1.0},
                                                     .e = (double[]){-1.0},
                                                     .B = (double[]){1.0}});
  nsds_connect(model, relation, nsds_equality(model), 1, &ds);
  return nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1, .first_order = nsds_theta_gamma(0.5, gamma)});
}

static void equality_law(void **state) {
  (void)state;
  const double start[] = {1.0, 2.0, 2.0}, gamma[] = {0.6, 0.6, 1.0};
  const bool accepted[] = {true, false, true};
  for (int k = 0; k < 3; ++k) {
    nsds_context *context = nsds_context_create(&(nsds_context_def){.log = count});
    nsds_model *model = nsds_model_create(context);
    warnings = 0;
    nsds_simulation *simulation = held(model, start[k], gamma[k]);
    assert_int_equal(simulation != NULL, accepted[k]);
    assert_int_equal(warnings, k == 2);
    if (!accepted[k]) assert_non_null(strstr(nsds_error_message(context), "relation 'hold'"));
    if (simulation) assert_int_equal(nsds_run(simulation), NSDS_END);
    nsds_model_destroy(model);
    nsds_context_destroy(context);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(algebraic_row),
                                     cmocka_unit_test(equality_law)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
