/*
 * Projection on constraints: the cards, joints of all kinds over long times, stops, ropes and
 * piles, what a projection leaves as it is, and its report.
 */
#include "found.h"
#include "scenes.h"

static const double g = 9.81;

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
  card("bouncing_ball_ts_direct_projection",
       &(nsds_projection_def){.kind = NSDS_PROJECTION_DIRECT, .tolerance = 1e-8},
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

static nsds_ds *body(nsds_model *m, bool plane, const double *x, const double *v, double weight) {
  static const double J[9] = {0.03, 0.002, 0, 0.002, 0.02, 0.001, 0, 0.001, 0.025};
  const double q[7] = {x[0], x[1], x[2], 0.8, 0.0, 0.6, 0.0};
  if (plane)
    return nsds_rigid_body_2d(
        m, &(nsds_rigid_body_2d_def){
               .mass = 1.5, .inertia = 0.02, .q0 = x, .v0 = v, .gravity = {0.0, -weight}});
  return nsds_rigid_body(
      m, &(nsds_rigid_body_def){
             .mass = 1.5, .inertia = J, .q0 = q, .v0 = v, .gravity = {0.0, 0.0, -weight}});
}

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
  nsds_interaction *ia[2];
  nsds_law *law = nsds_equality(m);
  for (int k = 0; k < 2; ++k) {
    nsds_joint_def def = {.kind = kind,
                          .ds = {ds[k], k ? ds[0] : NULL},
                          .point = {0.1 + 0.5 * k, 0.05, 0.1},
                          .other = {-0.2 + 0.4 * k, 0.3, 0.5},
                          .axis = {0.6, k ? 0.8 : 0.0, k ? 0.1 : 0.8}};
    ia[k] = nsds_connect(m, nsds_joint(m, &def), law, k ? 2 : 1, def.ds);
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
    for (int k = 0; k < 2; ++k)
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
  } joint[] = {{NSDS_JOINT_BALL, "ball"},           {NSDS_JOINT_HINGE, "hinge"},
               {NSDS_JOINT_PRISMATIC, "prismatic"}, {NSDS_JOINT_CYLINDRICAL, "cylindrical"},
               {NSDS_JOINT_FIXED, "fixed"},         {NSDS_JOINT_DISTANCE, "distance"},
               {NSDS_JOINT_ANGLE, "angle"},         {NSDS_JOINT_SLIDE, "slide"}};
  nsds_metric metric = *state ? NSDS_METRIC_COORDINATES : NSDS_METRIC_MASS;
  long steps = *state ? 2000 : 100000;
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

int main(void) {
  static bool yes = true;
  const struct CMUnitTest tests[] = {cmocka_unit_test(direct_card), cmocka_unit_test(combined_card),
                                     cmocka_unit_test(joints_hold_over_long_times),
                                     cmocka_unit_test_prestate(joints_hold_over_long_times, &yes)};
  return cmocka_run_group_tests_name("kernel.projection", tests, NULL, NULL);
}
