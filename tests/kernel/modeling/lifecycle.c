/*
 * A model that changes between steps: interactions and systems come and go, states, step size, end
 * and solver are replaced, a run is repeated, restarted and continued.
 */
#include "scenes.h"
#include "support.h"

static const double g = 9.81;

static nsds_ds *falling(nsds_model *model, const char *name, double q) {
  return nsds_lagrangian_linear(
      model,
      &(nsds_lagrangian_linear_def){
          .name = name, .ndof = 1, .q0 = &q, .mass = (double[]){1.0}, .fext = (double[]){-g}});
}

static nsds_relation *height(nsds_model *model) {
  return nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
}

/* Three balls with a floor each; the middle floor goes, later it comes back. */
static void contacts_come_and_go(void **state) {
  (void)state;
  const double h = 1e-3;
  nsds_model *model = nsds_model_create(NULL);
  nsds_relation *gap = height(model);
  nsds_law *impact = nsds_newton_impact(model, 0.5);
  nsds_ds *ball[3];
  nsds_interaction *floor[3];
  for (int k = 0; k < 3; ++k) {
    ball[k] = falling(model, "ball", 0.1 * (k + 1));
    floor[k] = nsds_connect(model, gap, impact, 1, &ball[k]);
  }
  nsds_simulation *simulation = run(model, &(nsds_time_stepping_def){.t1 = 10.0, .h = h}, 50);
  while (nsds_impulse(floor[2])[0] == 0.0) assert_ok(model, nsds_step(simulation));
  double shown[3] = {nsds_y(floor[2])[0], nsds_ydot(floor[2])[0], nsds_impulse(floor[2])[0]};
  assert_ok(model, nsds_set_state(ball[1], (double[]){0.2}, (double[]){0.0}));
  assert_ok(model, nsds_disconnect(floor[1]));
  assert_near(nsds_y(floor[2])[0], shown[0], 0.0); /* the others show at once what they showed */
  assert_near(nsds_ydot(floor[2])[0], shown[1], 0.0);
  assert_near(nsds_impulse(floor[2])[0], shown[2], 0.0);
  double start = nsds_time(simulation);
  assert_int_equal(nsds_interaction_count(model), 2);
  assert_ptr_equal(nsds_interaction_at(model, 0), floor[0]);
  assert_ptr_equal(nsds_interaction_at(model, 1), floor[2]);
  for (int s = 0; s < 450; ++s) {
    assert_ok(model, nsds_step(simulation));
    double t = nsds_time(simulation) - start;
    assert_near(nsds_q(ball[1])[0], 0.2 - 0.5 * g * t * t, 1e-12); /* falls through */
    for (int k = 0; k < 3; k += 2) { /* the handles that stayed show their own contact */
      assert_near(nsds_y(floor[k])[0], nsds_q(ball[k])[0], 0.0);
      assert_near(nsds_ydot(floor[k])[0], nsds_v(ball[k])[0], 0.0);
      assert_near(nsds_impulse(floor[k])[0], nsds_p(ball[k])[0], 0.0);
      assert_true(nsds_q(ball[k])[0] > -0.01);
    }
    assert_near(nsds_p(ball[1])[0], 0.0, 0.0);
  }
  assert_ok(model, nsds_set_state(ball[1], (double[]){0.05}, (double[]){-1.0}));
  floor[1] = nsds_connect(model, gap, impact, 1, &ball[1]);
  assert_sound(model);
  assert_ptr_equal(nsds_interaction_at(model, 2), floor[1]);
  assert_ok(model, nsds_disconnect(floor[2])); /* one that had moved up, with another behind it */
  assert_ptr_equal(nsds_interaction_at(model, 1), floor[1]);
  double highest = -1.0, total = 0.0;
  for (int s = 0; s < 400; ++s) {
    assert_ok(model, nsds_step(simulation));
    assert_near(nsds_y(floor[1])[0], nsds_q(ball[1])[0], 0.0);
    assert_near(nsds_impulse(floor[1])[0], nsds_p(ball[1])[0], 0.0);
    total += nsds_impulse(floor[1])[0];
    if (total > 0.0 && nsds_q(ball[1])[0] > highest) highest = nsds_q(ball[1])[0];
  }
  double speed2 = 1.0 + 2.0 * g * 0.05;
  assert_near(highest, 0.25 * speed2 / (2.0 * g), 5e-3); /* bounces, e = 0.5 */
  nsds_model_destroy(model);
}

