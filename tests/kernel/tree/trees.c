/*
 * Kinematic trees: 200 drawn trees of 1 to 60 joints of all kinds, against sums over the bodies of the model. Places
 * satisfy the joints of the model, M and the bias come from velocities of the bodies and their differences, forward and
 * inverse dynamics undo each other. Event-driven simulation has the same accelerations.
 */
#include "drawn_tree.h"

#include <stdlib.h>

/* The coordinates after the time s at constant u. */
static void coast(const drawn_tree *t, double s, double *to) {
  memcpy(to, t->q, sizeof t->q);
  for (int k = 0; k < t->n; ++k) {
    nsds_tree_body b;
    nsds_tree_at(t->tree, k, &b);
    bool ball = b.nq == 4 || b.nq == 7;
    for (int i = 0; i < b.nq - (ball ? 4 : 0); ++i) to[b.q + i] += s * t->u[b.u + i];
    if (!ball) continue;
    const double *p = t->q + b.q + b.nq - 4, *w = t->u + b.u + b.nu - 3;
    double size = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), half = 0.5 * s * size;
    double e[4] = {cos(half)}, *r = to + b.q + b.nq - 4;
    for (int i = 0; i < 3; ++i) e[1 + i] = size > 0.0 ? sin(half) * w[i] / size : 0.0;
    r[0] = p[0] * e[0] - p[1] * e[1] - p[2] * e[2] - p[3] * e[3];
    r[1] = p[0] * e[1] + p[1] * e[0] + p[2] * e[3] - p[3] * e[2];
    r[2] = p[0] * e[2] - p[1] * e[3] + p[2] * e[0] + p[3] * e[1];
    r[3] = p[0] * e[3] + p[1] * e[2] - p[2] * e[1] + p[3] * e[0];
  }
}

/* Accelerations of the bodies at du/dt = 0: differences of order 8 of their velocities. */
static void differences(const drawn_tree *t, double *rate) {
  static const double weight[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0}, h = 2e-3;
  double q[most_q], place[7 * most_bodies], twist[6 * most_bodies];
  for (int i = 0; i < 6 * t->n; ++i) rate[i] = 0.0;
  for (int s = 1; s <= 4; ++s)
    for (int side = -1; side <= 1; side += 2) {
      coast(t, side * s * h, q);
      assert_ok(t->m, nsds_tree_forward(t->tree, q, t->u, place, twist));
      for (int i = 0; i < 6 * t->n; ++i) rate[i] += side * weight[s - 1] * twist[i] / h;
    }
}

static void times_inertia(const double *J, const double *w, double *h) {
  for (int i = 0; i < 3; ++i) h[i] = J[i] * w[0] + J[i + 3] * w[1] + J[i + 6] * w[2];
}

/* The force and moment that a body needs: m (dv - g), J dw + w x J w. */
static void needed_force(const drawn_tree *t, int k, const double *twist, const double *rate,
                         double *f) {
  double h[3], n[3];
  const double *w = twist + 3;
  times_inertia(t->J[k], w, h);
  times_inertia(t->J[k], rate + 3, n);
  for (int i = 0; i < 3; ++i) {
    f[i] = t->mass[k] * (rate[i] - gravity[i]);
    f[3 + i] = n[i] + w[(i + 1) % 3] * h[(i + 2) % 3] - w[(i + 2) % 3] * h[(i + 1) % 3];
  }
}

/* ---- checks of one tree ---- */

static void check_places(drawn_tree *t) {
  double q[most_q], u[most_u];
  assert_ok(t->m, nsds_tree_set_state(t->tree, t->q, t->u));
  for (int k = 0; k < nsds_interaction_count(t->m); ++k) {
    nsds_interaction *ia = nsds_interaction_at(t->m, k);
    for (int i = 0; i < nsds_interaction_size(ia); ++i) {
      assert_near(nsds_y(ia)[i], 0.0, 1e-11);
      assert_near(nsds_ydot(ia)[i], 0.0, 1e-10);
    }
  }
  assert_ok(t->m, nsds_tree_get_state(t->tree, q, u));
  for (int k = 0; k < t->n; ++k) {
    nsds_tree_body b;
    assert_ok(t->m, nsds_tree_at(t->tree, k, &b));
    double sign = 1.0; /* of a quaternion */
    for (int i = 0; i < b.nq; ++i) {
      bool ball = i >= b.nq - 4 && (b.nq == 4 || b.nq == 7);
      if (ball && i == b.nq - 4) {
        double dot = 0.0;
        for (int j = 0; j < 4; ++j) dot += q[b.q + i + j] * t->q[b.q + i + j];
        sign = dot < 0.0 ? -1.0 : 1.0;
      }
      assert_near((ball ? sign : 1.0) * q[b.q + i], t->q[b.q + i], 1e-10);
    }
    for (int i = 0; i < b.nu; ++i) assert_near(u[b.u + i], t->u[b.u + i], 1e-9);
  }
}

