/*
 * Event-driven simulation in joint coordinates: drawn trees of all kinds of joints against the equations of motion of
 * nsds_tree_dynamics() and against maximal coordinates: motion, closed joints, forces of joints.
 */
#include "drawn_tree.h"

static nsds_simulation *start_of(nsds_model *m, double t1, double period,
                                 nsds_coordinates coordinates) {
  nsds_simulation *s = nsds_event_driven(
      m, &(nsds_event_driven_def){
             .t1 = t1, .output_period = period, .coordinates = coordinates});
  assert_sound(m);
  return s;
}

static drawn_tree start_tree(uint64_t seed, int n) {
  drawn_tree t = draw_tree(n, &seed);
  draw_state(&t, &seed);
  assert_ok(t.m, nsds_tree_set_state(t.tree, t.q, t.u));
  return t;
}

static void end_tree(drawn_tree *t) {
  nsds_tree_destroy(t->tree);
  nsds_model_destroy(t->m);
}

/* Checks that the joints of the tree are closed up to rounding. */
static void assert_closed(const nsds_tree *tree) {
  for (int k = 0; k < nsds_tree_size(tree); ++k) {
    nsds_tree_body b;
    nsds_tree_at(tree, k, &b);
    for (int i = 0; b.joint && i < nsds_interaction_size(b.joint); ++i) {
      assert_near(nsds_y(b.joint)[i], 0.0, 1e-12);
      assert_near(nsds_ydot(b.joint)[i], 0.0, 1e-11);
    }
  }
}

/* ---- smooth motion ---- */

/* Trees from a drawn state follow nsds_tree_dynamics(), to the tolerance of the integration. */
static void drawn_trees_follow_their_equations(void **state) {
  (void)state;
  for (int draw = 0; draw < 40; ++draw) {
    drawn_tree t = start_tree((uint64_t)(100 + draw), draw < 35 ? 1 + draw % 8 : 20);
    const double t1 = 0.2;
    nsds_simulation *s = start_of(t.m, t1, t1 / 8, NSDS_COORDINATES_JOINT);
    nsds_status status;
    while ((status = nsds_step(s)) == NSDS_OK) assert_closed(t.tree);
    assert_status(t.m, status, NSDS_END);
    double place[7 * most_bodies], twist[6 * most_bodies];
    for (int k = 0; k < 1600; ++k) runge_kutta(&t, t1 / 1600);
    assert_ok(t.m, nsds_tree_forward(t.tree, t.q, t.u, place, twist));
    for (int k = 0; k < t.n; ++k) {
      int own = number_of(&t, k);
      for (int i = 0; i < 3; ++i) assert_near(nsds_q(t.ds[own])[i], place[7 * k + i], 2e-8);
      for (int i = 0; i < 6; ++i) assert_near(nsds_v(t.ds[own])[i], twist[6 * k + i], 2e-7);
    }
    end_tree(&t);
  }
}

/* Forces of joints at the start and later, beside those in maximal coordinates. */
static void joints_bear_the_same_forces(void **state) {
  (void)state;
  for (int draw = 0; draw < 40; ++draw) {
    drawn_tree t[2];
    nsds_simulation *s[2];
    for (int c = 0; c < 2; ++c) {
      t[c] = start_tree((uint64_t)(500 + draw), 2 + draw % 6);
      s[c] = start_of(t[c].m, 0.02, 0.01, c ? NSDS_COORDINATES_JOINT : NSDS_COORDINATES_MAXIMAL);
    }
    for (int step = 0; step < 2; ++step) {
      for (int c = 0; c < 2; ++c) {
        nsds_status status = nsds_step(s[c]);
        assert_true(status == NSDS_OK || status == NSDS_END);
      }
      for (int k = 0; k < nsds_interaction_count(t[0].m); ++k) {
        const nsds_interaction *ia[2] = {nsds_interaction_at(t[0].m, k),
                                         nsds_interaction_at(t[1].m, k)};
        for (int i = 0; i < nsds_interaction_size(ia[0]); ++i) {
          double force = nsds_lambda(ia[0])[i];
          assert_near(nsds_lambda(ia[1])[i], force, 1e-6 * (1.0 + fabs(force)));
        }
      }
    }
    for (int c = 0; c < 2; ++c) end_tree(&t[c]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drawn_trees_follow_their_equations),
      cmocka_unit_test(joints_bear_the_same_forces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
