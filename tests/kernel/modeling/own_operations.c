/*
 * Operations that few types have, in types of a user's own, against closed forms: mixed relations,
 * right-hand sides that depend on dx/dt; long steps of the zero-order hold; projections measured in
 * coordinates of bodies that turn.
 */
#include "support.h"

/* ---- a motor without losses ----------------------------------------------------------------------
 * L i' = -K w, J w' = K i: i = cos(omega t), omega = K / sqrt(L J); rows y = (i - lambda_1,
 * w - lambda_2) = 0, r = -K lambda_2, F = K lambda_1.
 */
static const double K = 3.0, inductance = 0.5, inertia = 2.0;

/* K lambda and its slopes, with parts that vanish: Kx, Kq, Kv are zero all the same. */
static nsds_status motor_output(void *self, const nsds_arguments *in, double *y) {
  (void)self;
  y[0] = in->x[0] - in->lambda[0];
  y[1] = in->v[0] - in->lambda[1];
  return NSDS_OK;
}

static nsds_status put(double *out, int count, int first, double a, int second, double b) {
  for (int k = 0; k < count; ++k) out[k] = 0.0;
  if (first >= 0) out[first] = a;
  if (second >= 0) out[second] = b;
  return NSDS_OK;
}

static nsds_status motor_q(void *self, const nsds_arguments *in, double *H) {
  (void)self, (void)in;
  return put(H, 2, -1, 0.0, -1, 0.0);
}

static nsds_status motor_v(void *self, const nsds_arguments *in, double *E) {
  (void)self, (void)in;
  return put(E, 2, 1, 1.0, -1, 0.0);
}

static nsds_status motor_x(void *self, const nsds_arguments *in, double *C) {
  (void)self, (void)in;
  return put(C, 2, 0, 1.0, -1, 0.0);
}

static nsds_status motor_lambda(void *self, const nsds_arguments *in, double *D) {
  (void)self, (void)in;
  return put(D, 4, 0, -1.0, 3, -1.0);
}

static nsds_status motor_input(void *self, const nsds_arguments *in, double *r) { /* r, then F */
  (void)self;
  r[0] = -K * in->lambda[1];
  r[1] = K * in->lambda[0];
  return NSDS_OK;
}

static nsds_status motor_input_lambda(void *self, const nsds_arguments *in, double *B) {
  (void)self, (void)in;
  return put(B, 4, 1, K, 2, -K);
}

static nsds_status motor_zero(void *self, const nsds_arguments *in, double *out) {
  (void)self, (void)in;
  return put(out, 2, -1, 0.0, -1, 0.0);
}

static const nsds_relation_ops motor = {.type = "motor",
                                        .output = motor_output,
                                        .jacobian_q = motor_q,
                                        .jacobian_v = motor_v,
                                        .jacobian_x = motor_x,
                                        .jacobian_lambda = motor_lambda,
                                        .input = motor_input,
                                        .input_lambda = motor_input_lambda,
                                        .input_x = motor_zero,
                                        .input_q = motor_zero,
                                        .input_v = motor_zero};

typedef enum motor_form { built_in, built_in_with_e, own_linear, own_nonlinear } motor_form;

static nsds_relation *relation_of(nsds_model *model, motor_form form) {
  if (form == own_linear || form == own_nonlinear)
    return nsds_custom_relation(model, &(nsds_custom_relation_def){.ops = &motor,
                                                                   .ny = 2,
                                                                   .nq = 1,
                                                                   .nv = 1,
                                                                   .nx = 1,
                                                                   .mixed = true,
                                                                   .linear = form == own_linear});
  return nsds_mixed_linear_relation(
      model,
      &(nsds_mixed_linear_relation_def){.ny = 2,
                                        .nx = 1,
                                        .nq = 1,
                                        .C = (double[]){1.0, 0.0},
                                        .E = (double[]){0.0, 1.0},
                                        .D = (double[]){-1.0, 0.0, 0.0, -1.0},
                                        .e = form == built_in_with_e ? (double[]){0.0, 0.0} : NULL,
                                        .B = (double[]){0.0, -K},
                                        .L = (double[]){K, 0.0}});
}

static double current_of(motor_form form, double h) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds[2] = {
      nsds_first_order_linear(
          model,
          &(nsds_first_order_linear_def){.n = 1, .mass = &inductance, .x0 = (double[]){1.0}}),
      nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &inertia})};
  nsds_connect(model, relation_of(model, form), nsds_equality(model), 2, ds);
  nsds_simulation *s = run(model,
                           &(nsds_time_stepping_def){.t1 = 1.0,
                                                     .h = h,
                                                     .first_order = nsds_full_theta_gamma(0.5, 0.5),
                                                     .second_order = nsds_moreau_jean(0.5, 0.5)},
                           0);
  double i = nsds_x(ds[0])[0], w = nsds_v(ds[1])[0];
  assert_near(inductance * i * i + inertia * w * w, inductance, 1e-9); /* energy stays */
  nsds_simulation_destroy(s);
  nsds_model_destroy(model);
  return i;
}

