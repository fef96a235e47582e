/*
 * Projection on constraints: the cards, joints of all kinds over long times, what the two metrics
 * keep. Contacts and reports are in projection_contacts.c.
 */
#include "any_joint.h"
#include "projection.h"
#include "scenes.h"

/* ---- cards ----------------------------------------------------------------------------------- */

/* Ten times the difference that the re-computation of the card showed. */
static void card(const char *name, const nsds_projection_def *projection, const double *allowed) {
  table t = table_read(name);
  for (int metric = 0; metric < 2; ++metric) { /* the ball weighs 1 kg: they are the same */
    deviation d = {.reference = &t};
    nsds_model *model = nsds_model_create(NULL);
    ball_scene scene = scene_bouncing_ball(model, 1.0, 0.0, 1.0, 0.9);
    nsds_time_stepping_def def = {.t1 = 10.0, .h = 0.005, .projection = *projection};
    def.projection.metric = metric ? NSDS_METRIC_COORDINATES : NSDS_METRIC_MASS;
    nsds_simulation *s = nsds_time_stepping(model, &def);
    assert_sound(model);
    assert_null(nsds_simulation_displacement(s, scene.ball));
    double moved = 0.0;
    for (int k = 0; k < t.rows; ++k) {
      if (k > 0) assert_ok(model, nsds_step(s));
      if (k > 0) moved = nsds_simulation_displacement(s, scene.ball)[0];
      deviation_note(&d, k, 0, nsds_time(s));
      deviation_note(&d, k, 1, nsds_q(scene.ball)[0]);
      deviation_note(&d, k, 2, nsds_v(scene.ball)[0]);
      deviation_note(&d, k, 3, nsds_p(scene.ball)[0]);
      deviation_note(&d, k, 4, nsds_impulse(scene.floor)[0]);
      deviation_note(&d, k, 5, moved);
      deviation_note(&d, k, 6, moved);
      assert_true(k == 0 || nsds_simulation_info(s)->projection.converged);
    }
    deviation_check(&d, name, 1, 1, 1, allowed[0]);
    deviation_check(&d, name, 2, 2, 1, allowed[1]);
    deviation_check(&d, name, 3, 4, 1, allowed[2]);
    deviation_check(&d, name, 5, 6, 1, allowed[3]);
    nsds_model_destroy(model);
  }
  table_free(&t);
}

static void direct_card(void **state) {
  (void)state;
  card(
      "bouncing_ball_ts_direct_projection",
      &(nsds_projection_def){.kind = NSDS_PROJECTION_DIRECT, .tolerance = 1e-8, .activation = 1e-7},
      (const double[]){4.4e-14, 4.1e-13, 6.4e-13, 4.2e-14});
}

static void combined_card(void **state) {
  (void)state;
  card("bouncing_ball_ts_combined_projection",
       &(nsds_projection_def){
           .kind = NSDS_PROJECTION_COMBINED, .tolerance = 1e-10, .max_iterations = 4},
       (const double[]){2.4e-14, 1.9e-13, 3.1e-13, 1.9e-14});
}

/* ---- joints ---------------------------------------------------------------------------------- */

/* Two bodies, the first jointed to the world and to the second, in motion: the largest violation
 * and the length of the quaternions over all steps. */
