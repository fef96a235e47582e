/*
 * Time stepping in joint coordinates: drawn trees of all kinds of joints against the equations of motion of
 * nsds_tree_dynamics(), closed joints, momentum, the forces of joints beside maximal coordinates; a table that stands on
 * driven legs; joints that come and go; what is refused.
 */
#include "drawn_tree.h"

static nsds_simulation *start_of(nsds_model *m, double t1, double h, nsds_coordinates coordinates) {
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){.t1 = t1, .h = h, .coordinates = coordinates});
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

/* ---- smooth motion ---- */

static void assert_closed(nsds_model *m) {
  for (int k = 0; k < nsds_interaction_count(m); ++k) {
    const nsds_interaction *ia = nsds_interaction_at(m, k);
    for (int i = 0; i < nsds_interaction_size(ia); ++i) {
      assert_near(nsds_y(ia)[i], 0.0, 1e-12);
      assert_near(nsds_ydot(ia)[i], 0.0, 1e-11);
    }
  }
}

static void linear_momentum(const drawn_tree *t, double *p) {
  for (int i = 0; i < 3; ++i) p[i] = 0.0;
  for (int k = 0; k < t->n; ++k)
    for (int i = 0; i < 3; ++i) p[i] += t->mass[k] * nsds_v(t->ds[k])[i];
}

/* The largest error at t1. The momentum of free trees changes by their weight alone. */
static double error_of(uint64_t seed, int n, double t1, double h) {
  drawn_tree t = start_tree(seed, n);
  double before[3], after[3], mass = 0.0;
  bool free_tree = true;
  for (int k = 0; k < t.n; ++k) {
    nsds_tree_body b;
    assert_ok(t.m, nsds_tree_at(t.tree, k, &b));
    free_tree = free_tree && (b.parent >= 0 || !b.joint);
    mass += t.mass[k];
  }
  linear_momentum(&t, before);
  nsds_simulation *s = start_of(t.m, t1, h, NSDS_COORDINATES_JOINT);
  nsds_status status;
  while ((status = nsds_step(s)) == NSDS_OK) assert_closed(t.m);
  assert_status(t.m, status, NSDS_END);
  linear_momentum(&t, after);
  for (int i = 0; free_tree && i < 3; ++i)
    assert_near(after[i], before[i] + t1 * mass * gravity[i], 1e-8 * mass); /* of Newton's method */
  double place[7 * most_bodies], twist[6 * most_bodies], most = 0.0;
  for (int k = 0; k < 200; ++k) runge_kutta(&t, t1 / 200);
  assert_ok(t.m, nsds_tree_forward(t.tree, t.q, t.u, place, twist));
  for (int k = 0; k < t.n; ++k) {
    int own = number_of(&t, k);
    for (int i = 0; i < 3; ++i) most = worse(most, fabs(nsds_q(t.ds[own])[i] - place[7 * k + i]));
    for (int i = 0; i < 6; ++i) most = worse(most, fabs(nsds_v(t.ds[own])[i] - twist[6 * k + i]));
  }
  end_tree(&t);
  return most;
}

/* A pendulum of two bars at `away`, which hangs on the world beside another robot at the origin. */
static nsds_ds *add_pendulum(nsds_model *m, double away) {
  nsds_ds *bar[2];
  const double J[9] = {0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1};
  for (int k = 0; k < 2; ++k) {
    const double q0[7] = {away + 0.5 + k, 0, 0, 1, 0, 0, 0};
    bar[k] = nsds_rigid_body(
        m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = J, .gravity = {0, 0, -9.81}, .q0 = q0});
    nsds_joint_def hinge = {
        .kind = NSDS_JOINT_HINGE, .ds = {bar[k], k ? bar[0] : NULL}, .axis = {0, 1, k ? 0.1 : 0}};
    hinge.point[0] = away + k;
    nsds_connect(m, nsds_joint(m, &hinge), nsds_equality(m), k ? 2 : 1, hinge.ds);
  }
  assert_sound(m);
  return bar[1];
}

