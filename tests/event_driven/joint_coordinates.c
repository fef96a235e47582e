/*
 * Event-driven simulation in joint coordinates: drawn trees of all kinds of joints against the equations of motion of
 * nsds_tree_dynamics() and against maximal coordinates: motion, closed joints, forces of joints.
 */
#include "drawn_tree.h"

static nsds_simulation *start_of(nsds_model *m, double t1, double period,
                                 nsds_coordinates coordinates) {
  nsds_simulation *s = nsds_event_driven(
      m, &(nsds_event_driven_def){.t1 = t1, .output_period = period, .coordinates = coordinates});
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

/* ---- robots ---- */

enum { most_parts = 6 };

/* A drawn robot of bodies with joints, on the world or free, with balls over a floor. Joints have drives, dry
 * friction and stops; a further joint may close a loop. */
typedef struct robot {
  nsds_model *m;
  int n;
  nsds_ds *ds[most_parts];
  nsds_joint_actions act[most_parts];
  nsds_contact_set *floor;
  nsds_tree *tree;
  nsds_simulation *s;
} robot;

static void draw_part(robot *r, uint64_t *seed) {
  const double q0[7] = {0.5 * r->n, random_in(seed, -0.1, 0.1), random_in(seed, 0.5, 0.7), 1};
  double J[9];
  draw_inertia(seed, J);
  r->ds[r->n++] = nsds_rigid_body(r->m, &(nsds_rigid_body_def){.mass = random_in(seed, 0.5, 2.0),
                                                               .inertia = J,
                                                               .q0 = q0,
                                                               .gravity = {0, 0, -9.81}});
}

static void draw_acting_joint(robot *r, uint64_t *seed) {
  static const nsds_joint_kind kinds[4] = {NSDS_JOINT_HINGE, NSDS_JOINT_HINGE, NSDS_JOINT_PRISMATIC,
                                           NSDS_JOINT_BALL};
  int k = r->n - 1, kind = kinds[(int)random_in(seed, 0.0, 3.999)];
  bool acts = kind != NSDS_JOINT_BALL, turns = kind == NSDS_JOINT_HINGE;
  nsds_joint_act_def act = {
      .coordinate = {.kind = turns ? NSDS_COORDINATE_ANGLE : NSDS_COORDINATE_DISPLACEMENT,
                     .ds = {r->ds[k], k ? r->ds[k - 1] : NULL},
                     .point = {0.5 * k - 0.25, random_in(seed, -0.2, 0.2),
                               random_in(seed, 0.5, 0.8)}},
      .friction = random_in(seed, -1.0, 1.0),
      .armature = random_in(seed, -0.1, 0.1),
      .damping = random_in(seed, 0.1, 1.0),
      .driven = random_in(seed, 0.0, 1.0) < 0.5};
  if (act.driven) {
    act.drive_stiffness = random_in(seed, 10.0, 100.0);
    act.drive_damping = random_in(seed, 0.1, 1.0);
    act.target = random_in(seed, -0.3, 0.3);
  }
  if (act.friction < 0.0) act.friction = 0.0;
  if (act.armature < 0.0) act.armature = 0.0;
  if (random_in(seed, 0.0, 1.0) < 0.6) {
    act.lower = random_in(seed, -0.2, -0.02);
    act.upper = -act.lower;
    act.restitution = random_in(seed, 0.0, 0.6);
  }
  nsds_joint_def joint = {.kind = (nsds_joint_kind)kind};
  draw_direction(seed, joint.axis);
  memcpy(act.coordinate.axis, joint.axis, sizeof joint.axis);
  memcpy(joint.point, act.coordinate.point, sizeof joint.point);
  memcpy(joint.ds, act.coordinate.ds, sizeof act.coordinate.ds);
  nsds_connect(r->m, nsds_joint(r->m, &joint), nsds_equality(r->m), k ? 2 : 1, joint.ds);
  if (acts) assert_ok(r->m, nsds_joint_act(r->m, &act, &r->act[k]));
}

static void draw_floor(robot *r, uint64_t *seed) {
  nsds_shape_def shape[1 + most_parts] = {{.kind = NSDS_HALF_SPACE, .plane = {{0, 0, 1}, 0}}};
  for (int k = 0; k < r->n; ++k)
    shape[1 + k] = (nsds_shape_def){.kind = NSDS_SPHERE, .ds = r->ds[k], .radius = 0.2};
  r->floor = nsds_shapes(
      r->m, &(nsds_shapes_def){.nmaterial = 1,
                               .material = &(nsds_material){.mu = random_in(seed, 0.1, 0.8),
                                                            .e_n = random_in(seed, 0.0, 0.5)},
                               .nshape = 1 + r->n,
                               .shape = shape});
  for (int k = 0; k + 1 < r->n; ++k)
    for (int j = k + 1; j < r->n; ++j) nsds_shapes_exclude(r->floor, r->ds[k], r->ds[j]);
}

static void draw_velocities(const robot *r, uint64_t *seed) {
  double q[7 * most_parts], u[6 * most_parts];
  assert_ok(r->m, nsds_tree_get_state(r->tree, q, u));
  for (int i = 0; i < nsds_tree_nu(r->tree); ++i) u[i] = random_in(seed, -1.0, 1.0);
  assert_ok(r->m, nsds_tree_set_state(r->tree, q, u));
}

static robot draw_robot(uint64_t seed, nsds_coordinates coordinates, double t1) {
  robot r = {.m = nsds_model_create(NULL)};
  int n = 1 + (int)random_in(&seed, 0.0, most_parts - 1e-9);
  bool fixed = random_in(&seed, 0.0, 1.0)<0.5, loop = n> 2 && random_in(&seed, 0.0, 1.0) < 0.3;
  for (int k = 0; k < n; ++k) {
    draw_part(&r, &seed);
    if (k || fixed) draw_acting_joint(&r, &seed);
  }
  if (loop) {
    nsds_joint_def rod = {.kind = NSDS_JOINT_DISTANCE,
                          .ds = {r.ds[n - 1], r.ds[0]},
                          .point = {0.5 * n - 0.5, 0, 0.6},
                          .other = {0, 0, 0.6}};
    nsds_connect(r.m, nsds_joint(r.m, &rod), nsds_equality(r.m), 2, rod.ds);
  }
  draw_floor(&r, &seed);
  assert_sound(r.m);
  r.tree = nsds_tree_create(r.m);
  if (!loop) draw_velocities(&r, &seed);
  r.s = start_of(r.m, t1, t1 / 20, coordinates);
  return r;
}

static void end_robot(robot *r) {
  nsds_tree_destroy(r->tree);
  nsds_model_destroy(r->m);
}

/* Runs to the end. Returns false if there are more than `most` events. */
static bool run_robot(robot *r, bool in_joints, int most) {
  nsds_status status = NSDS_OK;
  for (int k = 0; k < most && status == NSDS_OK; ++k) {
    status = nsds_step(r->s);
    if (status != NSDS_END) assert_ok(r->m, status);
    if (in_joints) assert_closed(r->tree);
  }
  return status == NSDS_END;
}

static void compare_forces(const robot *r) {
  for (int k = 0; k < nsds_interaction_count(r[0].m); ++k) {
    const nsds_interaction *ia[2] = {nsds_interaction_at(r[0].m, k),
                                     nsds_interaction_at(r[1].m, k)};
    for (int i = 0; i < nsds_interaction_size(ia[0]); ++i) {
      double force = nsds_lambda(ia[0])[i];
      assert_near(nsds_lambda(ia[1])[i], force, 1e-4 * (1.0 + fabs(force)));
    }
  }
}

/* Both coordinates come to the same place and the same forces, through impacts with friction, stops, drives, dry friction
 * and rods that close loops. Joints stay closed. Robots that bounce very often are left out. */
static void drawn_robots_move_alike(void **state) {
  (void)state;
  int compared = 0;
  for (int draw = 0; draw < 45; ++draw) {
    robot r[2];
    bool ends = true;
    for (int c = 0; c < 2; ++c) {
      r[c] = draw_robot((uint64_t)(900 + draw),
                        c ? NSDS_COORDINATES_JOINT : NSDS_COORDINATES_MAXIMAL, 0.5);
      ends = ends && run_robot(&r[c], c == 1, 350);
    }
    compared += ends;
    for (int k = 0; ends && k < r[0].n; ++k) {
      for (int i = 0; i < 7; ++i) assert_near(nsds_q(r[1].ds[k])[i], nsds_q(r[0].ds[k])[i], 1e-6);
      for (int i = 0; i < 6; ++i) assert_near(nsds_v(r[1].ds[k])[i], nsds_v(r[0].ds[k])[i], 1e-6);
    }
    if (ends) compare_forces(r);
    for (int c = 0; c < 2; ++c) end_robot(&r[c]);
  }
  assert_between(compared, 40, 45);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drawn_trees_follow_their_equations),
      cmocka_unit_test(joints_bear_the_same_forces),
      cmocka_unit_test(drawn_robots_move_alike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