static double long_run(nsds_joint_kind kind, bool plane, nsds_metric metric, long steps,
                       int *iterations) {
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[2];
  const double v[2][6] = {{0.1, 0.4, -0.2, 1.0, 2.0, -0.7}, {-0.3, 0.2, 0.5, -2.0, 0.4, 1.1}};
  bool slides = kind == NSDS_JOINT_PRISMATIC || kind == NSDS_JOINT_CYLINDRICAL;
  for (int k = 0; k < 2; ++k)
    ds[k] = body(m, plane, (const double[]){0.3 + 0.5 * k, 0.1 * k, plane ? 0.3 : -0.2}, v[k],
                 slides ? 0.0 : g);
  nsds_interaction *ia[4];
  nsds_law *law = nsds_equality(m);
  nsds_joint_kind under = plane ? NSDS_JOINT_HINGE : NSDS_JOINT_CYLINDRICAL;
  if (plane && kind == ANY_SLIDE) under = NSDS_JOINT_PRISMATIC;
  int count = kind == ANY_ANGLE || kind == ANY_SLIDE ? 4 : 2;
  for (int j = 0; j < count; ++j) {
    int k = j % 2;
    any_joint_def def = {.kind = j < 2 ? kind : under,
                         .ds = {ds[k], k ? ds[0] : NULL},
                         .point = {0.1 + 0.5 * k, 0.05, 0.1},
                         .other = {-0.2 + 0.4 * k, 0.3, 0.5},
                         .axis = {0.6, k ? 0.8 : 0.0, k ? 0.1 : 0.8}};
    ia[j] = nsds_connect(m, any_joint(m, &def), law, k ? 2 : 1, def.ds);
  }
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){
             .t1 = 1e9,
             .h = 1e-3,
             .projection = {.kind = NSDS_PROJECTION_DIRECT, .metric = metric, .tolerance = 1e-11}});
  assert_sound(m);
  double largest = 0.0;
  *iterations = 0;
  for (long n = 0; n < steps; ++n) {
    assert_ok(m, nsds_step(s));
    const nsds_projection_info *info = &nsds_simulation_info(s)->projection;
    assert_true(info->converged);
    if (info->iterations > *iterations) *iterations = info->iterations;
    for (int k = 0; k < count; ++k)
      for (int i = 0; i < nsds_interaction_size(ia[k]); ++i)
        largest = worse(largest, fabs(nsds_y(ia[k])[i]));
    for (int k = 0; k < 2 && !plane; ++k) {
      const double *p = nsds_q(ds[k]) + 3;
      assert_near(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3], 1.0, 2e-14);
    }
  }
  nsds_model_destroy(m);
  return largest;
}

static void joints_hold_over_long_times(void **state) {
  static const struct {
    nsds_joint_kind kind;
    const char *name;
  } joint[] = {{NSDS_JOINT_BALL, "ball"},
               {NSDS_JOINT_HINGE, "hinge"},
               {NSDS_JOINT_PRISMATIC, "prismatic"},
               {NSDS_JOINT_CYLINDRICAL, "cylindrical"},
               {NSDS_JOINT_FIXED, "fixed"},
               {NSDS_JOINT_DISTANCE, "distance"},
               {ANY_ANGLE, "angle"},
               {ANY_SLIDE, "slide"}};
  nsds_metric metric = *state ? NSDS_METRIC_COORDINATES : NSDS_METRIC_MASS;
  long steps = *state ? test_long / 50 : test_long;
  for (size_t k = 0; k < sizeof joint / sizeof *joint; ++k)
    for (int plane = 0; plane < 2; ++plane) {
      if (plane && joint[k].kind == NSDS_JOINT_CYLINDRICAL) continue;
      int iterations;
      double violation = long_run(joint[k].kind, plane, metric, steps, &iterations);
      print_message("             %-12s %s %.1e, %d iterations at most\n", joint[k].name,
                    plane ? "in the plane" : "in space    ", violation, iterations);
      assert_between(violation, 0.0, 1e-10);
    }
}

/* The bodies of a joint are led back by the least displacement in the metric of their masses, which
 * leaves their centre of mass; that of coordinates moves it. */
static void the_centre_of_mass_stays(void **state) {
  (void)state;
  for (int metric = 0; metric < 2; ++metric) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds[2];
    for (int k = 0; k < 2; ++k)
      ds[k] = nsds_rigid_body(
          m, &(nsds_rigid_body_def){.mass = k ? 3.0 : 1.0,
                                    .inertia = (const double[9]){[0] = 0.1, [4] = 0.1, [8] = 0.2},
                                    .q0 = (const double[7]){k, 0, 0, 1, 0, 0, 0},
                                    .v0 = (const double[6]){0, k, 0, 1, 2, 3}});
    any_joint_def def = {.kind = NSDS_JOINT_BALL, .ds = {ds[0], ds[1]}, .point = {0.3, 0.2, 0.1}};
    nsds_connect(m, any_joint(m, &def), nsds_equality(m), 2, ds);
    nsds_simulation *s = nsds_time_stepping(
        m, &(nsds_time_stepping_def){
               .t1 = 1.0,
               .h = 1e-2,
               .projection = {.kind = NSDS_PROJECTION_DIRECT,
                              .metric = metric ? NSDS_METRIC_COORDINATES : NSDS_METRIC_MASS}});
    assert_sound(m);
    double shift = 0.0, way = 0.0;
    while (nsds_step(s) == NSDS_OK)
      for (int i = 0; i < 3; ++i) {
        double d[2];
        for (int k = 0; k < 2; ++k) d[k] = nsds_simulation_displacement(s, ds[k])[i];
        shift = worse(shift, fabs(d[0] + 3.0 * d[1]));
        way = worse(way, fabs(d[0]));
      }
    assert_sound(m);
    assert_between(way, 1e-6, 1e-2);
    if (metric) assert_true(shift > 1e-6);
    else assert_between(shift, 0.0, 1e-17);
    nsds_model_destroy(m);
  }
}