static double largest(const double *x, int n) {
  double most = 0.0;
  for (int k = 0; k < n; ++k) most = fmax(most, fabs(x[k]));
  return most;
}

/* M and the bias by sums over the bodies; everything else by identities. */
static void check_dynamics(drawn_tree *t, uint64_t *seed) {
  int nu = nsds_tree_nu(t->tree), bodies = t->n;
  size_t square = (size_t)nu * (size_t)nu;
  if (nu == 0) return;
  double *M = calloc(square, sizeof *M), *right = calloc(square, sizeof *right);
  double *all = calloc((size_t)nu * 6 * (size_t)bodies, sizeof *all), place[7 * most_bodies];
  double twist[6 * most_bodies], rate[6 * most_bodies], f[6], h[3];
  double b[most_u], sum[most_u] = {0}, e[most_u] = {0}, a[most_u], tau[most_u], back[most_u];
  for (int j = 0; j < nu; ++j) {
    e[j] = 1.0;
    assert_ok(t->m, nsds_tree_forward(t->tree, t->q, e, place, all + (ptrdiff_t)j * 6 * bodies));
    e[j] = 0.0;
  }
  assert_ok(t->m, nsds_tree_forward(t->tree, t->q, t->u, place, twist));
  differences(t, rate);
  for (int k = 0; k < bodies; ++k) {
    int own = number_of(t, k);
    needed_force(t, own, twist + 6 * k, rate + 6 * k, f);
    for (int j = 0; j < nu; ++j) {
      const double *column = all + ((ptrdiff_t)j * bodies + k) * 6;
      for (int i = 0; i < 6; ++i) sum[j] += column[i] * f[i];
      times_inertia(t->J[own], column + 3, h);
      for (int l = 0; l < nu; ++l) {
        const double *row = all + ((ptrdiff_t)l * bodies + k) * 6;
        for (int i = 0; i < 3; ++i)
          right[l + (ptrdiff_t)j * nu] += t->mass[own] * row[i] * column[i] + row[3 + i] * h[i];
      }
    }
  }
  assert_ok(t->m, nsds_tree_mass(t->tree, t->q, M));
  assert_ok(t->m, nsds_tree_bias(t->tree, t->q, t->u, b));
  double size = largest(right, (int)square), load = largest(sum, nu);
  for (size_t k = 0; k < square; ++k) assert_near(M[k], right[k], 1e-12 * size);
  for (int j = 0; j < nu; ++j) assert_near(b[j], sum[j], 1e-10 * load);
  for (int j = 0; j < nu; ++j) a[j] = random_in(seed, -1.0, 1.0);
  assert_ok(t->m, nsds_tree_inverse(t->tree, t->q, t->u, a, tau));
  for (int i = 0; i < nu; ++i) {
    double product = b[i];
    for (int j = 0; j < nu; ++j) product += M[i + (ptrdiff_t)j * nu] * a[j];
    assert_near(tau[i], product, 1e-11 * (load + size * nu));
  }
  assert_ok(t->m, nsds_tree_dynamics(t->tree, t->q, t->u, tau, back));
  assert_ok(t->m, nsds_tree_inverse(t->tree, t->q, t->u, back, sum));
  for (int i = 0; i < nu; ++i) assert_near(sum[i], tau[i], 1e-10 * (load + size));
  free(M), free(right), free(all);
}

