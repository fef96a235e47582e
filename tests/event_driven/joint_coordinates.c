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

/* ---- impulses ---- */

/* A chain of hinged bars, the first on the world, with a ball at its tip above a floor. */
static robot make_chain(int n, nsds_coordinates coordinates, double t1) {
  robot r = {.m = nsds_model_create(NULL), .n = n};
  const double J[9] = {2e-3, 0, 0, 0, 2e-2, 0, 0, 0, 2e-2};
  for (int k = 0; k < n; ++k) {
    const double q0[7] = {0.5 * k + 0.25, 0, 0, 1};
    r.ds[k] = nsds_rigid_body(
        r.m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = J, .gravity = {0, 0, -9.81}, .q0 = q0});
    nsds_joint_def hinge = {.kind = NSDS_JOINT_HINGE,
                            .ds = {r.ds[k], k ? r.ds[k - 1] : NULL},
                            .point = {0.5 * k, 0, 0},
                            .axis = {0, 1, 0.2 * k}};
    nsds_connect(r.m, nsds_joint(r.m, &hinge), nsds_equality(r.m), k ? 2 : 1, hinge.ds);
  }
  nsds_shape_def shape[2] = {
      {.kind = NSDS_HALF_SPACE, .plane = {{0, 0, 1}, -0.3}},
      {.kind = NSDS_SPHERE, .ds = r.ds[n - 1], .radius = 0.05, .position = {0.2, 0, 0}}};
  r.floor = nsds_shapes(r.m, &(nsds_shapes_def){.nmaterial = 1,
                                                .material = &(nsds_material){.mu = 0.4, .e_n = 0.6},
                                                .nshape = 2,
                                                .shape = shape});
  r.tree = nsds_tree_create(r.m);
  r.s = start_of(r.m, t1, t1 / 20, coordinates);
  return r;
}

static void step_to_impact(robot *r) {
  do assert_ok(r->m, nsds_step(r->s));
  while (!(nsds_simulation_event(r->s)->kind & NSDS_EVENT_IMPACT));
}

/* Impulses of joints and bodies, and forces on bodies, at the first impacts. */
static void impacts_pass_through_joints(void **state) {
  (void)state;
  robot r[2];
  for (int c = 0; c < 2; ++c)
    r[c] = make_chain(4, c ? NSDS_COORDINATES_JOINT : NSDS_COORDINATES_MAXIMAL, 1.0);
  for (int impact = 0; impact < 3; ++impact) {
    double p[2][6];
    for (int c = 0; c < 2; ++c) step_to_impact(&r[c]);
    assert_near(nsds_time(r[1].s), nsds_time(r[0].s), 1e-8);
    for (int k = 0; k < 4; ++k) {
      const nsds_interaction *ia[2] = {nsds_interaction_at(r[0].m, k),
                                       nsds_interaction_at(r[1].m, k)};
      for (int i = 0; i < 5; ++i) assert_near(nsds_impulse(ia[1])[i], nsds_impulse(ia[0])[i], 1e-6);
      for (int c = 0; c < 2; ++c) assert_ok(r[c].m, nsds_event_force(r[c].s, r[c].ds[k], p[c]));
      for (int i = 0; i < 6; ++i) {
        assert_near(nsds_p(r[1].ds[k])[i], nsds_p(r[0].ds[k])[i], 1e-6);
        assert_near(p[1][i], p[0][i], 1e-5 * (1.0 + fabs(p[0][i])));
      }
    }
  }
  for (int c = 0; c < 2; ++c) end_robot(&r[c]);
}

/* ---- loops ---- */

/* A ring of n bars with parallel hinges, one of which closes it: three of its five rows repeat what the tree
 * holds. Returns the place of the bar opposite. */
static void swing_ring(nsds_coordinates coordinates, double tilt, double *q) {
  enum { bars = 4 };
  static const double corner[bars][2] = {{0, 0}, {1.0, 0.1}, {1.2, -0.9}, {0.1, -1.1}};
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[bars] = {NULL};
  const double J[9] = {0.02, 0, 0, 0, 0.1, 0, 0, 0, 0.1}, axis[3] = {0, cos(tilt), sin(tilt)};
  double at[bars][3];
  for (int k = 0; k < bars; ++k) {
    at[k][0] = corner[k][0];
    at[k][1] = -corner[k][1] * sin(tilt);
    at[k][2] = corner[k][1] * cos(tilt);
  }
  for (int k = 0; k < bars - 1; ++k) {
    double q0[7] = {0, 0, 0, 1};
    for (int i = 0; i < 3; ++i) q0[i] = 0.5 * (at[k][i] + at[k + 1][i]);
    ds[k] = nsds_rigid_body(
        m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = J, .gravity = {2, 0, -9.81}, .q0 = q0});
  }
  for (int k = 0; k < bars; ++k) {
    nsds_joint_def hinge = {.kind = NSDS_JOINT_HINGE};
    hinge.ds[0] = k < bars - 1 ? ds[k] : ds[bars - 2];
    hinge.ds[1] = k > 0 && k < bars - 1 ? ds[k - 1] : NULL;
    memcpy(hinge.point, at[k], sizeof at[k]);
    memcpy(hinge.axis, axis, sizeof axis);
    nsds_connect(m, nsds_joint(m, &hinge), nsds_equality(m), hinge.ds[1] ? 2 : 1, hinge.ds);
  }
  nsds_simulation *s = start_of(m, 1.0, 0.1, coordinates);
  nsds_status status;
  while ((status = nsds_step(s)) == NSDS_OK)
    for (int k = 0; k < bars; ++k)
      for (int i = 0; i < 5; ++i) assert_near(nsds_y(nsds_interaction_at(m, k))[i], 0.0, 1e-7);
  assert_status(m, status, NSDS_END);
  memcpy(q, nsds_q(ds[1]), 7 * sizeof *q);
  nsds_model_destroy(m);
}