/* y = |q_1 - q_2| - L and its gradient in the twelve numbers of x and p (7 each): q + grad Lambda
 * with |p| = 1 as further equalities, by Newton's method with the identity as metric, written out.
 */
static double rod_gap(const double *q, const double *arm, double length, double *grad) {
  double X[2][3], d[3], sum = 0.0;
  for (int k = 0; k < 2; ++k) {
    const double *p = q + 7 * k + 3, w = p[0], x = p[1], y = p[2], z = p[3];
    double n = w * w + x * x + y * y + z * z;
    const double R[9] = {w * w + x * x - y * y - z * z, 2 * (x * y - w * z),
                         2 * (x * z + w * y),           2 * (x * y + w * z),
                         w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
                         2 * (x * z - w * y),           2 * (y * z + w * x),
                         w * w - x * x - y * y + z * z};
    for (int i = 0; i < 3; ++i) {
      X[k][i] = q[7 * k + i];
      for (int j = 0; j < 3; ++j) X[k][i] += R[3 * i + j] * arm[3 * k + j] / n;
    }
  }
  for (int i = 0; i < 3; ++i) d[i] = X[0][i] - X[1][i];
  for (int i = 0; i < 3; ++i) sum += d[i] * d[i];
  for (int j = 0; grad && j < 14; ++j) {
    double moved[14], e = 1e-6, side_of[2];
    for (int side = 0; side < 2; ++side) {
      memcpy(moved, q, sizeof moved);
      moved[j] += side ? e : -e;
      side_of[side] = rod_gap(moved, arm, length, NULL);
    }
    grad[j] = (side_of[1] - side_of[0]) / (2.0 * e);
  }
  return sqrt(sum) - length;
}

static void project_in_coordinates(double *q, const double *arm, double length) {
  for (int pass = 0; pass < 20; ++pass) {
    double grad[14], y = rod_gap(q, arm, length, grad), square = 0.0;
    for (int k = 0; k < 2; ++k) { /* |p| - 1 has the gradient p / |p|, across that of y */
      double *p = q + 7 * k + 3;
      double n = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
      for (int i = 0; i < 4; ++i) p[i] -= p[i] / n * (n - 1.0);
    }
    for (int j = 0; j < 14; ++j) square += grad[j] * grad[j];
    for (int j = 0; j < 14; ++j) q[j] -= grad[j] * y / square;
  }
}

/* One step with the projection is a step without it and the projection written out, up to what is
 * of second order in the violation. */
static void coordinates_as_written_out(void **state) {
  (void)state;
  double off[2], violation[2];
  for (int i = 0; i < 2; ++i) {
    double q[2][14], arm[6] = {0.2, 0, 0, 0, 0.3, 0};
    for (int projected = 0; projected < 2; ++projected) {
      nsds_model *m = nsds_model_create(NULL);
      nsds_ds *ds[2];
      for (int k = 0; k < 2; ++k)
        ds[k] = nsds_rigid_body(
            m, &(nsds_rigid_body_def){.mass = k ? 3.0 : 1.0,
                                      .inertia = (const double[9]){[0] = 0.1, [4] = 0.2, [8] = 0.3},
                                      .q0 = (const double[7]){2.0 * k, 0, 0, 1, 0, 0, 0},
                                      .v0 = (const double[6]){0, 3.0 * k, 1, 1, 2, 3}});
      any_joint_def def = {.kind = NSDS_JOINT_DISTANCE,
                           .ds = {ds[0], ds[1]},
                           .point = {0.2, 0, 0},
                           .other = {2, 0.3, 0}};
      nsds_connect(m, any_joint(m, &def), nsds_equality(m), 2, ds);
      nsds_time_stepping_def step = {.t1 = 1.0, .h = i ? 1e-2 : 2e-2};
      if (projected)
        step.projection = (nsds_projection_def){
            .kind = NSDS_PROJECTION_DIRECT, .metric = NSDS_METRIC_COORDINATES, .tolerance = 1e-14};
      nsds_simulation *s = nsds_time_stepping(m, &step);
      assert_sound(m);
      assert_ok(m, nsds_step(s));
      for (int k = 0; k < 2; ++k) memcpy(q[projected] + 7 * k, nsds_q(ds[k]), 7 * sizeof **q);
      nsds_model_destroy(m);
    }
    const double length = sqrt(1.8 * 1.8 + 0.3 * 0.3);
    violation[i] = fabs(rod_gap(q[0], arm, length, NULL));
    assert_near(rod_gap(q[1], arm, length, NULL), 0.0, 1e-14);
    project_in_coordinates(q[0], arm, length);
    off[i] = 0.0;
    for (int j = 0; j < 14; ++j) off[i] = worse(off[i], fabs(q[1][j] - q[0][j]));
    assert_between(off[i], 0.0, violation[i] * violation[i] + 1e-12);
  }
  print_message("             violations %.1e, %.1e; off by %.1e, %.1e\n", violation[0],
                violation[1], off[0], off[1]);
  assert_true(violation[1] > 1e-6);
}