static void check_sums(drawn_tree *t) {
  double place[7 * most_bodies], twist[6 * most_bodies], linear[3] = {0}, moment[3] = {0},
                                                         mass = 0.0;
  double kinetic = 0.0, potential = 0.0, h[3];
  nsds_tree_sums s;
  assert_ok(t->m, nsds_tree_set_state(t->tree, t->q, t->u));
  assert_ok(t->m, nsds_tree_forward(t->tree, t->q, t->u, place, twist));
  assert_ok(t->m, nsds_tree_sum(t->tree, t->q, t->u, &s));
  for (int k = 0; k < t->n; ++k) {
    int own = number_of(t, k);
    mass += t->mass[own];
    kinetic += nsds_kinetic_energy(t->ds[own]);
    for (int i = 0; i < 3; ++i) {
      linear[i] += t->mass[own] * twist[6 * k + i];
      moment[i] += t->mass[own] * place[7 * k + i];
      potential -= t->mass[own] * gravity[i] * place[7 * k + i];
    }
  }
  double spin[3] = {0}, size = 0.0;
  for (int k = 0; k < t->n; ++k) { /* R J w + m (x - c) x v */
    int own = number_of(t, k);
    const double *v = twist + 6 * k;
    double x[3], in_body[3];
    times_inertia(t->J[own], v + 3, in_body);
    nsds_to_world(place + 7 * k, in_body, h);
    for (int i = 0; i < 3; ++i) x[i] = place[7 * k + i] - moment[i] / mass;
    for (int i = 0; i < 3; ++i) {
      double part = x[(i + 1) % 3] * v[(i + 2) % 3] - x[(i + 2) % 3] * v[(i + 1) % 3];
      spin[i] += h[i] + t->mass[own] * part;
      size += fabs(h[i]) + t->mass[own] * fabs(part);
    }
  }
  assert_near(s.mass, mass, 1e-13 * mass);
  assert_near(s.kinetic, kinetic, 1e-11 * kinetic + 1e-14);
  assert_near(s.potential, potential, 1e-11 * (fabs(potential) + mass));
  for (int i = 0; i < 3; ++i) {
    assert_near(s.center[i], moment[i] / mass, 1e-11);
    assert_near(s.linear[i], linear[i], 1e-11 * (1.0 + sqrt(kinetic * mass)));
    assert_near(s.velocity[i], linear[i] / mass, 1e-11 * (1.0 + sqrt(kinetic / mass)));
    assert_near(s.angular[i], spin[i], 1e-11 * (1.0 + size));
  }
}

static void check_jacobian(drawn_tree *t, uint64_t *seed) {
  int body = (int)random_in(seed, 0.0, t->n - 1e-9), nu = nsds_tree_nu(t->tree);
  double point[3] = {0.3, -0.2, 0.5}, J[6 * most_u], place[7 * most_bodies], twist[6 * most_bodies],
         w[3], arm[3];
  assert_ok(t->m, nsds_tree_jacobian(t->tree, t->q, body, point, J));
  assert_ok(t->m, nsds_tree_forward(t->tree, t->q, t->u, place, twist));
  const double *own = place + 7 * body, *v = twist + 6 * body;
  nsds_to_world(own, point, arm);
  nsds_to_world(own, v + 3, w);
  for (int i = 0; i < 3; ++i) {
    double velocity = 0.0, turning = 0.0;
    for (int j = 0; j < nu; ++j) {
      velocity += J[i + 6 * j] * t->u[j];
      turning += J[3 + i + 6 * j] * t->u[j];
    }
    double right = v[i] + w[(i + 1) % 3] * arm[(i + 2) % 3] - w[(i + 2) % 3] * arm[(i + 1) % 3];
    assert_near(velocity, right, 1e-10);
    assert_near(turning, w[i], 1e-11);
  }
}

static void drawn_trees(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (int draw = 0; draw < 200; ++draw) {
    drawn_tree t =
        draw_tree(draw < 100 ? 1 + draw % 12 : 1 + (int)random_in(&seed, 0.0, 59.99), &seed);
    draw_state(&t, &seed);
    check_places(&t);
    check_dynamics(&t, &seed);
    check_sums(&t);
    check_jacobian(&t, &seed);
    assert_null(nsds_tree_left(t.tree, 0));
    nsds_tree_destroy(t.tree);
    nsds_model_destroy(t.m);
  }
}

/* ---- against the model's own motion ---- */

/* Without forces of joints, event-driven simulation of the bodies and a small step of the tree's equations agree: the
 * coordinates after 0.1 s, by Runge and Kutta's method of order 4 in joint coordinates. */
static void motion_is_that_of_the_bodies(void **state) {
  (void)state;
  uint64_t seed = 12;
  for (int draw = 0; draw < 30; ++draw) {
    drawn_tree t = draw_tree(1 + draw % 5, &seed);
    draw_state(&t, &seed);
    assert_ok(t.m, nsds_tree_set_state(t.tree, t.q, t.u));
    nsds_simulation *s = nsds_event_driven(t.m, &(nsds_event_driven_def){.t1 = 0.1});
    assert_sound(t.m);
    assert_status(t.m, nsds_run(s), NSDS_END);
    double place[7 * most_bodies], twist[6 * most_bodies];
    for (int k = 0; k < 100; ++k) runge_kutta(&t, 1e-3);
    assert_ok(t.m, nsds_tree_forward(t.tree, t.q, t.u, place, twist));
    for (int k = 0; k < t.n; ++k) {
      int own = number_of(&t, k);
      for (int i = 0; i < 3; ++i) assert_near(nsds_q(t.ds[own])[i], place[7 * k + i], 2e-8);
      for (int i = 0; i < 6; ++i) assert_near(nsds_v(t.ds[own])[i], twist[6 * k + i], 2e-7);
    }
    nsds_tree_destroy(t.tree);
    nsds_model_destroy(t.m);
  }
}

