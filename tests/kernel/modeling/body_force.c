/*
 * Forces and moments that programs set on rigid bodies: closed forms, functions that do the same, changes
 * between steps, snapshots, and what is refused.
 */
#include "support.h"

static const double ball[9] = {0.4, 0, 0, 0, 0.4, 0, 0, 0, 0.4};
static const double brick[9] = {0.3, 0, 0, 0, 0.5, 0, 0, 0, 0.7};
enum { time_stepping, event_driven };

static nsds_simulation *start(nsds_model *m, int driver, double h) {
  nsds_simulation *s =
      driver == event_driven
          ? nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 10.0,
                                                          .output_period = h,
                                                          .relative_tolerance = 1e-12,
                                                          .absolute_tolerance = 1e-13})
          : nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 10.0, .h = h});
  assert_sound(m);
  return s;
}

static void steps(nsds_model *m, nsds_simulation *s, int n) {
  for (int k = 0; k < n; ++k) assert_ok(m, nsds_step(s));
}

static nsds_ds *body(nsds_model *m, const double *J) {
  return nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 2.0,
                                                   .inertia = J,
                                                   .gravity = {0.0, 0.0, -9.81},
                                                   .v0 = (double[]){1.0, 0.0, 0.0, 0.0, 0.0, 0.0}});
}

/* x = v t + (F / m + g) t^2 / 2 */
static void a_parabola(void **state) {
  (void)state;
  for (int driver = 0; driver < 2; ++driver) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *space = body(m, ball), *thick = body(m, brick);
    nsds_ds *plane = nsds_rigid_body_2d(
        m, &(nsds_rigid_body_2d_def){
               .mass = 2.0, .inertia = 0.3, .gravity = {0.0, -9.81}, .v0 = (double[]){1, 0, 0}});
    nsds_simulation *s = start(m, driver, 0.01);
    const double F[] = {0.5, -3.0, 4.0}, n = 0.6;
    assert_ok(m, nsds_set_body_force(space, F, NULL, NSDS_FRAME_WORLD));
    assert_ok(m, nsds_set_body_force(thick, F, NULL, NSDS_FRAME_WORLD));
    assert_ok(m, nsds_set_body_force(plane, F, &n, NSDS_FRAME_WORLD));
    steps(m, s, 100);
    double t = nsds_time(s);
    for (int k = 0; k < 3; ++k) {
      double x = (k == 0) * t + 0.5 * (F[k] / 2.0 - (k == 2) * 9.81) * t * t;
      assert_near(nsds_q(space)[k], x, 1e-12);
      assert_near(nsds_q(thick)[k], x, 1e-12);
    }
    assert_near(nsds_q(plane)[0], t + 0.25 * F[0] * t * t, 1e-12);
    assert_near(nsds_q(plane)[1], 0.5 * (F[1] / 2.0 - 9.81) * t * t, 1e-12);
    assert_near(nsds_q(plane)[2], 0.5 * n / 0.3 * t * t, 1e-12);
    nsds_model_destroy(m);
  }
}

/* About a principal axis at rest in both frames the angle is n t^2 / (2 J). */
static void a_constant_moment(void **state) {
  (void)state;
  for (int driver = 0; driver < 2; ++driver)
    for (int frame = 0; frame < 2; ++frame) {
      nsds_model *m = nsds_model_create(NULL);
      nsds_ds *ds[] = {body(m, ball), body(m, brick)};
      const double n[] = {0.0, 0.0, 0.8}, J[] = {0.4, 0.7};
      for (int k = 0; k < 2; ++k)
        assert_ok(m, nsds_set_body_force(ds[k], NULL, n, (nsds_frame)frame));
      nsds_simulation *s = start(m, driver, 0.01);
      steps(m, s, 150);
      double t = nsds_time(s);
      for (int k = 0; k < 2; ++k) {
        double angle = 0.5 * n[2] / J[k] * t * t;
        assert_near(nsds_v(ds[k])[5], n[2] / J[k] * t, 1e-11);
        assert_near(nsds_q(ds[k])[3], cos(0.5 * angle), 1e-11);
        assert_near(nsds_q(ds[k])[6], sin(0.5 * angle), 1e-11);
      }
      nsds_model_destroy(m);
    }
}