/* A system added to a running model falls like one that was there from the start. */
static void systems_are_added(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL), *fresh = nsds_model_create(NULL);
  ball_scene first = scene_bouncing_ball(model, 1.0, 0.0, 0.5, 0.5);
  nsds_simulation *simulation = run(model, &(nsds_time_stepping_def){.t1 = 10.0, .h = 1e-3}, 100);
  const double q = nsds_q(first.ball)[0];
  nsds_ds *late[20];
  for (int k = 0; k < 20; ++k) late[k] = falling(model, "late", 0.01 * (k + 1));
  nsds_interaction *floor =
      nsds_connect(model, height(model), nsds_newton_impact(model, 0.5), 1, &late[9]);
  assert_near(nsds_q(first.ball)[0], q, 0.0); /* the arrays moved, the values did not change */
  ball_scene other = scene_bouncing_ball(fresh, 1.0, 0.0, 0.1, 0.5);
  nsds_simulation *b = nsds_time_stepping(fresh, &(nsds_time_stepping_def){.t1 = 10.0, .h = 1e-3});
  assert_sound(model);
  for (int s = 0; s < 300; ++s) {
    assert_ok(model, nsds_step(simulation));
    assert_ok(fresh, nsds_step(b));
    assert_near(nsds_q(late[9])[0], nsds_q(other.ball)[0], 0.0);
    assert_near(nsds_impulse(floor)[0], nsds_impulse(other.floor)[0], 0.0);
  }
  assert_int_equal(nsds_ds_count(model), 21);
  for (int k = 0; k < 21; ++k) assert_int_equal(nsds_ds_index(nsds_ds_at(model, k)), k);
  nsds_model_destroy(model);
  nsds_model_destroy(fresh);
}

/* What a state, a step size or a solver set between steps leads to is what a new run would give. */
static void settings_act_like_a_new_run(void **state) {
  (void)state;
  static bead_scene a, b;
  nsds_model *model = nsds_model_create(NULL), *fresh = nsds_model_create(NULL);
  scene_bead_column(model, &a, 6, 0.1, 0.3, 0.25, 0.6);
  scene_bead_column(fresh, &b, 6, 0.1, 0.3, 0.25, 0.6);
  nsds_simulation *old = run(model, &(nsds_time_stepping_def){.t1 = 10.0, .h = 2e-3}, 200);
  for (int i = 0; i < 6; ++i) {
    double q = nsds_q(a.bead[i])[0] + 0.01, v = -nsds_v(a.bead[i])[0];
    assert_ok(model, nsds_set_state(a.bead[i], &q, NULL));
    assert_near(nsds_q(a.bead[i])[0], q, 0.0);
    assert_ok(model, nsds_set_state(a.bead[i], NULL, &v));
    assert_near(nsds_q(a.bead[i])[0], q, 0.0);
    assert_ok(fresh, nsds_set_state(b.bead[i], &q, &v));
  }
  assert_ok(model, nsds_simulation_set_h(old, 1e-3));
  assert_ok(model, nsds_simulation_set_solver(old, "lemke", 1e-9));
  nsds_simulation *new = nsds_time_stepping(
      fresh,
      &(nsds_time_stepping_def){
          .t0 = nsds_time(old), .t1 = 10.0, .h = 1e-3, .solver = "lemke", .tolerance = 1e-9});
  assert_sound(fresh);
  double total = 0.0;
  for (int s = 0; s < 500; ++s) {
    assert_ok(model, nsds_step(old));
    assert_ok(fresh, nsds_step(new));
    snapshot x = snapshot_take(model);
    snapshot_check(&x, fresh, "the new run");
    snapshot_free(&x);
    assert_near(nsds_time(old), nsds_time(new), 0.0);
    assert_near(nsds_simulation_info(old)->h, 1e-3, 1e-17);
    total += nsds_impulse(a.contact[0])[0];
  }
  assert_true(total > 1.0);
  assert_string_equal(nsds_solver_get_row(nsds_simulation_solver(old))->name, "lemke");
  nsds_model_destroy(model);
  nsds_model_destroy(fresh);
}

static int restoring(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 20.0 * sin(in->q[0]);
  return 0;
}

static nsds_model *ball_and_pendulum(double q, double v) {
  nsds_model *model = nsds_model_create(NULL);
  ball_scene scene = scene_bouncing_ball(model, 1.0, 0.0, q, 0.5);
  nsds_ds *pendulum =
      nsds_lagrangian(model, &(nsds_lagrangian_def){.ndof = 1,
                                                    .mass = (double[]){1.0},
                                                    .fint.fn = restoring,
                                                    .fint.jac_q_fn = nsds_differences,
                                                    .fint.jac_v_fn = nsds_zero});
  assert_ok(model, nsds_set_state(scene.ball, NULL, &v));
  assert_ok(model, nsds_set_state(pendulum, &q, &v));
  return model;
}

