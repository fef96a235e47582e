/*
 * Jointed bodies in contact, whose joints the solver eliminates: a gripper holds a box by friction
 * without creep, certified in every step, and legs that fall on the ground move as they do where the joints stay in
 * the problem.
 */
#include "support.h"

static const double none[3] = {0};

static int pushed(const nsds_arguments *in, double *f, void *user) {
  (void)user;
  memcpy(f, in->z, 3 * sizeof *f);
  return 0;
}

static nsds_ds *box_body(nsds_model *model, double mass, const double *half, const double *at,
                         const double *force) {
  double J[9] = {0}, q0[7] = {at[0], at[1], at[2], 1, 0, 0, 0};
  for (int k = 0; k < 3; ++k) {
    double a = half[(k + 1) % 3], b = half[(k + 2) % 3];
    J[4 * k] = mass * (a * a + b * b) / 3.0;
  }
  return nsds_rigid_body(model, &(nsds_rigid_body_def){.mass = mass,
                                                       .inertia = J,
                                                       .q0 = q0,
                                                       .gravity = {0, 0, -9.81},
                                                       .force.fn = pushed,
                                                       .force.jac_q_fn = nsds_zero,
                                                       .force.jac_v_fn = nsds_zero,
                                                       .nz = 3,
                                                       .z = force});
}

static void join(nsds_model *model, nsds_joint_kind kind, nsds_ds *one, nsds_ds *other,
                 const double *point, const double *axis) {
  nsds_joint_def def = {.kind = kind, .ds = {one, other}};
  memcpy(def.point, point, sizeof def.point);
  memcpy(def.axis, axis, sizeof def.axis);
  nsds_connect(model, nsds_joint(model, &def), nsds_equality(model), other ? 2 : 1, def.ds);
}

/* ---- a gripper ---- */

/* Two fingers press on a box, which stays where it is. */
static void hold_box(double t1, nsds_coordinates coordinates) {
  static const double half[] = {0.02, 0.02, 0.02}, finger[] = {0.01, 0.015, 0.03};
  const double centre[] = {0, 0, 1}, x[] = {1, 0, 0};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *box = box_body(model, 0.5, half, centre, none);
  nsds_shape_def shape[3] = {{.kind = NSDS_BOX, .ds = box, .half = {0.02, 0.02, 0.02}}};
  for (int k = 0; k < 2; ++k) {
    double side = k ? 1.0 : -1.0, at[] = {side * 0.03, 0, 1}, force[] = {-side * 10.0, 0, 0};
    nsds_ds *body = box_body(model, 0.2, finger, at, force);
    join(model, NSDS_JOINT_PRISMATIC, body, NULL, at, x);
    shape[1 + k] = (nsds_shape_def){.kind = NSDS_BOX, .ds = body, .half = {0.01, 0.015, 0.03}};
  }
  nsds_shapes(model, &(nsds_shapes_def){.nmaterial = 1,
                                        .material = &(nsds_material){.mu = 0.6},
                                        .nshape = 3,
                                        .shape = shape});
  nsds_simulation *s = nsds_time_stepping(
      model, &(nsds_time_stepping_def){
                 .t1 = t1, .h = 2e-3, .tolerance = 1e-10, .coordinates = coordinates});
  nsds_status status;
  while ((status = nsds_step(s)) == NSDS_OK) {
    const nsds_step_info *info = nsds_simulation_info(s);
    assert_true(info->solver.residual <= 1e-10);
    for (int k = 0; k < 3; ++k) assert_near(nsds_v(box)[k], 0.0, 1e-7);
  }
  assert_int_equal(status, NSDS_END);
  for (int k = 0; k < 3; ++k) assert_near(nsds_q(box)[k], centre[k], 1e-7 * fmax(1.0, t1 / 6.0));
  nsds_model_destroy(model);
}

static void gripper_holds(void **state) {
  (void)state;
  hold_box(1.0, NSDS_COORDINATES_MAXIMAL);
  hold_box(1.0, NSDS_COORDINATES_JOINT);
}

/* A box in free fall would go 17 km; it slips at most 1e-6 m. */
static void gripper_holds_for_a_minute(void **state) {
  (void)state;
  double t1 = 60.0 * test_long / 100000.0; /* less under sanitizers */
  hold_box(t1, NSDS_COORDINATES_MAXIMAL);
  hold_box(t1, NSDS_COORDINATES_JOINT);
}

/* ---- legs ---- */

/* A trunk on two legs of two hinges each falls on its feet; q of all bodies at the end. */
static int drop_legs(double presolve, double *q) {
  static const double trunk[] = {0.2, 0.1, 0.05}, link[] = {0.02, 0.02, 0.1};
  static const double y[] = {0, 1, 0};
  nsds_model *model = nsds_model_create(NULL);
  const double centre[] = {0, 0, 0.5};
  nsds_ds *body = box_body(model, 5.0, trunk, centre, none);
  nsds_shape_def shape[3] = {{.kind = NSDS_HALF_SPACE, .plane = {{0, 0, 1}, 0}}};
  for (int k = 0; k < 2; ++k) {
    double side = k ? 0.1 : -0.1, upper[] = {side, side, 0.4}, lower[] = {side, side, 0.2};
    double hip[] = {side, side, 0.5}, knee[] = {side, side, 0.3};
    nsds_ds *thigh = box_body(model, 0.5, link, upper, none);
    nsds_ds *shank = box_body(model, 0.3, link, lower, none);
    join(model, NSDS_JOINT_HINGE, thigh, body, hip, y);
    join(model, NSDS_JOINT_HINGE, shank, thigh, knee, y);
    shape[1 + k] = (nsds_shape_def){
        .kind = NSDS_SPHERE, .ds = shank, .radius = 0.02, .position = {0.01, 0, -0.1}};
  }
  nsds_shapes(model, &(nsds_shapes_def){.nmaterial = 1,
                                        .material = &(nsds_material){.mu = 0.5},
                                        .nshape = 3,
                                        .shape = shape});
  nsds_simulation *s = nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = 0.3, .h = 1e-3, .tolerance = 1e-12});
  assert_ok(model, nsds_solver_set(nsds_simulation_solver(s), "presolve", presolve));
  nsds_status status;
  while ((status = nsds_step(s)) == NSDS_OK)
    ;
  assert_int_equal(status, NSDS_END);
  int n = 0;
  for (int k = 0; k < nsds_ds_count(model); ++k)
    for (int i = 0; i < nsds_nq(nsds_ds_at(model, k)); ++i)
      q[n++] = nsds_q(nsds_ds_at(model, k))[i];
  nsds_model_destroy(model);
  return n;
}

static void legs_fall_alike(void **state) {
  (void)state;
  double with[64], without[64];
  int n = drop_legs(1.0, with);
  assert_int_equal(drop_legs(0.0, without), n);
  for (int i = 0; i < n; ++i) assert_near(with[i], without[i], 1e-8);
  assert_true(with[2] < 0.49); /* it has bent its knees */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(gripper_holds),
                                     cmocka_unit_test(gripper_holds_for_a_minute),
                                     cmocka_unit_test(legs_fall_alike)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
