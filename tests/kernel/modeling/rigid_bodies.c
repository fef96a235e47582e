/*
 * Rigid bodies of the library: against the body that other tests make through the public vtable, in
 * every frame a force can be given in; Jacobians against differences along the move; the quaternion
 * over many steps (10^7 with the argument --long); bodies in the plane.
 */
#include "rigid_body.h"

#include <float.h>

static const double skew[9] = {0.3, 0.05, -0.02, 0.05, 0.5, 0.1, -0.02, 0.1, 0.4};
static const double tilted[7] = {0.1, -0.2, 0.3, 0.5, 0.5, -0.5, 0.5};
static const double whirl[6] = {0.3, -0.1, 0.2, 1.0, -2.0, 0.4};

static double quaternion_norm(const nsds_ds *ds) {
  const double *p = nsds_q(ds) + 3;
  return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
}

/* ---- the attitude stays a unit quaternion ---- */

static long many = 100000;

static void the_quaternion_stays_of_length_one(void **state) {
  (void)state;
  for (int explicit_gyroscopic = 0; explicit_gyroscopic < 2; ++explicit_gyroscopic) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = nsds_rigid_body(
        m,
        &(nsds_rigid_body_def){
            .mass = 2.0, .inertia = skew, .v0 = whirl, .explicit_gyroscopic = explicit_gyroscopic});
    /* Euler's step of the explicit term lets W grow: a small one */
    double h = explicit_gyroscopic ? 1e-6 : 1e-3, largest = 0.0;
    nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1e5, .h = h});
    assert_sound(m);
    for (long k = 0; k < many; ++k) {
      nsds_status status = nsds_step(s);
      if (status) assert_ok(m, status);
      largest = worse(largest, fabs(quaternion_norm(ds) - 1.0));
    }
    print_message("             %ld steps: norm off by %.1e\n", many, largest);
    assert_between(largest, 0.0, 4.0 * DBL_EPSILON);
    if (explicit_gyroscopic) assert_int_equal(nsds_simulation_info(s)->newton_iterations, 1);
    nsds_model_destroy(m);
  }
}

/* One that is set is taken as one in the definition: nothing of what is refused stays. */
static void a_quaternion_set_to_zero_or_far_from_unit_is_refused(void **state) {
  (void)state;
  static const double wrong[][4] = {{0, 0, 0, 0}, {3, 0, 0, 0}, {1.00001, 0, 0, 0}, {1e-200}};
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = nsds_rigid_body(
      m, &(nsds_rigid_body_def){
             .name = "top", .mass = 1.0, .inertia = skew, .q0 = tilted, .v0 = whirl});
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    double q[7] = {9.0, 9.0, 9.0};
    for (int i = 0; i < 4; ++i) q[3 + i] = wrong[k][i];
    const double rest[6] = {0};
    assert_status(m, nsds_set_state(ds, q, rest), NSDS_ERROR_VALUE);
    const char *words[] = {"nsds_set_state", "top", "quaternion q[3..6]", "norm"};
    assert_words(nsds_error_message(nsds_model_context(m)), words, 4);
    nsds_error_clear(nsds_model_context(m));
    for (int i = 0; i < 7; ++i) assert_near(nsds_q(ds)[i], tilted[i], 0.0);
    for (int i = 0; i < 6; ++i) assert_near(nsds_v(ds)[i], whirl[i], 0.0);
  }
  run(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.01}, 0);
  assert_sound(m);
  nsds_model_destroy(m);
}

/* What is read and set again is the same to the last bit. */
static void a_state_read_and_set_again_stays(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds =
      nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = skew, .v0 = whirl});
  nsds_simulation *s = run(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.01}, 1);
  for (int step = 0; step < 50; ++step) {
    double q[7], v[6];
    memcpy(q, nsds_q(ds), sizeof q);
    memcpy(v, nsds_v(ds), sizeof v);
    assert_ok(m, nsds_set_state(ds, q, v));
    assert_memory_equal(nsds_q(ds), q, sizeof q);
    assert_ok(m, nsds_step(s));
  }
  nsds_model_destroy(m);
}