/* ---- armatures, loops, refusals ---- */

static nsds_ds *brick(nsds_model *m, double x) {
  static const double J[9] = {0.1, 0, 0, 0, 0.2, 0, 0, 0, 0.25};
  return nsds_rigid_body(
      m, &(nsds_rigid_body_def){.mass = 2.0, .inertia = J, .q0 = (double[]){x, 0, 0, 1, 0, 0, 0}});
}

/* Four bars with an armature in a knee: M(0) is known, the rotor follows, and the joint that closes the loop is
 * reported. */
static void armatures_and_loops(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[3] = {brick(m, 0.5), brick(m, 1.5), brick(m, 2.5)};
  nsds_ds *const of[4][2] = {{ds[0]}, {ds[1], ds[0]}, {ds[1], ds[2]}, {ds[2]}};
  nsds_interaction *joint[4];
  for (int k = 0; k < 4; ++k) {
    nsds_joint_def hinge = {.kind = NSDS_JOINT_HINGE,
                            .ds = {of[k][0], of[k][1]},
                            .axis = {0, 0, 1},
                            .point = {k, 0, 0}};
    joint[k] = nsds_connect(m, nsds_joint(m, &hinge), nsds_equality(m), of[k][1] ? 2 : 1, of[k]);
  }
  nsds_joint_actions act;
  assert_ok(m, nsds_joint_act(m,
                              &(nsds_joint_act_def){.coordinate = {.kind = NSDS_COORDINATE_ANGLE,
                                                                   .ds = {ds[1], ds[0]},
                                                                   .axis = {0, 0, -1},
                                                                   .point = {1, 0, 0},
                                                                   .reversed = true},
                                                    .armature = 0.7,
                                                    .driven = true,
                                                    .drive_stiffness = 10.0},
                              &act));
  nsds_tree *tree = nsds_tree_create(m);
  assert_sound(m);
  assert_int_equal(nsds_tree_nu(tree), 3);
  assert_ptr_equal(nsds_tree_left(tree, 0), joint[2]);
  assert_null(nsds_tree_left(tree, 1));
  int place[3];
  for (int k = 0; k < 3; ++k) {
    nsds_tree_body b;
    assert_ok(m, nsds_tree_at(tree, k, &b));
    place[b.ds == ds[0] ? 0 : b.ds == ds[1] ? 1 : 2] = b.u;
    assert_int_equal(b.parent, b.ds == ds[1] ? 0 : -1);
  }
  double M[9], q[3] = {0}, u[3];
  const double right[3][3] = {{5.5, 1.75, 0}, {1.75, 0.75 + 0.7, 0}, {0, 0, 0.75}};
  assert_ok(m, nsds_tree_mass(tree, q, M));
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) assert_near(M[place[i] + 3 * place[j]], right[i][j], 1e-13);
  for (int k = 0; k < 3; ++k) {
    q[k] = 9.0 + k;
    u[k] = 0.5 - k;
  }
  assert_ok(m, nsds_tree_set_state(tree, q, u));
  assert_near(nsds_q(act.rotor)[0], q[place[1]], 1e-12);
  assert_near(nsds_v(act.rotor)[0], u[place[1]], 1e-12);
  assert_near(nsds_y(act.armature)[0], 0.0, 1e-12);
  assert_near(nsds_ydot(act.armature)[0], 0.0, 1e-12);
  nsds_joint_drive_motion drive;
  assert_ok(m, nsds_joint_drive_read(act.drive, &drive));
  assert_near(drive.coordinate, q[place[1]], 1e-12); /* with its turns */
  nsds_tree_destroy(tree);
  nsds_model_destroy(m);
}