/* Robots far apart lost digits: all had the origin of the first. Places have 1e-10 m there. */
static void robots_far_apart_keep_their_digits(void **state) {
  (void)state;
  nsds_ds *tip[2];
  const double away = 1048576.0;
  nsds_model *m = nsds_model_create(NULL);
  for (int k = 0; k < 2; ++k) tip[k] = add_pendulum(m, k * away);
  nsds_tree *tree = nsds_tree_create(m);
  const double q[4] = {0.3, 0.3, 0.3, 0.3}, u[4] = {1.0, 1.0, 1.0, 1.0};
  double a[4], M[16];
  int own[2];
  assert_ok(m, nsds_tree_dynamics(tree, q, u, NULL, a));
  assert_ok(m, nsds_tree_mass(tree, q, M));
  for (int i = 0; i < 4; ++i) {
    nsds_tree_body b;
    assert_ok(m, nsds_tree_at(tree, i, &b));
    for (int k = 0; k < 2; ++k)
      if (b.ds == tip[k]) own[k] = b.u;
  }
  assert_near(a[own[1]], a[own[0]], 1e-7);
  assert_near(M[5 * own[1]], M[5 * own[0]], 1e-8);
  nsds_tree_destroy(tree);
  nsds_simulation *s = start_of(m, 1.0, 1e-3, NSDS_COORDINATES_JOINT);
  nsds_status status;
  while ((status = nsds_step(s)) == NSDS_OK) {
  }
  assert_status(m, status, NSDS_END);
  for (int i = 0; i < 7; ++i)
    assert_near(nsds_q(tip[1])[i], nsds_q(tip[0])[i] + (i == 0 ? away : 0.0), 1e-8);
  for (int i = 0; i < 6; ++i) assert_near(nsds_v(tip[1])[i], nsds_v(tip[0])[i], 1e-7);
  nsds_model_destroy(m);
}

/* J of the end of a step acts on its momenta: order 1. */
static void drawn_trees_follow_their_equations(void **state) {
  (void)state;
  int tried = 0;
  for (int draw = 0; draw < 60; ++draw) {
    uint64_t seed = (uint64_t)(100 + draw);
    int n = draw < 50 ? 1 + draw % 8 : 20;
    double coarse = error_of(seed, n, 0.05, 1e-3), fine = error_of(seed, n, 0.05, 5e-4);
    assert_between(fine, 0.0, 2e-2);
    if (coarse < 1e-8) continue; /* all is fixed, or exact */
    assert_near(order_of(coarse, fine), 1.0, 0.1);
    ++tried;
  }
  assert_true(tried > 40);
}

/* Forces of joints after two steps beside those of maximal coordinates, which differ by order 2. */
static double force_difference(uint64_t seed, int n, double h, double *size) {
  drawn_tree t[2];
  double most = 0.0;
  for (int c = 0; c < 2; ++c) {
    t[c] = start_tree(seed, n);
    nsds_simulation *s =
        start_of(t[c].m, 1.0, h, c ? NSDS_COORDINATES_JOINT : NSDS_COORDINATES_MAXIMAL);
    for (int k = 0; k < 2; ++k) assert_ok(t[c].m, nsds_step(s));
  }
  *size = 0.0;
  for (int k = 0; k < nsds_interaction_count(t[0].m); ++k) {
    const nsds_interaction *ia[2] = {nsds_interaction_at(t[0].m, k),
                                     nsds_interaction_at(t[1].m, k)};
    for (int i = 0; i < nsds_interaction_size(ia[0]); ++i) {
      most = worse(most, fabs(nsds_lambda(ia[0])[i] - nsds_lambda(ia[1])[i]));
      *size = worse(*size, fabs(nsds_lambda(ia[0])[i]));
    }
  }
  for (int c = 0; c < 2; ++c) end_tree(&t[c]);
  return most;
}