static void note(nsds_log_level level, const char *message, void *user) {
  if (level == NSDS_LOG_WARNING && strstr(message, "normalised")) ++*(int *)user;
}

static void a_quaternion_nearly_of_length_one_is_normalised(void **state) {
  (void)state;
  int notices = 0;
  nsds_context *context =
      nsds_context_create(&(nsds_context_def){.log = note, .log_user = &notices});
  nsds_model *m = nsds_model_create(context);
  const double q[7] = {0, 0, 0, 0.6 + 4e-7, 0.8, 0, 0}, unit[7] = {0, 0, 0, 0.6, 0.8, 0, 0};
  nsds_ds *ds = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = skew, .q0 = q});
  assert_non_null(ds);
  assert_int_equal(notices, 1);
  assert_near(quaternion_norm(ds), 1.0, DBL_EPSILON);
  assert_non_null(
      nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = skew, .q0 = unit}));
  assert_int_equal(notices, 1);
  assert_ok(m, nsds_set_state(ds, q, NULL));
  assert_int_equal(notices, 2);
  assert_near(quaternion_norm(ds), 1.0, DBL_EPSILON);
  nsds_model_destroy(m);
  nsds_context_destroy(context);
}

/* ---- moments of inertia ---- */

static void note_no_body(nsds_log_level level, const char *message, void *user) {
  if (level == NSDS_LOG_WARNING && strstr(message, "that of no body")) ++*(int *)user;
}

/* R diag(J) R^T, R about an axis that is none of its own. */
static void turned(const double *J, double *full) {
  const double p[4] = {0.5, 0.1, -0.7, 0.5};
  for (int j = 0; j < 3; ++j) {
    double axis[3] = {j == 0, j == 1, j == 2}, q[7] = {0, 0, 0, p[0], p[1], p[2], p[3]};
    nsds_to_body(q, axis, axis);
    for (int k = 0; k < 3; ++k) axis[k] *= J[k];
    nsds_to_world(q, axis, full + 3 * j);
  }
}

/* Of a body, no principal moment exceeds the sum of the other two; a plate and a rod are limits.
 * Others are taken, with a warning, whatever the axes. */
static void inertia_of_no_body_1_1_5_is_warned_of(void **state) {
  (void)state;
  static const struct {
    double J[3];
    int warnings;
  } given[] = {{{1, 1, 5}, 1},
               {{5, 1, 1}, 1},
               {{1, 1, 2}, 0},
               {{1, 1, 2.00001}, 1},
               {{0.333333, 0.333333, 0.666667}, 0},
               {{1e-9, 1, 1}, 0},
               {{2, 3, 4}, 0},
               {{1e-140, 1e-140, 3e-140}, 1},
               {{1e140, 2e140, 2.5e140}, 0}};
  for (size_t k = 0; k < sizeof given / sizeof *given; ++k) {
    int notices = 0;
    nsds_context *context =
        nsds_context_create(&(nsds_context_def){.log = note_no_body, .log_user = &notices});
    nsds_model *m = nsds_model_create(context);
    double diagonal[9] = {[0] = given[k].J[0], [4] = given[k].J[1], [8] = given[k].J[2]}, full[9];
    turned(given[k].J, full);
    assert_non_null(nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = diagonal}));
    assert_int_equal(notices, given[k].warnings);
    assert_non_null(nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = full}));
    assert_int_equal(notices, 2 * given[k].warnings);
    nsds_model_destroy(m);
    nsds_context_destroy(context);
  }
}

/* ---- loads in every frame ---- */

static rigid_body sprung = {.mass = 1.0,
                            .inertia = {0.1, 0.2, 0.3},
                            .gravity = 9.81,
                            .spring = 40.0,
                            .tied = {0.3, -0.2, 0.5},
                            .anchor = {0.3, -0.25, 1.55}};

/* The spring's force and its moment about the centre, in the world and in the body. */
typedef struct frames {
  struct {
    bool in_body;
  } force;
  struct {
    bool in_world;
  } moment;
} frames;

