/*
 * Reference trajectories of rigid bodies. Each table was recomputed without a library from the data
 * of its card; the allowance is ten times the difference that re-computation showed, or what the
 * card states. Newton's loops of the tables stop on the residual alone, as newton_residual with an
 * infinite newton_increment does; H is taken at q (+) h [theta v + (1 - theta) v_i] with the v of
 * the last iterate, v_i at first, which is the library's gamma = 1.
 */
#include "support.h"

static const double pi = 3.14159265358979323846;
static const double heavy[9] = {0.1, 0.1, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0, 1.0};

static double sphere[9];

static const double *sphere_of(double inertia) {
  for (int k = 0; k < 9; ++k) sphere[k] = k % 4 == 0 ? inertia : 0.0;
  return sphere;
}

static void note_q(deviation *d, int row, int first, const nsds_ds *ds) {
  for (int k = 0; k < 7; ++k) deviation_note(d, row, first + k, nsds_q(ds)[k]);
}

static void note_v(deviation *d, int row, int first, const nsds_ds *ds) {
  for (int k = 0; k < 6; ++k) deviation_note(d, row, first + k, nsds_v(ds)[k]);
}

/* ---- a body with a free, and with a tied motion ---- */

static void start_of_heavy(double *q) {
  const double given[7] = {0.5 / sqrt(2.0), 0.0, -0.5 / sqrt(2.0), cos(pi / 8.0), 0.0,
                           sin(pi / 8.0),   0.0};
  memcpy(q, given, sizeof given);
}

static nsds_ds *heavy_body(nsds_model *m, const double *v) {
  double q[7];
  start_of_heavy(q);
  return nsds_rigid_body(
      m, &(nsds_rigid_body_def){
             .mass = 1.0, .inertia = heavy, .q0 = q, .v0 = v, .gravity = {0.0, 0.0, -9.81}});
}

/* Newton's loop of the tables: the residual alone decides. */
static nsds_time_stepping_def loop(double t1, double h, double theta, double tolerance) {
  return (nsds_time_stepping_def){
      .t1 = t1,
      .h = h,
      .second_order = nsds_moreau_jean(theta, 1.0),
      .newton = {.residual = tolerance, .increment = HUGE_VAL, .max_iterations = 50},
      .tolerance = 1e-14};
}

static void free_body(void **state) {
  (void)state;
  table t = table_read("ne_free_body");
  deviation d = {.reference = &t};
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = heavy_body(m, (const double[6]){100, 0, 0, 0, 0, 100});
  nsds_time_stepping_def def = loop(20.0, 0.01, 1.0, 1e-6);
  nsds_simulation *s = nsds_time_stepping(m, &def);
  assert_sound(m);
  for (int k = 0; k < t.rows; ++k) {
    assert_ok(m, nsds_step(s));
    deviation_note(&d, k, 0, nsds_time(s));
    note_q(&d, k, 1, ds);
  }
  deviation_check(&d, "free body: x", 1, 3, 1, 1.2e-10);
  deviation_check(&d, "free body: quaternion", 4, 7, 1, 4.8e-13);
  nsds_model_destroy(m);
  table_free(&t);
}

static void knee_joint(void **state) {
  (void)state;
  table t = table_read("ne_knee_joint");
  deviation d = {.reference = &t};
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = heavy_body(m, (const double[6]){100, 0, 0, 0, 0, 0});
  nsds_relation *relation = nsds_joint(m, &(nsds_joint_def){.kind = NSDS_JOINT_BALL, .ds = {ds}});
  nsds_interaction *joint = nsds_connect(m, relation, nsds_equality(m), 1, &ds);
  nsds_time_stepping_def def = loop(20.0, 0.01, 1.0, 1e-6);
  nsds_simulation *s = nsds_time_stepping(m, &def);
  assert_sound(m);
  int iterations[4] = {0};
  for (int k = 0; k < t.rows; ++k) {
    assert_ok(m, nsds_step(s));
    const double *y = nsds_y(joint);
    deviation_note(&d, k, 0, nsds_time(s));
    note_q(&d, k, 1, ds);
    deviation_note(&d, k, 8, sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]));
    int taken = nsds_simulation_info(s)->newton_iterations;
    if (k == 0) assert_int_equal(taken, 11);
    else ++iterations[taken < 3 ? taken : 3];
  }
  assert_int_equal(iterations[3], 9);
  deviation_check(&d, "knee: x", 1, 3, 1, 1.1e-13);
  deviation_check(&d, "knee: quaternion", 4, 7, 1, 2.1e-13);
  deviation_check(&d, "knee: drift", 8, 8, 1, 2.7e-14);
  nsds_model_destroy(m);
  table_free(&t);
}

/* Degenerate: the weight acts along the free axis. */
static void prismatic(void **state) {
  (void)state;
  table t = table_read("ne_prismatic");
  deviation d = {.reference = &t};
  const double n = sin(pi / 5.0) / sqrt(14.0);
  const double q[7] = {1, 1, 1, cos(pi / 5.0), 3 * n, 2 * n, n};
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = nsds_rigid_body(
      m, &(nsds_rigid_body_def){
             .mass = 1.0, .inertia = sphere_of(1.0), .q0 = q, .gravity = {0.0, 0.0, -9.81}});
  nsds_relation *relation = nsds_joint(
      m, &(nsds_joint_def){.kind = NSDS_JOINT_PRISMATIC, .ds = {ds}, .axis = {0.0, 0.0, 1.0}});
  nsds_connect(m, relation, nsds_equality(m), 1, &ds);
  nsds_time_stepping_def def = loop(2.0, 1e-3, 1.0, 5e-4);
  nsds_simulation *s = nsds_time_stepping(m, &def);
  assert_sound(m);
  for (int k = 0; k < t.rows; ++k) {
    assert_ok(m, nsds_step(s));
    deviation_note(&d, k, 0, nsds_time(s));
    note_q(&d, k, 1, ds);
  }
  deviation_check(&d, "prismatic: z", 3, 3, 1, 2.6e-11);
  deviation_check(&d, "prismatic: x, y", 1, 2, 1, 1e-15);
  deviation_check(&d, "prismatic: quaternion", 4, 7, 1, 1e-15);
  nsds_model_destroy(m);
  table_free(&t);
}

