/*
 * Time stepping in joint coordinates: drawn trees of all kinds of joints against the equations of motion of
 * nsds_tree_dynamics(), order and closed joints; momentum without outer forces; contacts, drives, loops and stops beside
 * maximal coordinates.
 */
#include "drawn_tree.h"

static nsds_simulation *in_joints(nsds_model *m, double t1, double h) {
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){.t1 = t1, .h = h, .coordinates = NSDS_COORDINATES_JOINT});
  assert_sound(m);
  return s;
}

/* ---- smooth motion ---- */

static double largest_gap(nsds_model *m) {
  double most = 0.0, first[3], second[3];
  for (int k = 0; k < nsds_interaction_count(m); ++k) {
    const nsds_interaction *ia = nsds_interaction_at(m, k);
    nsds_joint_kind kind = NSDS_JOINT_BALL;
    (void)kind;
    if (nsds_joint_points(ia, first, second)) continue;
    for (int i = 0; i < nsds_interaction_size(ia); ++i) most = worse(most, fabs(nsds_y(ia)[i]));
  }
  return most;
}

static double error_with(uint64_t seed, int n, double t1, double h) {
  uint64_t from = seed;
  drawn_tree t = draw_tree(n, &from);
  draw_state(&t, &from);
  assert_ok(t.m, nsds_tree_set_state(t.tree, t.q, t.u));
  nsds_simulation *s = in_joints(t.m, t1, h);
  nsds_status status;
  while ((status = nsds_step(s)) == NSDS_OK) assert_near(largest_gap(t.m), 0.0, 1e-12);
  assert_status(t.m, status, NSDS_END);
  double place[7 * most_bodies], twist[6 * most_bodies], most = 0.0;
  for (int k = 0; k < 200; ++k) runge_kutta(&t, t1 / 200);
  assert_ok(t.m, nsds_tree_forward(t.tree, t.q, t.u, place, twist));
  for (int k = 0; k < t.n; ++k) {
    int own = number_of(&t, k);
    for (int i = 0; i < 3; ++i) most = worse(most, fabs(nsds_q(t.ds[own])[i] - place[7 * k + i]));
    for (int i = 0; i < 6; ++i) most = worse(most, fabs(nsds_v(t.ds[own])[i] - twist[6 * k + i]));
  }
  nsds_tree_destroy(t.tree);
  nsds_model_destroy(t.m);
  return most;
}

static void drawn_trees_follow_their_equations(void **state) {
  (void)state;
  for (int draw = 0; draw < 40; ++draw) {
    uint64_t seed = (uint64_t)(100 + draw);
    double coarse = error_with(seed, 1 + draw % 8, 0.1, 2e-3);
    double fine = error_with(seed, 1 + draw % 8, 0.1, 1e-3);
    printf("%d: %g %g order %g\n", draw, coarse, fine, log2(coarse / fine));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drawn_trees_follow_their_equations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
