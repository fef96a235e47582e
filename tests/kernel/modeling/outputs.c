/*
 * y and dy/dt belong to the state, also when it is changed between steps: states, parameters and
 * interactions set from outside are seen at once, without memory and without touching the step.
 */
#include "support.h"

static bool refuse;

/* y = q_0^2 + z_0, with dy/dt = 2 q_0 v_0. */
static int square(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  if (refuse) return 1;
  out[0] = in->q[0] * in->q[0] + in->z[0];
  return 0;
}

static int slope(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2.0 * in->q[0];
  return 0;
}

typedef struct scene {
  meter memory;
  nsds_context *context;
  nsds_model *model;
  nsds_ds *ball;
  nsds_relation *curve;
  nsds_interaction *floor, *bowl;
  nsds_simulation *simulation;
} scene;

static const double one[1] = {1.0}, start[1] = {5.0};

static nsds_interaction *connect_floor(scene *s, double height) {
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      s->model,
      &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = one, .b = (double[]){-height}});
  return nsds_connect(s->model, gap, nsds_newton_impact(s->model, 0.5), 1, &s->ball);
}

static void build(scene *s) {
  *s = (scene){0};
  refuse = false;
  s->context = meter_context(&s->memory);
  s->model = nsds_model_create(s->context);
  s->ball = nsds_lagrangian_linear(
      s->model, &(nsds_lagrangian_linear_def){
                    .ndof = 1, .mass = one, .q0 = start, .fext = (double[]){-9.81}});
  s->floor = connect_floor(s, 0.0);
  s->curve = nsds_lagrangian_relation(
      s->model,
      &(nsds_lagrangian_relation_def){
          .ny = 1, .nq = 1, .output_fn = square, .jac_output_q_fn = slope, .nz = 1, .z = one});
  s->bowl = nsds_connect(s->model, s->curve, nsds_newton_impact(s->model, 0.5), 1, &s->ball);
  s->simulation = nsds_time_stepping(
      s->model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.125, .max_halvings = 2});
  assert_sound(s->model);
}

static void release(scene *s) {
  nsds_model_destroy(s->model);
  nsds_context_destroy(s->context);
}

static void set(scene *s, double q, double v) {
  assert_ok(s->model, nsds_set_state(s->ball, &q, &v));
}

static void check(const scene *s, double q, double v, double z) {
  assert_near(nsds_y(s->floor)[0], q, 0.0);
  assert_near(nsds_ydot(s->floor)[0], v, 0.0);
  assert_near(nsds_ydot(s->bowl)[0], 2.0 * q * v, 1e-15 * fabs(q * v));
  assert_near(nsds_y(s->bowl)[0], q * q + z, 1e-15 * q * q);
}

static void outputs_follow_the_state_that_was_set(void **state) {
  (void)state;
  scene s;
  build(&s);
  check(&s, 5.0, 0.0, 1.0);
  set(&s, 7.0, -1.0); /* before the first step */
  check(&s, 7.0, -1.0, 1.0);
  assert_ok(s.model, nsds_step(s.simulation));
  check(&s, nsds_q(s.ball)[0], nsds_v(s.ball)[0], 1.0);
  set(&s, 3.0, 2.0);
  long calls = s.memory.calls;
  check(&s, 3.0, 2.0, 1.0);
  assert_int_equal(s.memory.calls, calls); /* no memory */
  assert_ok(s.model, nsds_relation_set_z(s.curve, 1, (double[]){-4.0}));
  assert_near(nsds_y(s.bowl)[0], 5.0, 1e-14);
  nsds_interaction *ceiling = connect_floor(&s, 1.0);
  assert_near(nsds_y(ceiling)[0], 2.0, 0.0);
  check(&s, 3.0, 2.0, -4.0);
  assert_ok(s.model, nsds_disconnect(s.floor));
  assert_near(nsds_y(ceiling)[0], 2.0, 0.0);
  assert_sound(s.model);
  release(&s);
}

/* Reading y between steps changes no bit of the motion, nor does it cost the steps memory. */
static void reading_outputs_leaves_the_motion(void **state) {
  (void)state;
  scene a, b;
  build(&a);
  build(&b);
  for (int k = 0; k < 8; ++k) {
    if (k == 3) set(&a, 0.1, -2.0), set(&b, 0.1, -2.0);
    check(&a, nsds_q(a.ball)[0], nsds_v(a.ball)[0], 1.0);
    assert_ok(a.model, nsds_step(a.simulation));
    assert_ok(b.model, nsds_step(b.simulation));
    assert_near(nsds_q(a.ball)[0], nsds_q(b.ball)[0], 0.0);
    assert_near(nsds_v(a.ball)[0], nsds_v(b.ball)[0], 0.0);
  }
  release(&a);
  release(&b);
}

static void outputs_that_fail_are_nan_until_they_succeed(void **state) {
  (void)state;
  scene s;
  build(&s);
  set(&s, 2.0, 1.0);
  refuse = true;
  assert_true(isnan(nsds_y(s.bowl)[0]));
  assert_int_equal(nsds_error(s.context), NSDS_ERROR_CALLBACK);
  assert_int_equal(nsds_step(s.simulation), NSDS_ERROR_CALLBACK);
  assert_true(isnan(nsds_ydot(s.bowl)[0]));
  refuse = false;
  nsds_error_clear(s.context);
  check(&s, 2.0, 1.0, 1.0);
  assert_ok(s.model, nsds_step(s.simulation));
  release(&s);
}

/* y = x of a first-order system. */
static void outputs_follow_x(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1, .x0 = one});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = 1, .nx = 1, .C = one, .B = one});
  nsds_interaction *ia = nsds_connect(model, relation, nsds_complementarity(model), 1, &ds);
  assert_near(nsds_y(ia)[0], 0.0, 0.0); /* there is no simulation yet */
  nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1});
  assert_near(nsds_y(ia)[0], 1.0, 0.0);
  assert_ok(model, nsds_step(s));
  assert_ok(model, nsds_set_x(ds, (double[]){-3.0}));
  assert_near(nsds_y(ia)[0], -3.0, 0.0);
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(outputs_follow_the_state_that_was_set),
      cmocka_unit_test(reading_outputs_leaves_the_motion),
      cmocka_unit_test(outputs_that_fail_are_nan_until_they_succeed),
      cmocka_unit_test(outputs_follow_x),
  };
  return cmocka_run_group_tests_name("kernel.outputs", tests, NULL, NULL);
}