/* ---- balls ---- */

typedef struct ball_scene {
  nsds_model *model;
  nsds_ds *ds;
  nsds_interaction *contact;
  nsds_simulation *simulation;
} ball_scene;

/* Falls along -x on the plane x = 0; radius 0.1, mass 1. */
static ball_scene ball(const double *inertia, const double *v, double t1,
                       nsds_newton_impact_friction_def law) {
  ball_scene b = {.model = nsds_model_create(NULL)};
  b.ds =
      nsds_rigid_body(b.model, &(nsds_rigid_body_def){.mass = 1.0,
                                                      .inertia = inertia,
                                                      .q0 = (const double[]){1, 0, 0, 1, 0, 0, 0},
                                                      .v0 = v,
                                                      .gravity = {-9.81}});
  nsds_relation *relation = nsds_sphere_plane_relation(
      b.model, &(nsds_sphere_plane_relation_def){.radius = 0.1, .normal = {1.0}});
  b.contact = nsds_connect(b.model, relation, nsds_newton_impact_friction(b.model, &law), 1, &b.ds);
  nsds_time_stepping_def def = loop(t1, 0.005, 0.5, 1e-10);
  b.simulation = nsds_time_stepping(b.model, &def);
  assert_sound(b.model);
  return b;
}

static void ball_impact(void **state) {
  (void)state;
  table t = table_read("ne_ball_impact");
  deviation d = {.reference = &t};
  ball_scene b = ball(sphere_of(1.0), (const double[6]){2}, 10.0,
                      (nsds_newton_impact_friction_def){.mu = 0.6, .e_n = 0.9, .e_t = 0.9});
  for (int k = 0; k < t.rows; ++k) {
    if (k > 0) assert_ok(b.model, nsds_step(b.simulation));
    const double *P = nsds_impulse(b.contact);
    deviation_note(&d, k, 0, nsds_time(b.simulation));
    deviation_note(&d, k, 1, nsds_q(b.ds)[0]);
    deviation_note(&d, k, 2, nsds_v(b.ds)[0]);
    deviation_note(&d, k, 3, nsds_p(b.ds)[0]);
    deviation_note(&d, k, 4, P[0]);
    deviation_note(&d, k, 6, sqrt(P[0] * P[0] + P[1] * P[1] + P[2] * P[2]));
    note_q(&d, k, 7, b.ds);
    deviation_note(&d, k, 14, nsds_v(b.ds)[1]);
    deviation_note(&d, k, 15, nsds_v(b.ds)[2]);
  }
  deviation_check(&d, "ball: x", 1, 1, 1, 1.4e-13);
  deviation_check(&d, "ball: v", 2, 2, 1, 3.6e-13);
  deviation_check(&d, "ball: p, P_N", 3, 4, 1, 5.3e-13);
  deviation_check(&d, "ball: |P|", 6, 6, 1, 5.3e-13);
  deviation_check(&d, "ball: q", 7, 13, 1, 1.4e-13);
  deviation_check(&d, "ball: vy, vz", 14, 15, 1, 1e-13);
  nsds_model_destroy(b.model);
  table_free(&t);
}

static void ball_with_friction(void **state) {
  (void)state;
  table t = table_read("ne_ball_friction3d_extra");
  deviation d = {.reference = &t};
  ball_scene b = ball(sphere_of(0.004), (const double[6]){0, 3, -1, 5, 0, -20}, 4.0,
                      (nsds_newton_impact_friction_def){.mu = 0.1, .e_n = 0.5});
  int slid = 0, rolled = 0;
  for (int k = 0; k < t.rows; ++k) {
    if (k > 0) assert_ok(b.model, nsds_step(b.simulation));
    const double *P = nsds_impulse(b.contact);
    double thrust = hypot(P[1], P[2]);
    deviation_note(&d, k, 0, nsds_time(b.simulation));
    note_q(&d, k, 1, b.ds);
    note_v(&d, k, 8, b.ds);
    deviation_note(&d, k, 14, P[0]);
    deviation_note(&d, k, 15, thrust);
    slid += P[0] > 0.0 && thrust > 0.0999 * P[0];
    rolled += P[0] > 0.0 && thrust < 1e-6;
    if (k > 0) deviation_note(&d, k, 16, nsds_simulation_info(b.simulation)->newton_iterations);
  }
  assert_true(slid > 50 && rolled > 100);
  deviation_check(&d, "ball with friction: q", 1, 7, 1, 3.2e-12);
  deviation_check(&d, "ball with friction: v", 8, 10, 1, 1.5e-13);
  deviation_check(&d, "ball with friction: W", 11, 13, 1, 3.5e-12);
  deviation_check(&d, "ball with friction: P_N", 14, 14, 1, 1.9e-13);
  deviation_check(&d, "ball with friction: P_T", 15, 15, 1, 2.3e-14);
  deviation_check(&d, "ball with friction: iterations", 16, 16, 1, 0.0);
  nsds_model_destroy(b.model);
  table_free(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(free_body),          cmocka_unit_test(knee_joint),
      cmocka_unit_test(prismatic),          cmocka_unit_test(ball_impact),
      cmocka_unit_test(ball_with_friction),
  };
  return cmocka_run_group_tests_name("kernel.reference_bodies", tests, NULL, NULL);
}