static void joints_bear_the_same_forces(void **state) {
  (void)state;
  for (int draw = 0; draw < 40; ++draw) {
    double size, off = force_difference((uint64_t)(500 + draw), 2 + draw % 6, 1e-4, &size);
    assert_between(off, 0.0, 1e-7 * (1.0 + size));
  }
}

/* ---- contacts and drives ---- */

enum { legs = 4 };
static const double weight = 9.81;

typedef struct standing {
  nsds_model *m;
  nsds_ds *top, *leg[legs];
  nsds_contact_set *set;
  double mass;
} standing;

/* A plate on four legs that hinges with stiff drives hold, above a floor; feet are balls. */
static standing make_table(void) {
  standing t = {.m = nsds_model_create(NULL), .mass = 2.0 + legs * 0.3};
  const double plate[9] = {0.02, 0, 0, 0, 0.03, 0, 0, 0, 0.05},
               rod[9] = {2e-3, 0, 0, 0, 2e-3, 0, 0, 0, 1e-4};
  nsds_shape_def shape[1 + legs] = {{.kind = NSDS_HALF_SPACE, .plane = {{0, 0, 1}, 0}}};
  t.top = nsds_rigid_body(t.m, &(nsds_rigid_body_def){.mass = 2.0,
                                                      .inertia = plate,
                                                      .gravity = {0, 0, -weight},
                                                      .q0 = (double[]){0, 0, 0.35, 1, 0, 0, 0}});
  for (int k = 0; k < legs; ++k) {
    double x = k & 1 ? 0.2 : -0.2, y = k & 2 ? 0.15 : -0.15;
    t.leg[k] =
        nsds_rigid_body(t.m, &(nsds_rigid_body_def){.mass = 0.3,
                                                    .inertia = rod,
                                                    .gravity = {0, 0, -weight},
                                                    .q0 = (double[]){x, y, 0.2, 1, 0, 0, 0}});
    nsds_joint_def hinge = {.kind = NSDS_JOINT_HINGE,
                            .ds = {t.leg[k], t.top},
                            .point = {x, y, 0.35},
                            .axis = {0, 1, 0}};
    nsds_connect(t.m, nsds_joint(t.m, &hinge), nsds_equality(t.m), 2, hinge.ds);
    nsds_joint_drive_def drive = {.coordinate = {.kind = NSDS_COORDINATE_ANGLE,
                                                 .ds = {t.leg[k], t.top},
                                                 .point = {x, y, 0.35},
                                                 .axis = {0, 1, 0}},
                                  .stiffness = 200.0,
                                  .damping = 4.0,
                                  .target = k & 1 ? 0.1 : -0.1};
    nsds_connect(t.m, nsds_joint_drive(t.m, &drive), nsds_equality(t.m), 2, hinge.ds);
    shape[1 + k] = (nsds_shape_def){
        .kind = NSDS_SPHERE, .ds = t.leg[k], .radius = 0.03, .position = {0, 0, -0.15}};
  }
  t.set = nsds_shapes(t.m, &(nsds_shapes_def){.nmaterial = 1,
                                              .material = &(nsds_material){.mu = 0.7},
                                              .nshape = 1 + legs,
                                              .shape = shape});
  assert_sound(t.m);
  return t;
}

/* Forces of the floor push and lie in their cones; at rest they carry the table. */
static void check_floor(const standing *t, bool rests) {
  double sum = 0.0;
  int count = 0;
  nsds_contact_info c;
  nsds_contact_iterator at = nsds_set_contacts(t->set);
  while (nsds_next_contact(&at, &c)) {
    double friction = sqrt(c.force[1] * c.force[1] + c.force[2] * c.force[2]);
    assert_between(c.force[0], 0.0, 1e4);
    assert_between(friction, 0.0, 0.7 * c.force[0] * (1.0 + 1e-8) + 1e-9);
    sum += c.world_force[2];
    count += c.force[0] > 0.0;
  }
  if (!rests) return;
  assert_int_equal(count, legs);
  assert_near(sum, t->mass * weight, 1e-6);
}