static const double thrust[] = {1.5, -0.4, 2.0}, twist[] = {0.2, -0.3, 0.4};

static int thrust_fn(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  memcpy(out, thrust, sizeof thrust);
  return 0;
}

static int twist_fn(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  memcpy(out, twist, sizeof twist);
  return 0;
}

/* The functions of a definition give the same as what was set. */
static void as_functions_do(void **state) {
  (void)state;
  for (int driver = 0; driver < 2; ++driver)
    for (int kind = 0; kind < 4; ++kind) {
      nsds_model *m = nsds_model_create(NULL);
      bool in_body = kind % 2;
      const double *J = kind / 2 ? ball : brick;
      const double v0[] = {0.1, 0.2, 0.3, 1.0, -2.0, 0.5};
      nsds_ds *set =
          nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.5, .inertia = J, .v0 = v0});
      nsds_ds *of = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.5,
                                                              .inertia = J,
                                                              .v0 = v0,
                                                              .force.fn = thrust_fn,
                                                              .force.jac_q_fn = nsds_zero,
                                                              .force.jac_v_fn = nsds_zero,
                                                              .moment.fn = twist_fn,
                                                              .moment.jac_q_fn = nsds_zero,
                                                              .moment.jac_v_fn = nsds_zero,
                                                              .force.in_body = in_body,
                                                              .moment.in_world = !in_body});
      nsds_simulation *s = start(m, driver, 0.01);
      assert_ok(
          m, nsds_set_body_force(set, thrust, twist, in_body ? NSDS_FRAME_BODY : NSDS_FRAME_WORLD));
      steps(m, s, 100);
      double tolerance = driver == event_driven ? 1e-9 : 1e-13;
      for (int k = 0; k < 7; ++k) assert_near(nsds_q(set)[k], nsds_q(of)[k], tolerance);
      for (int k = 0; k < 6; ++k) assert_near(nsds_v(set)[k], nsds_v(of)[k], tolerance);
      nsds_model_destroy(m);
    }
}

/* F = R f in the plane, as internal forces of a Lagrangian system. */
static int minus_thrust(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double c = cos(in->q[2]), s = sin(in->q[2]);
  out[0] = -(c * thrust[0] - s * thrust[1]);
  out[1] = -(s * thrust[0] + c * thrust[1]);
  out[2] = -0.7;
  return 0;
}

static int minus_thrust_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double c = cos(in->q[2]), s = sin(in->q[2]);
  out[6] = s * thrust[0] + c * thrust[1];
  out[7] = -(c * thrust[0] - s * thrust[1]);
  return 0;
}

static void a_force_that_turns_in_the_plane(void **state) {
  (void)state;
  for (int driver = 0; driver < 2; ++driver) {
    nsds_model *m = nsds_model_create(NULL);
    const double n = 0.7;
    nsds_ds *set = nsds_rigid_body_2d(m, &(nsds_rigid_body_2d_def){.mass = 1.5, .inertia = 0.5});
    nsds_ds *of = nsds_lagrangian(
        m, &(nsds_lagrangian_def){.ndof = 3,
                                  .mass = (double[]){1.5, 0, 0, 0, 1.5, 0, 0, 0, 0.5},
                                  .fint.fn = minus_thrust,
                                  .fint.jac_q_fn = minus_thrust_q,
                                  .fint.jac_v_fn = nsds_zero});
    nsds_simulation *s = start(m, driver, 0.01);
    assert_ok(m, nsds_set_body_force(set, thrust, &n, NSDS_FRAME_BODY));
    steps(m, s, 150);
    double tolerance = driver == event_driven ? 1e-9 : 1e-12;
    for (int k = 0; k < 3; ++k) assert_near(nsds_q(set)[k], nsds_q(of)[k], tolerance);
    assert_ok(m, nsds_set_body_force(set, NULL, NULL, NSDS_FRAME_WORLD));
    double v = nsds_v(set)[0];
    steps(m, s, 10);
    assert_near(nsds_v(set)[0], v, 1e-14);
    nsds_model_destroy(m);
  }
}