static void pull(const nsds_arguments *in, double *f, double *arm) {
  nsds_to_world(in->q, sprung.tied, arm);
  for (int k = 0; k < 3; ++k) f[k] = -sprung.spring * (in->q[k] + arm[k] - sprung.anchor[k]);
}

static int force_fn(const nsds_arguments *in, double *out, void *user) {
  double arm[3];
  pull(in, out, arm);
  if (((const frames *)user)->force.in_body) nsds_to_body(in->q, out, out);
  return 0;
}

static int moment_fn(const nsds_arguments *in, double *out, void *user) {
  double f[3], arm[3];
  pull(in, f, arm);
  out[0] = arm[1] * f[2] - arm[2] * f[1];
  out[1] = arm[2] * f[0] - arm[0] * f[2];
  out[2] = arm[0] * f[1] - arm[1] * f[0];
  if (!((const frames *)user)->moment.in_world) nsds_to_body(in->q, out, out);
  return 0;
}

static nsds_ds *sprung_body(nsds_model *m, frames *f, bool explicit_gyroscopic, const double *v) {
  const double *j = sprung.inertia, J[9] = {j[0], 0, 0, 0, j[1], 0, 0, 0, j[2]};
  return nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = sprung.mass,
                                                   .inertia = J,
                                                   .q0 = tilted,
                                                   .v0 = v,
                                                   .gravity = {0.0, 0.0, -sprung.gravity},
                                                   .force.fn = force_fn,
                                                   .force.jac_q_fn = nsds_differences,
                                                   .force.jac_v_fn = nsds_zero,
                                                   .moment.fn = moment_fn,
                                                   .moment.jac_q_fn = nsds_differences,
                                                   .moment.jac_v_fn = nsds_zero,
                                                   .force.in_body = f->force.in_body,
                                                   .moment.in_world = f->moment.in_world,
                                                   .explicit_gyroscopic = explicit_gyroscopic,
                                                   .user = f});
}

/* The same motion as the body made through the vtable; Newton's method is as quick as with exact
 * Jacobians, which it would not be with a term of K missing. */
static void loads_in_every_frame(void **state) {
  (void)state;
  for (int k = 0; k < 8; ++k) {
    frames f = {.force.in_body = k & 1, .moment.in_world = k & 2};
    bool explicit_gyroscopic = k & 4;
    nsds_model *m[2];
    nsds_simulation *s[2];
    nsds_ds *ds[2];
    for (int i = 0; i < 2; ++i) m[i] = nsds_model_create(NULL);
    ds[0] = rigid_body_create(m[0], &sprung, explicit_gyroscopic, tilted, whirl);
    ds[1] = sprung_body(m[1], &f, explicit_gyroscopic, whirl);
    for (int i = 0; i < 2; ++i) {
      s[i] = nsds_time_stepping(m[i], &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-2});
      assert_sound(m[i]);
    }
    int most = 0;
    while (nsds_step(s[0]) == NSDS_OK) {
      assert_ok(m[1], nsds_step(s[1]));
      for (int i = 0; i < 7; ++i) assert_near(nsds_q(ds[1])[i], nsds_q(ds[0])[i], 1e-9);
      for (int i = 0; i < 6; ++i) assert_near(nsds_v(ds[1])[i], nsds_v(ds[0])[i], 1e-8);
      int taken = nsds_simulation_info(s[1])->newton_iterations;
      if (taken > most) most = taken;
    }
    assert_between(most, 1, explicit_gyroscopic ? 1 : 5);
    for (int i = 0; i < 2; ++i) nsds_model_destroy(m[i]);
  }
}

/* Loads that depend on everything. */
static int drag(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  for (int k = 0; k < 3; ++k)
    out[k] = sin(in->t + k) - 0.3 * in->v[k] * in->v[(k + 1) % 6] + in->q[3 + k] * in->z[0];
  return 0;
}