static void a_table_stands_on_driven_legs(void **state) {
  (void)state;
  double q[4][7];
  for (int c = 0; c < 4; ++c) { /* 1, 3: in joint coordinates; 2, 3: projected */
    standing t = make_table();
    nsds_time_stepping_def def = {.t1 = 4.0,
                                  .h = 1e-3,
                                  .coordinates =
                                      c & 1 ? NSDS_COORDINATES_JOINT : NSDS_COORDINATES_MAXIMAL};
    if (c & 2) def.projection.kind = NSDS_PROJECTION_DIRECT;
    nsds_simulation *s = nsds_time_stepping(t.m, &def);
    assert_sound(t.m);
    nsds_status status;
    while ((status = nsds_step(s)) == NSDS_OK) check_floor(&t, false);
    assert_status(t.m, status, NSDS_END);
    check_floor(&t, true);
    memcpy(q[c], nsds_q(t.top), sizeof q[c]);
    for (int i = 0; i < 6; ++i) assert_near(nsds_v(t.top)[i], 0.0, 1e-8);
    nsds_model_destroy(t.m);
  }
  for (int c = 1; c < 4; ++c)
    for (int i = 0; i < 7; ++i) assert_near(q[c][i], q[0][i], 1e-3);
}

/* ---- changes and returns ---- */

/* A step that is saved, and made again from there, has the same bits. */
static void a_saved_step_has_the_same_bits(void **state) {
  (void)state;
  standing t = make_table();
  double q[2][7], v[2][6];
  nsds_simulation *s = start_of(t.m, 1.0, 1e-3, NSDS_COORDINATES_JOINT);
  for (int k = 0; k < 100; ++k) assert_ok(t.m, nsds_step(s));
  assert_ok(t.m, nsds_simulation_save(s));
  for (int trial = 0; trial < 2; ++trial) {
    for (int k = 0; k < 150; ++k) assert_ok(t.m, nsds_step(s));
    memcpy(q[trial], nsds_q(t.leg[3]), sizeof q[trial]);
    memcpy(v[trial], nsds_v(t.leg[3]), sizeof v[trial]);
    assert_ok(t.m, nsds_simulation_restore(s));
  }
  assert_memory_equal(q[0], q[1], sizeof q[0]);
  assert_memory_equal(v[0], v[1], sizeof v[0]);
  nsds_model_destroy(t.m);
}

/* A leg whose hinge and drive go falls freely; tied again, it moves with the table. */
static void joints_come_and_go(void **state) {
  (void)state;
  standing t = make_table();
  nsds_simulation *s = start_of(t.m, 1.0, 1e-3, NSDS_COORDINATES_JOINT);
  for (int k = 0; k < 5; ++k) assert_ok(t.m, nsds_step(s));
  for (int k = 1; k >= 0; --k) nsds_disconnect(nsds_interaction_at(t.m, k)); /* of leg 0 */
  assert_sound(t.m);
  double z = nsds_q(t.leg[0])[2], v = nsds_v(t.leg[0])[2], x[3], y[3];
  for (int k = 0; k < 20; ++k) assert_ok(t.m, nsds_step(s));
  assert_near(nsds_v(t.leg[0])[2], v - 0.02 * weight, 1e-12);
  assert_near(nsds_q(t.leg[0])[2], z + 0.02 * v - 0.5 * 0.02 * 0.02 * weight, 1e-12);
  nsds_joint_def ball = {.kind = NSDS_JOINT_BALL, .ds = {t.leg[0], t.top}};
  memcpy(ball.point, nsds_q(t.leg[0]), sizeof ball.point);
  nsds_interaction *again =
      nsds_connect(t.m, nsds_joint(t.m, &ball), nsds_equality(t.m), 2, ball.ds);
  for (int k = 0; k < 20; ++k) {
    assert_ok(t.m, nsds_step(s));
    assert_ok(t.m, nsds_joint_points(again, x, y));
    for (int i = 0; i < 3; ++i) assert_near(x[i], y[i], 1e-13);
  }
  nsds_model_destroy(t.m);
}