/* Momentum is the sum of F h; a joint with projection goes through changes of the shapes of M. */
static void changes_between_steps(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *free = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 2.0, .inertia = ball});
  nsds_ds *held = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 2.0, .inertia = ball});
  nsds_relation *pin = nsds_joint(
      m, &(nsds_joint_def){.kind = NSDS_JOINT_BALL, .ds = {held}, .point = {0.0, 0.0, 1.0}});
  assert_non_null(nsds_connect(m, pin, nsds_equality(m), 1, &held));
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){
             .t1 = 10.0, .h = 0.01, .projection.kind = NSDS_PROJECTION_COMBINED});
  double momentum = 0.0;
  for (int k = 0; k < 60; ++k) {
    const double F[] = {k % 7 - 3.0, 0.0, 0.0};
    bool in_body = k % 3 == 1;
    assert_ok(m, nsds_set_body_force(free, F, NULL, NSDS_FRAME_WORLD));
    assert_ok(m, nsds_set_body_force(held, F, k % 5 ? F : NULL,
                                     in_body ? NSDS_FRAME_BODY : NSDS_FRAME_WORLD));
    if (k % 11 == 0) assert_ok(m, nsds_set_body_force(held, NULL, NULL, NSDS_FRAME_BODY));
    assert_ok(m, nsds_step(s));
    momentum += 0.01 * F[0];
    assert_near(2.0 * nsds_v(free)[0], momentum, 1e-13);
  }
  nsds_model_destroy(m);
}

static nsds_ds *laden(nsds_model *m, bool with) {
  nsds_ds *ds = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.5, .inertia = brick});
  if (with) assert_ok(m, nsds_set_body_force(ds, thrust, twist, NSDS_FRAME_BODY));
  return ds;
}

static void snapshots_have_them(void **state) {
  (void)state;
  for (int driver = 0; driver < 2; ++driver) {
    nsds_model *m = nsds_model_create(NULL), *again = nsds_model_create(NULL);
    nsds_ds *ds = laden(m, true), *other = laden(again, false);
    nsds_simulation *s = start(m, driver, 0.01), *of = start(again, driver, 0.01);
    steps(m, s, 20);
    assert_ok(m, nsds_snapshot_save(s, "body_force.nsds"));
    assert_ok(again, nsds_snapshot_load(of, "body_force.nsds"));
    steps(m, s, 30);
    steps(again, of, 30);
    double tolerance = driver == event_driven ? 1e-9 : 0.0;
    for (int k = 0; k < 7; ++k) assert_near(nsds_q(other)[k], nsds_q(ds)[k], tolerance);
    nsds_model_destroy(m);
    nsds_model_destroy(again);
  }
}

static void what_is_refused(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = body(m, ball);
  nsds_ds *other =
      nsds_lagrangian_linear(m, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){1.0}});
  assert_status(m, nsds_set_body_force(other, thrust, NULL, NSDS_FRAME_WORLD), NSDS_ERROR_ARGUMENT);
  nsds_error_clear(nsds_model_context(m));
  assert_status(m, nsds_set_body_force(ds, thrust, NULL, (nsds_frame)2), NSDS_ERROR_VALUE);
  nsds_error_clear(nsds_model_context(m));
  assert_status(m, nsds_set_body_force(ds, (double[]){1.0, NAN, 0.0}, NULL, NSDS_FRAME_WORLD),
                NSDS_ERROR_VALUE);
  nsds_error_clear(nsds_model_context(m));
  assert_status(m, nsds_set_body_force(ds, NULL, (double[]){INFINITY, 0.0, 0.0}, NSDS_FRAME_WORLD),
                NSDS_ERROR_VALUE);
  nsds_error_clear(nsds_model_context(m));
  assert_int_equal(nsds_set_body_force(NULL, NULL, NULL, NSDS_FRAME_WORLD), NSDS_ERROR_ARGUMENT);
  nsds_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_parabola),
      cmocka_unit_test(a_constant_moment),
      cmocka_unit_test(as_functions_do),
      cmocka_unit_test(a_force_that_turns_in_the_plane),
      cmocka_unit_test(changes_between_steps),
      cmocka_unit_test(snapshots_have_them),
      cmocka_unit_test(what_is_refused),
  };
  return cmocka_run_group_tests_name("kernel.body_force", tests, NULL, NULL);
}