static void rings_swing_alike(void **state) {
  (void)state;
  double q[2][7];
  for (int k = 0; k < 3; ++k) {
    for (int c = 0; c < 2; ++c)
      swing_ring(c ? NSDS_COORDINATES_JOINT : NSDS_COORDINATES_MAXIMAL, 0.4 * k, q[c]);
    for (int i = 0; i < 7; ++i) assert_near(q[1][i], q[0][i], 1e-6);
  }
}

/* ---- returns and windows ---- */

static void assert_same(const robot *r, double (*q)[7], bool take) {
  for (int k = 0; k < r->n; ++k) {
    if (take) memcpy(q[k], nsds_q(r->ds[k]), sizeof q[k]);
    else assert_memory_equal(q[k], nsds_q(r->ds[k]), sizeof q[k]);
  }
}

static void steps(robot *r, int n) {
  for (int k = 0; k < n; ++k) assert_ok(r->m, nsds_step(r->s));
}

/* A saved state and a snapshot, in the same and in another simulation, go on with the same bits. */
static void returns_have_the_same_bits(void **state) {
  (void)state;
  robot r = make_chain(3, NSDS_COORDINATES_JOINT, 2.0),
        other = make_chain(3, NSDS_COORDINATES_JOINT, 2.0);
  double q[most_parts][7];
  steps(&r, 25);
  assert_ok(r.m, nsds_simulation_save(r.s));
  nsds_snapshot *taken = nsds_snapshot_take(r.s);
  assert_sound(r.m);
  steps(&r, 25);
  assert_same(&r, q, true);
  assert_ok(r.m, nsds_simulation_restore(r.s));
  steps(&r, 25);
  assert_same(&r, q, false);
  assert_ok(r.m, nsds_snapshot_restore(r.s, taken));
  steps(&r, 25);
  assert_same(&r, q, false);
  size_t size;
  const void *bytes = nsds_snapshot_bytes(taken, &size);
  nsds_snapshot *copy = nsds_snapshot_from_bytes(nsds_model_context(other.m), bytes, size);
  assert_sound(other.m);
  assert_ok(other.m, nsds_snapshot_restore(other.s, copy));
  steps(&other, 25);
  assert_same(&other, q, false);
  nsds_snapshot_destroy(taken);
  nsds_snapshot_destroy(copy);
  end_robot(&r);
  end_robot(&other);
}

/* A window of time stepping has joint coordinates too, and events go on behind it. */
static void windows_keep_joints_closed(void **state) {
  (void)state;
  robot r = make_chain(3, NSDS_COORDINATES_JOINT, 1.0);
  steps(&r, 5);
  assert_ok(r.m, nsds_event_window(r.s, 0.01, 50));
  assert_closed(r.tree);
  for (int k = 0; k < 10; ++k) {
    steps(&r, 1);
    assert_closed(r.tree);
  }
  end_robot(&r);
}

/* A joint that goes becomes no row; one that comes joins the tree. */
static void joints_come_and_go(void **state) {
  (void)state;
  robot r = make_chain(3, NSDS_COORDINATES_JOINT, 1.0);
  steps(&r, 3);
  nsds_tree_destroy(r.tree);
  nsds_disconnect(nsds_interaction_at(r.m, 2));
  steps(&r, 3);
  nsds_joint_def ball = {.kind = NSDS_JOINT_BALL, .ds = {r.ds[2], r.ds[1]}};
  memcpy(ball.point, nsds_q(r.ds[1]), sizeof ball.point);
  nsds_connect(r.m, nsds_joint(r.m, &ball), nsds_equality(r.m), 2, ball.ds);
  r.tree = nsds_tree_create(r.m);
  double q[7 * most_parts], u[6 * most_parts];
  assert_ok(r.m, nsds_tree_get_state(r.tree, q, u));
  assert_ok(r.m, nsds_tree_set_state(r.tree, q, u));
  for (int k = 0; k < 8; ++k) {
    steps(&r, 1);
    assert_closed(r.tree);
  }
  end_robot(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drawn_trees_follow_their_equations),
      cmocka_unit_test(joints_bear_the_same_forces),
      cmocka_unit_test(drawn_robots_move_alike),
      cmocka_unit_test(impacts_pass_through_joints),
      cmocka_unit_test(rings_swing_alike),
      cmocka_unit_test(returns_have_the_same_bits),
      cmocka_unit_test(windows_keep_joints_closed),
      cmocka_unit_test(joints_come_and_go),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
