/*
 * Reference trajectories of Moreau-Jean time stepping (linear systems). Each table was recomputed
 * without a library from the data of its card; where the card says "rounding", the allowance is ten
 * times the difference that re-computation showed: other orders of the same operations round
 * differently, but nothing else may differ.
 */
#include "scenes.h"
#include "cam_profile.h"
#include "support.h"

static const double g = 9.81;

static void bouncing_ball(void **state) {
  (void)state;
  table t = table_read("bouncing_ball_ts");
  deviation d = {.reference = &t};
  nsds_model *model = nsds_model_create(NULL);
  ball_scene scene = scene_bouncing_ball(model, 1.0, 0.0, 1.0, 0.9);
  nsds_simulation *simulation = nsds_time_stepping(
      model, &(nsds_time_stepping_def){
                 .t1 = 10.0, .h = 0.005, .second_order = nsds_moreau_jean(0.5, 1.0)});
  assert_sound(model);
  for (int k = 0; k < t.rows; ++k) {
    if (k > 0) assert_ok(model, nsds_step(simulation));
    deviation_note(&d, k, 0, nsds_time(simulation));
    deviation_note(&d, k, 1, nsds_q(scene.ball)[0]);
    deviation_note(&d, k, 2, nsds_v(scene.ball)[0]);
    deviation_note(&d, k, 3, nsds_p(scene.ball)[0]);
    deviation_note(&d, k, 4, nsds_impulse(scene.floor)[0]);
  }
  assert_int_equal(nsds_step(simulation), NSDS_END);
  deviation_check(&d, "bouncing ball: t", 0, 0, 1, 1e-13);
  deviation_check(&d, "bouncing ball: q", 1, 1, 1, 3e-14);
  deviation_check(&d, "bouncing ball: v", 2, 2, 1, 2.2e-13);
  deviation_check(&d, "bouncing ball: p, P", 3, 4, 1, 2.7e-13);
  nsds_model_destroy(model);
  table_free(&t);
}

static void column_of_beads(void **state) {
  (void)state;
  table t = table_read("column_of_beads_ts");
  deviation d = {.reference = &t};
  static bead_scene scene;
  nsds_model *model = nsds_model_create(NULL);
  scene_bead_column(model, &scene, 10, 0.1, 1.0, 0.25, 0.9);
  nsds_simulation *simulation = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){.t1 = 2.0, .h = 5e-4, .second_order = nsds_moreau_jean(0.5, 1.0)});
  assert_sound(model);
  int most_active = 0;
  for (int k = 0; k < t.rows; ++k) {
    if (k > 0) assert_ok(model, nsds_step(simulation));
    deviation_note(&d, k, 0, nsds_time(simulation));
    for (int i = 0; i < scene.n; ++i) {
      deviation_note(&d, k, 1 + 2 * i, nsds_q(scene.bead[i])[0]);
      deviation_note(&d, k, 2 + 2 * i, nsds_v(scene.bead[i])[0]);
    }
    int active = nsds_simulation_info(simulation)->active;
    if (active > most_active) most_active = active;
  }
  assert_true(most_active > 1); /* the table exercises coupled contacts */
  deviation_check(&d, "column of beads: t", 0, 0, 1, 1e-14);
  deviation_check(&d, "column of beads: q", 1, 19, 2, 6.7e-14);
  deviation_check(&d, "column of beads: v", 2, 20, 2, 3.2e-13);
  nsds_model_destroy(model);
  table_free(&t);
}

/* ---- ball on a plane with prescribed velocity ---- */

static int plane_velocity(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2.0 + cos(0.5 * 3.14159265358979323846 * in->t);
  return 0;
}

static void ball_on_moving_plane(void **state) {
  (void)state;
  table t = table_read("ball_on_moving_plane");
  deviation d = {.reference = &t};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ball =
      nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.name = "ball",
                                                                  .ndof = 1,
                                                                  .q0 = (double[]){1.0},
                                                                  .mass = (double[]){1.0},
                                                                  .fext = (double[]){-g}});
  nsds_ds *plane =
      nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.name = "plane",
                                                                  .ndof = 1,
                                                                  .mass = (double[]){1.0},
                                                                  .prescribed.n = 1,
                                                                  .prescribed.index = (int[]){0},
                                                                  .prescribed.fn = plane_velocity});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 2, .H = (double[]){1.0, -1.0}});
  nsds_interaction *contact =
      nsds_connect(model, gap, nsds_newton_impact(model, 0.9), 2, (nsds_ds *[]){ball, plane});
  nsds_simulation *simulation = nsds_time_stepping(
      model, &(nsds_time_stepping_def){
                 .t1 = 10.0, .h = 0.005, .second_order = nsds_moreau_jean(0.5, 1.0)});
  assert_sound(model);
  for (int k = 1; k < t.rows; ++k) {
    double before = nsds_v(plane)[0];
    assert_ok(model, nsds_step(simulation));
    double V = nsds_v(plane)[0], P = nsds_impulse(contact)[0];
    deviation_note(&d, k, 0, nsds_time(simulation));
    deviation_note(&d, k, 1, nsds_q(ball)[0]);
    deviation_note(&d, k, 2, nsds_v(ball)[0]);
    deviation_note(&d, k, 3, nsds_p(ball)[0]);
    deviation_note(&d, k, 4, P);
    deviation_note(&d, k, 7, nsds_q(plane)[0]);
    deviation_note(&d, k, 8, V);
    deviation_note(&d, k, 11, -1.0 * V - P);
    /* the force is what the momentum balance of the plane lacks: no force acts on it */
    double h = nsds_simulation_info(simulation)->h;
    assert_near(h * nsds_prescribed_force(plane)[0], 1.0 * (V - before) + P, 1e-13);
  }
  deviation_check(&d, "moving plane: q", 1, 1, 1, 3.6e-13);
  deviation_check(&d, "moving plane: v", 2, 2, 1, 2.8e-13);
  deviation_check(&d, "moving plane: p, P", 3, 4, 1, 3.8e-13);
  deviation_check(&d, "moving plane: Q", 7, 7, 1, 5e-13);
  deviation_check(&d, "moving plane: V", 8, 8, 1, 1e-14);
  deviation_check(&d, "moving plane: -m V - P", 11, 11, 1, 3.7e-13);
  nsds_model_destroy(model);
  table_free(&t);
}