/* A state alone: the next step knows the new gaps and the new forces. */
static void a_state_is_seen_at_once(void **state) {
  (void)state;
  nsds_model *model = ball_and_pendulum(1.0, 0.0), *fresh = ball_and_pendulum(0.001, -2.0);
  nsds_simulation *old = run(model, &(nsds_time_stepping_def){.t1 = 10.0, .h = 1e-2}, 3);
  for (int k = 0; k < 2; ++k)
    assert_ok(model, nsds_set_state(nsds_ds_at(model, k), (double[]){0.001}, (double[]){-2.0}));
  nsds_simulation *new = run(fresh, &(nsds_time_stepping_def){.t1 = 10.0, .h = 1e-2}, 1);
  for (int s = 0; s < 20; ++s) {
    if (s > 0) assert_ok(fresh, nsds_step(new));
    assert_ok(model, nsds_step(old));
    snapshot x = snapshot_take(model);
    snapshot_check(&x, fresh, "the new run");
    snapshot_free(&x);
    if (s == 0) assert_true(nsds_is_active(nsds_interaction_at(model, 0)));
  }
  nsds_model_destroy(model);
  nsds_model_destroy(fresh);
}

static void count_warnings(nsds_log_level level, const char *message, void *user) {
  if (level == NSDS_LOG_WARNING && strstr(message, "t1 = ")) ++*(int *)user;
}

/* Asking again at the end is worth a warning, but not the first time after the end was moved. */
static void stepping_past_the_end(void **state) {
  (void)state;
  int warnings = 0;
  nsds_context *context =
      nsds_context_create(&(nsds_context_def){.log = count_warnings, .log_user = &warnings});
  nsds_model *model = nsds_model_create(context);
  falling(model, "ball", 1.0);
  nsds_simulation *simulation = run(model, &(nsds_time_stepping_def){.t1 = 0.1, .h = 0.05}, 0);
  assert_int_equal(warnings, 0);
  assert_int_equal(nsds_step(simulation), NSDS_END);
  assert_int_equal(warnings, 1);
  assert_ok(model, nsds_simulation_set_end(simulation, 0.2));
  assert_int_equal(nsds_run(simulation), NSDS_END);
  assert_int_equal(warnings, 1);
  assert_int_equal(nsds_step(simulation), NSDS_END);
  assert_int_equal(warnings, 2);
  nsds_model_destroy(model);
  nsds_context_destroy(context);
}

/* The end: the last step is shortened to land on it; it can be moved while time goes on. */
static void the_end_is_met_and_moved(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ball = falling(model, "ball", 1.0);
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t0 = 2.0, .t1 = 2.35, .h = 0.1});
  assert_sound(model);
  assert_near(nsds_time(simulation), 2.0, 0.0);
  assert_int_equal(nsds_run(simulation), NSDS_END);
  assert_int_equal(nsds_step_count(simulation), 4);
  assert_near(nsds_time(simulation), 2.35, 0.0);
  assert_near(nsds_simulation_info(simulation)->h, 0.05, 1e-15);
  assert_near(nsds_q(ball)[0], 1.0 - 0.5 * g * 0.35 * 0.35, 1e-14);
  assert_int_equal(nsds_step(simulation), NSDS_END); /* nothing happens any more */
  assert_near(nsds_time(simulation), 2.35, 0.0);
  assert_int_equal(nsds_step_count(simulation), 4);
  assert_ok(model, nsds_simulation_set_end(simulation, 2.65));
  assert_ok(model, nsds_step(simulation));
  assert_near(nsds_time(simulation), 2.45, 1e-15); /* full steps from here on */
  assert_near(nsds_simulation_info(simulation)->h, 0.1, 1e-15);
  assert_int_equal(nsds_run(simulation), NSDS_END);
  assert_near(nsds_time(simulation), 2.65, 0.0);
  assert_int_equal(nsds_step_count(simulation), 7);
  assert_near(nsds_q(ball)[0], 1.0 - 0.5 * g * 0.65 * 0.65, 1e-14);
  assert_ok(model, nsds_simulation_set_end(simulation, 2.65)); /* now is allowed, and is the end */
  assert_int_equal(nsds_step(simulation), NSDS_END);
  assert_sound(model);
  nsds_model_destroy(model);
  /* 10^4 steps of 1e-4 are 1 and not a step more or less, and the times do not drift */
  model = nsds_model_create(NULL);
  falling(model, "ball", 1.0);
  simulation = run(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-4}, 7777);
  assert_near(nsds_time(simulation), 7777 * 1e-4, 0.0);
  assert_int_equal(nsds_run(simulation), NSDS_END);
  assert_int_equal(nsds_step_count(simulation), 10000);
  assert_near(nsds_time(simulation), 1.0, 0.0);
  nsds_model_destroy(model);
}