static int circle(const nsds_arguments *in, double *y, void *user) {
  (void)user;
  y[0] = in->q[0] * in->q[0] + in->q[1] * in->q[1] - 1.0;
  return 0;
}

static int circle_slope(const nsds_arguments *in, double *H, void *user) {
  (void)user;
  for (int k = 0; k < 2; ++k) H[k] = 2.0 * in->q[k];
  return 0;
}

/* A point on a circle, its mass in the equation another in each direction; and on a rope that it
 * falls into. */
static void a_point_on_a_circle(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      m, &(nsds_lagrangian_linear_def){.ndof = 2,
                                       .q0 = (double[]){0.8, 0.6},
                                       .mass = (double[]){1.0, 0.2, 0.2, 3.0},
                                       .fext = (double[]){0.0, -3.0 * g}});
  nsds_relation *on = nsds_lagrangian_relation(
      m, &(nsds_lagrangian_relation_def){
             .ny = 1, .nq = 2, .output_fn = circle, .jac_output_q_fn = circle_slope});
  nsds_interaction *ia = nsds_connect(m, on, nsds_equality(m), 1, &ds);
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){
             .t1 = 10.0, .h = 1e-3, .projection = {.kind = NSDS_PROJECTION_DIRECT}});
  assert_sound(m);
  while (nsds_step(s) == NSDS_OK) assert_near(nsds_y(ia)[0], 0.0, 1e-10);
  assert_sound(m);
  nsds_model_destroy(m);
}

static void a_rope_is_not_stretched(void **state) {
  (void)state;
  for (int plane = 0; plane < 2; ++plane) {
    nsds_model *m = nsds_model_create(NULL);
    const double v[6] = {1.0, 0.0, 0.0, 1.0, 2.0, 3.0};
    nsds_ds *ds = body(m, plane, (const double[]){0.2, 0.1, 0.0}, v, g);
    any_joint_def def = {
        .kind = NSDS_JOINT_ROPE, .ds = {ds}, .point = {0.3, 0.1, 0.05}, .length = 0.6};
    nsds_interaction *rope =
        nsds_connect(m, any_joint(m, &def), nsds_newton_impact(m, 0.3), 1, &ds);
    nsds_simulation *s = nsds_time_stepping(
        m, &(nsds_time_stepping_def){
               .t1 = 10.0, .h = 1e-3, .projection = {.kind = NSDS_PROJECTION_COMBINED}});
    assert_sound(m);
    long taut = 0;
    while (nsds_step(s) == NSDS_OK) {
      assert_true(nsds_y(rope)[0] >= -1e-10);
      taut += nsds_is_active(rope);
    }
    assert_sound(m);
    assert_between((double)taut, 100, 9999);
    nsds_model_destroy(m);
  }
}

int main(void) {
  static bool yes = true;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(direct_card),
      cmocka_unit_test(combined_card),
      cmocka_unit_test(joints_hold_over_long_times),
      cmocka_unit_test_prestate(joints_hold_over_long_times, &yes),
      cmocka_unit_test(a_point_on_a_circle),
      cmocka_unit_test(a_rope_is_not_stretched),
      cmocka_unit_test(the_centre_of_mass_stays),
      cmocka_unit_test(coordinates_as_written_out),
  };
  return cmocka_run_group_tests_name("kernel.projection", tests, NULL, NULL);
}