/* Every allocation of nsds_tree_create() fails once, without a leak; the other calls allocate nothing. */
static void memory_of_trees(void **state) {
  (void)state;
  for (long at = 1;; ++at) {
    meter memory = {0};
    nsds_context *context = meter_context(&memory);
    nsds_model *m = nsds_model_create(context);
    brick(m, 0.0);
    memory.fail_at = memory.calls + at;
    nsds_tree *tree = nsds_tree_create(m);
    bool failed = memory.failed;
    memory.fail_at = 0;
    assert_true(failed == (tree == NULL));
    double q[7], u[6], a[6], M[36];
    long before = memory.calls;
    if (tree) {
      nsds_tree_sums sums;
      assert_ok(m, nsds_tree_get_state(tree, q, u));
      assert_ok(m, nsds_tree_set_state(tree, q, u));
      assert_ok(m, nsds_tree_dynamics(tree, q, u, NULL, a));
      assert_ok(m, nsds_tree_inverse(tree, q, u, a, u));
      assert_ok(m, nsds_tree_mass(tree, q, M));
      assert_ok(m, nsds_tree_jacobian(tree, q, 0, NULL, M));
      assert_ok(m, nsds_tree_sum(tree, q, u, &sums));
      assert_int_equal(memory.calls, before);
    }
    nsds_tree_destroy(tree);
    nsds_model_destroy(m);
    nsds_context_destroy(context);
    assert_int_equal(memory.live, 0);
    if (!failed) break;
  }
}

/* A needle has no moment about its axis. A universal joint that was torn gives its nearest coordinates. */
static void states_without_freedom(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = brick(m, 0.0);
  nsds_joint_def cross = {
      .kind = NSDS_JOINT_UNIVERSAL, .ds = {ds}, .axis = {1, 0, 0}, .other_axis = {0, 1, 0}};
  nsds_connect(m, nsds_joint(m, &cross), nsds_equality(m), 1, &ds);
  nsds_tree *tree = nsds_tree_create(m);
  double q[7], u[6] = {0}, a[6];
  const char *needle[] = {"u[3]", "no mass"};
  assert_ok(m, nsds_set_state(ds, (double[]){0, 0, 0, sqrt(0.5), 0, 0, sqrt(0.5)}, NULL));
  assert_ok(m, nsds_tree_get_state(tree, q, u));
  for (int k = 0; k < 2; ++k) assert_between(q[k], -4.0, 4.0);
  nsds_tree_destroy(tree);
  nsds_model_destroy(m);
  m = nsds_model_create(NULL);
  const double J[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1e-15};
  nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = J});
  tree = nsds_tree_create(m);
  assert_sound(m);
  assert_ok(m, nsds_tree_get_state(tree, q, u));
  assert_int_equal(nsds_tree_dynamics(tree, q, u, NULL, a), NSDS_ERROR_SINGULAR);
  assert_words(nsds_error_message(nsds_model_context(m)), needle, 2);
  nsds_tree_destroy(tree);
  nsds_model_destroy(m);
}

static void refused_trees(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  assert_null(nsds_tree_create(m));
  const char *none[] = {"no body in space"};
  assert_words(nsds_error_message(nsds_model_context(m)), none, 1);
  nsds_model_destroy(m);
  m = nsds_model_create(NULL);
  brick(m, 0.0);
  nsds_tree *tree = nsds_tree_create(m);
  nsds_context *context = nsds_model_context(m);
  double q[7] = {0}, u[6] = {0}, place[7], M[36];
  const char *zero[] = {"q[3] to q[6]", "lengths > 0"}, *finite[] = {"u[2]"},
             *range[] = {"body", "4"};
  assert_int_equal(nsds_tree_forward(tree, q, NULL, place, NULL), NSDS_ERROR_VALUE);
  assert_words(nsds_error_message(context), zero, 2);
  nsds_error_clear(context);
  q[3] = 1.0;
  u[2] = NAN;
  assert_int_equal(nsds_tree_dynamics(tree, q, u, NULL, M), NSDS_ERROR_VALUE);
  assert_words(nsds_error_message(context), finite, 1);
  nsds_error_clear(context);
  const char *large[] = {"nsds_tree_bias", "overflows"};
  for (int k = 0; k < 6; ++k) u[k] = 1e200;
  assert_int_equal(nsds_tree_bias(tree, q, u, M), NSDS_ERROR_VALUE);
  assert_words(nsds_error_message(context), large, 2);
  nsds_error_clear(context);
  assert_int_equal(nsds_tree_jacobian(tree, q, 4, NULL, M), NSDS_ERROR_VALUE);
  assert_words(nsds_error_message(context), range, 2);
  nsds_error_clear(context);
  assert_int_equal(nsds_tree_mass(tree, NULL, M), NSDS_ERROR_ARGUMENT);
  nsds_tree_destroy(tree);
  nsds_tree_destroy(NULL);
  nsds_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drawn_trees),
      cmocka_unit_test(motion_is_that_of_the_bodies),
      cmocka_unit_test(armatures_and_loops),
      cmocka_unit_test(memory_of_trees),
      cmocka_unit_test(states_without_freedom),
      cmocka_unit_test(refused_trees),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