/* ---- cam follower ---- */

static int gap_h(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->q[0];
  return 0;
}

static int gap_jacobian(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

/* The free oscillator with impacts of two tables; the relation is declared time-dependent. */
static void oscillator(const char *name, double q0, double v0, double allowed[3]) {
  table t = table_read(name);
  deviation d = {.reference = &t};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *follower =
      nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.name = "follower",
                                                                  .ndof = 1,
                                                                  .q0 = &q0,
                                                                  .v0 = &v0,
                                                                  .mass = (double[]){1.221},
                                                                  .stiffness = (double[]){1430.8}});
  nsds_relation *gap = nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){.ny = 1,
                                             .nq = 1,
                                             .output_fn = gap_h,
                                             .jac_output_q_fn = gap_jacobian,
                                             .jac_output_t_fn = nsds_zero});
  nsds_interaction *contact =
      nsds_connect(model, gap, nsds_newton_impact(model, 0.8), 1, &follower);
  nsds_simulation *simulation = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-4, .second_order = nsds_moreau_jean(0.5, 1.0)});
  assert_sound(model);
  for (int k = 0; k < t.rows; ++k) {
    if (k > 0) assert_ok(model, nsds_step(simulation));
    deviation_note(&d, k, 0, nsds_time(simulation));
    deviation_note(&d, k, 1, nsds_q(follower)[0]);
    deviation_note(&d, k, 2, nsds_v(follower)[0]);
    deviation_note(&d, k, 3, nsds_impulse(contact)[0]);
    deviation_note(&d, k, 7, nsds_q(follower)[0] + table_at(&t, k, 5));
  }
  deviation_check(&d, "oscillator with impacts: t", 0, 0, 1, 1e-14);
  deviation_check(&d, "oscillator with impacts: q", 1, 1, 1, allowed[0]);
  deviation_check(&d, "oscillator with impacts: v", 2, 2, 1, allowed[1]);
  deviation_check(&d, "oscillator with impacts: P", 3, 3, 1, allowed[2]);
  deviation_check(&d, "oscillator with impacts: u", 7, 7, 1, allowed[0] + 1e-15);
  nsds_model_destroy(model);
  table_free(&t);
}

static void cam_follower_rheonomous(void **state) {
  (void)state;
  oscillator("cam_follower_rheonomous", 0.40, 0.4, (double[3]){9e-15, 3e-13, 5e-13});
}

/* Degenerate: the follower rests on the floor without load, every number is exactly zero. */
static void cam_follower(void **state) {
  (void)state;
  oscillator("cam_follower", 0.0, 0.0, (double[3]){0.0, 0.0, 0.0});
}

static void cam_follower_forced(void **state) {
  (void)state;
  table t = table_read("cam_follower_forced_358");
  deviation d = {.reference = &t};
  nsds_model *model = nsds_model_create(NULL);
  cam_scene scene = scene_cam_forced(model, 358.0, NSDS_TEST_CAM_PLUGIN);
  nsds_simulation *simulation = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){.t1 = 2.0, .h = 1e-4, .second_order = nsds_moreau_jean(0.5, 1.0)});
  assert_sound(model);
  for (int k = 0; k < t.rows; ++k) {
    if (k > 0) assert_ok(model, nsds_step(simulation));
    cam_state cam = cam_profile(nsds_time(simulation), 358.0);
    const double row[] = {nsds_time(simulation),
                          nsds_q(scene.follower)[0],
                          nsds_v(scene.follower)[0],
                          nsds_impulse(scene.contact)[0],
                          cam.c,
                          cam.dc,
                          cam.ddc};
    for (int c = 0; c < 7; ++c) deviation_note(&d, k, c, row[c]);
  }
  deviation_check(&d, "forced cam follower: q", 1, 1, 1, 2.7e-13);
  deviation_check(&d, "forced cam follower: v", 2, 2, 1, 1e-11);
  deviation_check(&d, "forced cam follower: P", 3, 3, 1, 1.6e-11);
  deviation_check(&d, "forced cam follower: c, c'", 4, 5, 1, 1e-13);
  deviation_check(&d, "forced cam follower: c''", 6, 6, 1, 1.4e-11);
  nsds_model_destroy(model);
  table_free(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bouncing_ball),        cmocka_unit_test(column_of_beads),
      cmocka_unit_test(ball_on_moving_plane), cmocka_unit_test(cam_follower_rheonomous),
      cmocka_unit_test(cam_follower),         cmocka_unit_test(cam_follower_forced),
  };
  return cmocka_run_group_tests_name("kernel.reference", tests, NULL, NULL);
}