static uint64_t run_hash(int beads) {
  static bead_scene scene;
  nsds_model *model = nsds_model_create(NULL);
  scene_bead_column(model, &scene, beads, 0.1, 1.0, 0.25, 0.9);
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3});
  uint64_t hash = 0;
  while (nsds_step(simulation) == NSDS_OK) hash = state_hash(model, hash);
  assert_sound(model);
  nsds_model_destroy(model);
  return hash;
}

static void the_same_run_gives_the_same_bits(void **state) {
  (void)state;
  const int beads[] = {1, 2, 10, 80};
  for (int k = 0; k < 4; ++k) assert_true(run_hash(beads[k]) == run_hash(beads[k]));
  assert_true(run_hash(2) != run_hash(10));
}

/* Two simulations on one model, one after the other, go on where the model is. */
static void simulations_in_turn(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ball = falling(model, "ball", 1.0);
  nsds_simulation *a = run(model, &(nsds_time_stepping_def){.t1 = 0.1, .h = 0.01}, 0);
  nsds_simulation_destroy(a);
  nsds_simulation *b = run(model, &(nsds_time_stepping_def){.t0 = 0.1, .t1 = 0.4, .h = 0.002}, 0);
  assert_near(nsds_q(ball)[0], 1.0 - 0.5 * g * 0.16, 1e-14);
  nsds_simulation *c = run(model, &(nsds_time_stepping_def){.t0 = 0.4, .t1 = 0.5, .h = 0.01}, 0);
  assert_near(nsds_q(ball)[0], 1.0 - 0.5 * g * 0.25, 1e-14);
  assert_int_equal(nsds_step_count(b), 150);
  assert_int_equal(nsds_step_count(c), 10);
  nsds_model_destroy(model); /* with two of them alive */
}

static bool contains(nsds_interaction *const *list, int n, const nsds_interaction *what) {
  for (int k = 0; k < n; ++k)
    if (list[k] == what) return true;
  return false;
}

/* Neighbours in the graph: contacts that share a bead. */
static void linked_interactions(void **state) {
  (void)state;
  enum { n = 7 };
  static bead_scene s;
  nsds_model *model = nsds_model_create(NULL);
  scene_bead_column(model, &s, n, 0.1, 1.0, 0.25, 0.9);
  nsds_interaction *linked[n];
  for (int i = 0; i < n; ++i) {
    int expected = i == 0 || i == n - 1 ? 1 : 2;
    assert_int_equal(nsds_linked_interactions(s.contact[i], n, linked), expected);
    for (int j = 0; j < n; ++j)
      assert_int_equal(contains(linked, expected, s.contact[j]), j == i - 1 || j == i + 1);
    assert_int_equal(nsds_linked_interactions(s.contact[i], 0, NULL), expected);
    linked[0] = linked[1] = NULL;
    assert_int_equal(nsds_linked_interactions(s.contact[i], 1, linked), expected);
    assert_non_null(linked[0]);
    assert_null(linked[1]);
    assert_int_equal(nsds_interaction_ds_count(s.contact[i]), i == 0 ? 1 : 2);
    assert_ptr_equal(nsds_interaction_ds(s.contact[i], 0), s.bead[i == 0 ? 0 : i - 1]);
    assert_ptr_equal(nsds_interaction_ds(s.contact[i], 1), i == 0 ? NULL : s.bead[i]);
    assert_null(nsds_interaction_ds(s.contact[i], 2));
    assert_null(nsds_interaction_ds(s.contact[i], -1));
  }
  assert_ok(model, nsds_disconnect(s.contact[3]));
  assert_int_equal(nsds_linked_interactions(s.contact[2], n, linked), 1);
  assert_ptr_equal(linked[0], s.contact[1]);
  assert_int_equal(nsds_linked_interactions(s.contact[4], n, linked), 1);
  assert_int_equal(nsds_linked_interactions(NULL, n, linked), 0);
  assert_null(nsds_interaction_at(model, n - 1));
  assert_null(nsds_interaction_at(model, -1));
  assert_null(nsds_ds_at(model, n));
  assert_ptr_equal(nsds_ds_at(model, 4), s.bead[4]);
  assert_string_equal(nsds_ds_name(s.bead[4]), "bead 4");
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_come_and_go),
      cmocka_unit_test(systems_are_added),
      cmocka_unit_test(settings_act_like_a_new_run),
      cmocka_unit_test(a_state_is_seen_at_once),
      cmocka_unit_test(the_end_is_met_and_moved),
      cmocka_unit_test(stepping_past_the_end),
      cmocka_unit_test(the_same_run_gives_the_same_bits),
      cmocka_unit_test(simulations_in_turn),
      cmocka_unit_test(linked_interactions),
  };
  return cmocka_run_group_tests_name("kernel.lifecycle", tests, NULL, NULL);
}