/* The row of an angle was left out as one that the tree holds, because the tree had become so long that
 * hardly anything turned it. */
static void rows_of_long_trees_stay(void **state) {
  (void)state;
  const double J[9] = {0.1, 0, 0, 0, 0.2, 0, 0, 0, 0.25};
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[2];
  nsds_law *law = nsds_equality(m);
  nsds_interaction *angle = NULL;
  for (int k = 0; k < 2; ++k) {
    const double q0[7] = {k ? 5e3 : 0.0, 0, 0, 1, 0, 0, 0}, v0[6] = {0, 0, 0, 0, 0, k ? 0.0 : 0.5};
    ds[k] = nsds_rigid_body(
        m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = J, .q0 = q0, .v0 = k ? NULL : v0});
    nsds_joint_def def = {.kind = k ? NSDS_JOINT_FIXED : NSDS_JOINT_HINGE,
                          .ds = {ds[k], k ? ds[0] : NULL},
                          .axis = {0, 0, 1}};
    nsds_connect(m, nsds_joint(m, &def), law, k + 1, def.ds);
  }
  nsds_joint_coordinate_def coordinate = {
      .kind = NSDS_COORDINATE_ANGLE, .ds = {ds[0]}, .axis = {0, 0, 1}};
  angle = nsds_connect(m, nsds_joint_coordinate(m, &coordinate), law, 1, ds);
  nsds_simulation *s = start_of(m, 1.0, 1e-3, NSDS_COORDINATES_JOINT);
  for (int k = 0; k < 10; ++k) assert_ok(m, nsds_step(s));
  assert_near(nsds_ydot(angle)[0], 0.0, 1e-12);
  nsds_model_destroy(m);
}

/* ---- refusals ---- */

static void refusals_say_what_is_valid(void **state) {
  (void)state;
  const struct {
    nsds_time_stepping_def def;
    const char *words[3];
  } refused[] = {
      {{.coordinates = (nsds_coordinates)2}, {"coordinates is 2", "joint"}},
      {{.coordinates = NSDS_COORDINATES_JOINT,
        .projection = {.kind = NSDS_PROJECTION_DIRECT, .metric = NSDS_METRIC_COORDINATES}},
       {"NSDS_COORDINATES_JOINT", "projection.metric is 1", "NSDS_METRIC_MASS"}},
      {{.coordinates = NSDS_COORDINATES_JOINT, .second_order = nsds_rattle()},
       {"NSDS_COORDINATES_JOINT", "nsds_moreau_jean()"}}};
  for (size_t k = 0; k < sizeof refused / sizeof *refused; ++k) {
    standing t = make_table();
    nsds_time_stepping_def def = refused[k].def;
    def.t1 = 1.0;
    def.h = 1e-3;
    assert_null(nsds_time_stepping(t.m, &def));
    assert_words(nsds_error_message(nsds_model_context(t.m)), refused[k].words, 3);
    nsds_model_destroy(t.m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drawn_trees_follow_their_equations),
      cmocka_unit_test(robots_far_apart_keep_their_digits),
      cmocka_unit_test(joints_bear_the_same_forces),
      cmocka_unit_test(a_table_stands_on_driven_legs),
      cmocka_unit_test(a_saved_step_has_the_same_bits),
      cmocka_unit_test(joints_come_and_go),
      cmocka_unit_test(rows_of_long_trees_stay),
      cmocka_unit_test(refusals_say_what_is_valid),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