static int brake(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  for (int k = 0; k < 3; ++k)
    out[k] = -in->z[0] * in->v[3 + k] * fabs(in->v[(4 + k) % 6]) + in->q[k] * in->q[6 - k];
  return 0;
}

/* K and C against differences of F along the move and in v. */
static void check_tangents(nsds_ds *ds, double tolerance) {
  nsds_ds_operators ops = nsds_ds_describe(ds);
  nsds_arguments at = nsds_ds_point(ds, 0.3, nsds_q(ds), nsds_v(ds));
  double K[36], C[36], T[42], F[2][6], q[2][7];
  assert_int_equal(ops.second->stiffness(ops.self, &at, K), NSDS_OK);
  assert_int_equal(ops.second->damping(ops.self, &at, C), NSDS_OK);
  assert_int_equal(ops.second->velocity_map(ops.self, &at, T), NSDS_OK);
  for (int j = 0; j < 12; ++j) {
    for (int side = 0; side < 2; ++side) {
      double step[6] = {0.0}, v[6];
      step[j % 6] = side ? 1e-5 : -1e-5;
      for (int k = 0; k < 6; ++k) v[k] = nsds_v(ds)[k] + (j < 6 ? 0.0 : step[k]);
      for (int k = 0; j >= 6 && k < 6; ++k) step[k] = 0.0;
      assert_int_equal(ops.second->advance(ops.self, &at, step, q[side]), NSDS_OK);
      nsds_arguments moved = nsds_ds_point(ds, 0.3, q[side], v);
      assert_int_equal(ops.second->force(ops.self, &moved, F[side]), NSDS_OK);
    }
    const double *column = j < 6 ? K + 6 * j : C + 6 * (j - 6);
    for (int k = 0; k < 6; ++k) assert_near(column[k], -(F[1][k] - F[0][k]) / 2e-5, tolerance);
    for (int k = 0; j < 6 && k < 7; ++k)
      assert_near(T[k + 7 * j], (q[1][k] - q[0][k]) / 2e-5, 1e-9);
  }
}

static void tangents_are_exact(void **state) {
  (void)state;
  for (int k = 0; k < 4; ++k) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 2.0,
                                                            .inertia = skew,
                                                            .q0 = tilted,
                                                            .v0 = whirl,
                                                            .force.fn = drag,
                                                            .force.jac_q_fn = nsds_differences,
                                                            .force.jac_v_fn = nsds_differences,
                                                            .moment.fn = brake,
                                                            .moment.jac_q_fn = nsds_differences,
                                                            .moment.jac_v_fn = nsds_differences,
                                                            .force.in_body = k & 1,
                                                            .moment.in_world = k & 2,
                                                            .nz = 1,
                                                            .z = (double[]){0.7}});
    assert_sound(m);
    check_tangents(ds, 1e-7);
    nsds_model_destroy(m);
  }
}

static int wrong_brake_v(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[3] = 1.0;
  return 0;
}

/* nsds_check_jacobians() sees what the user gave. */
static void jacobians_of_loads_are_checked(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = nsds_rigid_body(m, &(nsds_rigid_body_def){.name = "top",
                                                          .mass = 2.0,
                                                          .inertia = skew,
                                                          .v0 = whirl,
                                                          .moment.fn = brake,
                                                          .moment.jac_q_fn = nsds_differences,
                                                          .moment.jac_v_fn = wrong_brake_v,
                                                          .nz = 1,
                                                          .z = (double[]){0.7}});
  assert_non_null(ds);
  nsds_jacobian_report report;
  assert_status(m, nsds_check_jacobians(m, 0.0, 0.0, &report), NSDS_ERROR_VALUE);
  assert_int_equal(report.checked, 1);
  assert_int_equal(report.wrong, 1);
  assert_string_equal(report.jacobian, "moment.jac_v_fn");
  nsds_model_destroy(m);
}

/* ---- classes of systems ---- */

/* A sphere without functions takes one pass and the same steps as one whose gyroscopic term is in
 * W. */