/* A relation that says to be linear and has input_x, input_q and input_v went wild once. */
static void mixed_relations(void **state) {
  (void)state;
  double exact = cos(K / sqrt(inductance * inertia));
  for (int form = built_in; form <= own_nonlinear; ++form) {
    double coarse = fabs(current_of((motor_form)form, 0.02) - exact);
    double fine = fabs(current_of((motor_form)form, 0.01) - exact);
    assert_between(order_of(coarse, fine), 1.9, 2.1);
    assert_near(current_of((motor_form)form, 0.01), current_of(built_in, 0.01), 1e-9);
  }
}

/* ---- a right-hand side that depends on dx/dt -----------------------------------------------------
 * x' = -2 x - x' is x' = -x: x = exp(-t).
 */
static nsds_status lagging(void *self, const nsds_arguments *in, double *f) {
  (void)self;
  f[0] = -2.0 * in->x[0] - in->xdot[0];
  return NSDS_OK;
}

static nsds_status lagging_x(void *self, const nsds_arguments *in, double *A) {
  (void)self, (void)in;
  A[0] = -2.0;
  return NSDS_OK;
}

static nsds_status lagging_rate(void *self, const nsds_arguments *in, double *E) {
  (void)self, (void)in;
  E[0] = -1.0;
  return NSDS_OK;
}

static void rates_in_the_right_hand_side(void **state) {
  (void)state;
  static const nsds_first_order_ops ops = {
      .type = "lagging", .rhs = lagging, .jacobian = lagging_x, .rate_jacobian = lagging_rate};
  double error[2];
  for (int k = 0; k < 2; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_custom_first_order(
        model, &(nsds_custom_first_order_def){.ops = &ops,
                                              .n = 1,
                                              .x0 = (double[]){1.0},
                                              .jacobian = {.present = true},
                                              .rate_jacobian = {.present = true}});
    nsds_simulation *s = run(model,
                             &(nsds_time_stepping_def){.t1 = 1.0,
                                                       .h = 0.02 / (1 << k),
                                                       .first_order = nsds_euler_moreau(0.5),
                                                       .second_order = nsds_moreau_jean(0.5, 1.0)},
                             0);
    error[k] = fabs(nsds_x(ds)[0] - exp(-1.0));
    nsds_simulation_destroy(s);
    nsds_model_destroy(model);
  }
  assert_between(order_of(error[0], error[1]), 1.9, 2.1);
}

/* ---- zero-order hold over many time constants: exact in one step --------------------------------- */

static void long_holds(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *decay = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){
                 .n = 1, .A = (double[]){-20.0}, .b = (double[]){20.0}, .x0 = (double[]){3.0}});
  nsds_ds *turn = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){
                 .n = 2, .A = (double[]){0.0, 7.0, -7.0, 0.0}, .x0 = (double[]){1.0, 0.0}});
  nsds_simulation *s = nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = 3.0, .h = 0.5, .first_order = nsds_zero_order_hold()});
  assert_sound(model);
  for (int k = 1; k <= 6; ++k) {
    double t = 0.5 * k;
    assert_true(nsds_step(s) >= 0);
    assert_near(nsds_x(decay)[0], 1.0 + 2.0 * exp(-20.0 * t), 1e-12);
    assert_near(nsds_x(turn)[0], cos(7.0 * t), 1e-11);
    assert_near(nsds_x(turn)[1], sin(7.0 * t), 1e-11);
  }
  nsds_model_destroy(model);
}

/* ---- a projection in coordinates ------------------------------------------------------------------
 * A body on a ball joint away from its centre: what the projection moves is within its tolerance of
 * the joint, the quaternion stays of length 1, and the centre stays at its distance.
 */
static void coordinates_of_a_body(void **state) {
  (void)state;
  for (int metric = NSDS_METRIC_MASS; metric <= NSDS_METRIC_COORDINATES; ++metric) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_rigid_body(
        model, &(nsds_rigid_body_def){.mass = 2.0,
                                      .inertia = (double[]){0.5, 0, 0, 0, 0.7, 0, 0, 0, 0.9},
                                      .gravity = {0.0, 0.0, -9.81},
                                      .q0 = (double[]){0.6, 0.0, 0.8, 1.0, 0.0, 0.0, 0.0},
                                      .v0 = (double[]){0.0, 1.0, 0.0, 0.3, -0.2, 0.5}});
    nsds_relation *pivot =
        nsds_joint(model, &(nsds_joint_def){.kind = NSDS_JOINT_BALL, .ds = {ds}});
    nsds_connect(model, pivot, nsds_equality(model), 1, &ds);
    nsds_time_stepping_def def = {.t1 = 1.0, .h = 0.01};
    def.projection.kind = NSDS_PROJECTION_DIRECT;
    def.projection.metric = (nsds_metric)metric;
    nsds_simulation *s = nsds_time_stepping(model, &def);
    assert_sound(model);
    for (int k = 0; k < 100; ++k) {
      assert_true(nsds_step(s) >= 0);
      const double *q = nsds_q(ds);
      assert_near(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]), 1.0, 1e-9);
      assert_near(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6], 1.0, 1e-12);
    }
    nsds_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mixed_relations),
      cmocka_unit_test(rates_in_the_right_hand_side),
      cmocka_unit_test(long_holds),
      cmocka_unit_test(coordinates_of_a_body),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