static void a_sphere_takes_one_pass(void **state) {
  (void)state;
  const double ball[9] = {0.2, 0, 0, 0, 0.2, 0, 0, 0, 0.2},
               nearly[9] = {0.2, 0, 0, 0, 0.2, 0, 0, 0, 0.2 * (1.0 + 1e-15)};
  nsds_model *m[2];
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k) {
    m[k] = nsds_model_create(NULL);
    ds[k] = nsds_rigid_body(m[k], &(nsds_rigid_body_def){.mass = 2.0,
                                                         .inertia = k ? nearly : ball,
                                                         .v0 = whirl,
                                                         .gravity = {1.0, 2.0, -9.81}});
    nsds_simulation *s = run(m[k], &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.01}, 0);
    const nsds_step_info *info = nsds_simulation_info(s);
    assert_true(k == 1 || (info->newton_iterations == 1 && info->newton_residual == 0.0));
  }
  for (int i = 0; i < 7; ++i) assert_near(nsds_q(ds[1])[i], nsds_q(ds[0])[i], 1e-12);
  for (int k = 0; k < 2; ++k) nsds_model_destroy(m[k]);
}

static int turntable(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2.0 * in->t;
  return 0;
}

/* W_3 = 2 t about a principal axis: the attitude after t, and the moment 2 J_3 it needs. */
static void prescribed_spin(void **state) {
  (void)state;
  const double J[9] = {0.1, 0, 0, 0, 0.2, 0, 0, 0, 0.3};
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0,
                                                          .inertia = J,
                                                          .prescribed.n = 1,
                                                          .prescribed.index = (int[]){5},
                                                          .prescribed.fn = turntable});
  const double h = 0.01;
  run(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = h}, 0);
  assert_near(nsds_q(ds)[3], cos(0.5), 1e-12); /* the mean of a linear velocity is exact */
  assert_near(nsds_q(ds)[6], sin(0.5), 1e-12);
  assert_near(nsds_prescribed_force(ds)[5], 2.0 * 0.3, 1e-10);
  nsds_model_destroy(m);
}

/* ---- in the plane ---- */

static int wind(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 1.0;
  out[2] = 0.3 * in->t;
  return 0;
}

static void a_body_in_the_plane(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = nsds_rigid_body_2d(m, &(nsds_rigid_body_2d_def){.mass = 2.0,
                                                                .inertia = 0.5,
                                                                .q0 = (double[]){1, 2, 0.1},
                                                                .v0 = (double[]){3, 4, -1},
                                                                .gravity = {0.0, -9.81},
                                                                .force_fn = wind});
  run(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.01}, 0);
  assert_near(nsds_q(ds)[0], 1.0 + 3.0 + 0.25, 1e-12);
  assert_near(nsds_q(ds)[1], 2.0 + 4.0 - 9.81 / 2.0, 1e-12);
  assert_near(nsds_v(ds)[2], -1.0 + 0.3, 1e-12);
  assert_near(nsds_kinetic_energy(ds), 3.5 * 3.5 + (4.0 - 9.81) * (4.0 - 9.81) + 0.25 * 0.7 * 0.7,
              1e-11);
  nsds_model_destroy(m);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--long") == 0) many = 10000000;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_quaternion_stays_of_length_one),
      cmocka_unit_test(a_quaternion_set_to_zero_or_far_from_unit_is_refused),
      cmocka_unit_test(a_state_read_and_set_again_stays),
      cmocka_unit_test(inertia_of_no_body_1_1_5_is_warned_of),
      cmocka_unit_test(a_quaternion_nearly_of_length_one_is_normalised),
      cmocka_unit_test(loads_in_every_frame),
      cmocka_unit_test(tangents_are_exact),
      cmocka_unit_test(jacobians_of_loads_are_checked),
      cmocka_unit_test(a_sphere_takes_one_pass),
      cmocka_unit_test(prescribed_spin),
      cmocka_unit_test(a_body_in_the_plane),
  };
  return cmocka_run_group_tests_name("kernel.rigid_bodies", tests, NULL, NULL);
}
