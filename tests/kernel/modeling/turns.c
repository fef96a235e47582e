/*
 * Angles of joints count turns: stops beyond half a turn, pendulums over the top, steps of many
 * turns, states that the program sets, saves and rejects.
 */
#include "any_joint.h"
#include "support.h"

static const double pi = 3.141592653589793, turn = 6.283185307179586;
static const double tilted[3] = {0.48, -0.6, 0.64}; /* of length 1 */

/* A rotor on a hinge through its centre, in the plane or in space, with stops. */
typedef struct rotor {
  nsds_model *m;
  nsds_ds *ds;
  const double *axis;
  nsds_interaction *hinge, *lower, *upper;
  nsds_simulation *s;
} rotor;

static rotor make_rotor(bool space, double inertia, double rate) {
  const double J[9] = {inertia, 0, 0, 0, inertia, 0, 0, 0, inertia};
  rotor r = {.m = nsds_model_create(NULL), .axis = tilted};
  double v[6] = {0}, flat[3] = {0, 0, rate};
  for (int k = 0; k < 3; ++k) v[3 + k] = rate * tilted[k];
  r.ds = space ? nsds_rigid_body(r.m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = J, .v0 = v})
               : nsds_rigid_body_2d(
                     r.m, &(nsds_rigid_body_2d_def){.mass = 1.0, .inertia = inertia, .v0 = flat});
  any_joint_def def = {.kind = NSDS_JOINT_HINGE, .ds = {r.ds}};
  memcpy(def.axis, r.axis, sizeof def.axis);
  r.hinge = nsds_connect(r.m, any_joint(r.m, &def), nsds_equality(r.m), 1, &r.ds);
  assert_sound(r.m);
  return r;
}

/* A stop at an angle: from below, or from above. */
static nsds_interaction *stop(const rotor *r, double at, bool above, double e) {
  any_joint_def def = {
      .kind = ANY_ANGLE, .ds = {r->ds}, .reversed = above, .offset = above ? at : -at};
  memcpy(def.axis, r->axis, sizeof def.axis);
  nsds_ds *ds = r->ds;
  nsds_interaction *ia =
      nsds_connect(r->m, any_joint(r->m, &def), nsds_newton_impact(r->m, e), 1, &ds);
  assert_sound(r->m);
  return ia;
}

static void simulate(rotor *r, bool events, double t1, double h) {
  r->s = events ? nsds_event_driven(r->m, &(nsds_event_driven_def){.t1 = t1, .output_period = h})
                : nsds_time_stepping(r->m, &(nsds_time_stepping_def){.t1 = t1, .h = h});
  assert_sound(r->m);
}

static double angle_of(const nsds_interaction *joint) {
  nsds_joint_motion motion;
  assert_int_equal(nsds_joint_read(joint, &motion), NSDS_OK);
  return motion.angle;
}

static nsds_status step(rotor *r) {
  nsds_status status = nsds_step(r->s);
  if (status != NSDS_END) assert_ok(r->m, status);
  return status;
}

/* ---- stops ---- */

/* Turned backwards at 2 rad/s from a stop at -200 degrees with e = 1/2: meets the stop at t = 1.745329 and comes back
 * at 1 rad/s. Event-driven to roundings, time stepping within the way of a step before and after the impact. */
static void a_stop_beyond_half_a_turn(void **state) {
  (void)state;
  const double limit = -200.0 * pi / 180.0, h = 1e-3, t1 = 3.0, meets = limit / -2.0;
  for (int k = 0; k < 4; ++k) {
    bool space = k & 1, events = k & 2;
    rotor r = make_rotor(space, 0.1, -2.0);
    r.lower = stop(&r, limit, false, 0.5);
    r.upper = stop(&r, 0.25 * pi, true, 0.5);
    simulate(&r, events, t1, h);
    double slack = events ? 1e-9 : 3.0 * h;
    while (step(&r) != NSDS_END) {
      double t = nsds_time(r.s), right = t < meets ? -2.0 * t : limit + (t - meets);
      assert_near(angle_of(r.hinge), right, slack);
      assert_near(nsds_y(r.lower)[0], right - limit, slack);
      assert_near(nsds_y(r.upper)[0], 0.25 * pi - right, slack);
    }
    assert_near(nsds_ydot(r.lower)[0], 1.0, 1e-9);
    nsds_model_destroy(r.m);
  }
}

/* A single stop that the rotor turns away from: nothing happens. */
static void a_stop_that_is_left_behind(void **state) {
  (void)state;
  for (int k = 0; k < 4; ++k) {
    bool space = k & 1, events = k & 2;
    rotor r = make_rotor(space, 0.1, -2.0);
    r.upper = stop(&r, 0.25 * pi, true, 0.5);
    simulate(&r, events, 3.0, 0.01);
    while (step(&r) != NSDS_END) {
      assert_near(nsds_y(r.upper)[0], 0.25 * pi + 2.0 * nsds_time(r.s), 1e-9);
      assert_near(nsds_impulse(r.upper)[0], 0.0, 0.0);
    }
    assert_near(angle_of(r.hinge), -6.0, 1e-9);
    nsds_model_destroy(r.m);
  }
}

/* Stops -20 and 15 turns away, without a grid of outputs: the integration goes from stop to stop. */
static void stops_many_turns_away(void **state) {
  (void)state;
  const double low = -20.0 * turn, high = 15.0 * turn, rate = 30.0;
  for (int space = 0; space < 2; ++space) {
    rotor r = make_rotor(space, 0.3, rate);
    r.lower = stop(&r, low, false, 1.0);
    r.upper = stop(&r, high, true, 1.0);
    double first = high / rate, period = 2.0 * (high - low) / rate;
    simulate(&r, true, first + 2.2 * period, 0.0);
    for (int hit = 0; step(&r) != NSDS_END; ++hit) {
      assert_near(nsds_time(r.s), fmin(first + 0.5 * hit * period, first + 2.2 * period), 1e-6);
      if (hit < 5) assert_near(angle_of(r.hinge), hit % 2 ? low : high, 1e-8);
    }
    assert_near(angle_of(r.hinge), high - 0.2 * period * rate, 1e-5);
    nsds_model_destroy(r.m);
  }
}

/* ---- free motions ---- */

/* One step turns a joint by many turns: rates tell how many. A stop is met in such a step. */
static void steps_of_many_turns(void **state) {
  (void)state;
  const double h = 0.1, rate = 5.3 * turn / h;
  for (int theta = 0; theta < 3; ++theta) {
    rotor r = make_rotor(true, 0.1, rate);
    r.upper = stop(&r, 1000.4 * turn, true, 0.5);
    r.s = nsds_time_stepping(
        r.m, &(nsds_time_stepping_def){
                 .t1 = 1e3, .h = h, .second_order = nsds_moreau_jean(0.5 + 0.25 * theta, 1.0)});
    assert_sound(r.m);
    double before = 0.0, now = 0.0;
    for (int k = 1; k <= 300; ++k, before = now) {
      assert_ok(r.m, nsds_step(r.s));
      now = angle_of(r.hinge);
      assert_near(nsds_y(r.upper)[0], 1000.4 * turn - now, 1e-8);
      if (now > before && nsds_ydot(r.upper)[0] < 0.0) assert_near(now, 5.3 * turn * k, 1e-8);
      assert_between(now, 0.0, 1000.4 * turn + 1.5 * 5.3 * turn);
    }
    assert_near(nsds_ydot(r.upper)[0], 0.5 * rate, 1e-9 * rate);
    assert_between(now, 1000.4 * turn - (300.0 - 188.0) * 2.65 * turn,
                   1000.4 * turn - (300.0 - 191.0) * 2.65 * turn);
    nsds_model_destroy(r.m);
  }
}

/* theta'' = -k sin theta by the classical Runge-Kutta method. */
static void pendulum(double k, double t, double *theta, double *rate) {
  enum { steps = 20000 };
  double h = t / steps;
  for (int n = 0; n < steps; ++n) {
    double a[4], b[4];
    for (int s = 0; s < 4; ++s) {
      double part = s == 0 ? 0.0 : s == 3 ? h : 0.5 * h;
      a[s] = *rate + (s ? part * b[s - 1] : 0.0);
      b[s] = -k * sin(*theta + (s ? part * a[s - 1] : 0.0));
    }
    *theta += h / 6.0 * (a[0] + 2.0 * a[1] + 2.0 * a[2] + a[3]);
    *rate += h / 6.0 * (b[0] + 2.0 * b[1] + 2.0 * b[2] + b[3]);
  }
}

/* A pendulum with enough speed goes over the top again and again. Time stepping is of order 1: a step loses the part
 * (w h)^2 / 2 of the speed, 0.3 rad in all. */
static void a_pendulum_over_the_top(void **state) {
  (void)state;
  const double l = 0.5, J = 0.1, g = 9.81, t1 = 4.0;
  const double inertia[9] = {J, 0, 0, 0, J, 0, 0, 0, J}, w = 11.0;
  double theta = 0.0, rate = w;
  pendulum(g * l / (J + l * l), t1, &theta, &rate);
  assert_between(theta, 3.0 * turn, 10.0 * turn);
  for (int k = 0; k < 4; ++k) {
    bool space = k & 1, events = k & 2;
    nsds_model *m = nsds_model_create(NULL);
    const double q[7] = {0, -l, 0, 1, 0, 0, 0}, v[6] = {w * l, 0, 0, 0, 0, w};
    const double flat[3] = {0, -l, 0}, fast[3] = {w * l, 0, w};
    nsds_ds *ds =
        space ? nsds_rigid_body(
                    m,
                    &(nsds_rigid_body_def){
                        .mass = 1.0, .inertia = inertia, .q0 = q, .v0 = v, .gravity = {0, -g, 0}})
              : nsds_rigid_body_2d(
                    m, &(nsds_rigid_body_2d_def){
                           .mass = 1.0, .inertia = J, .q0 = flat, .v0 = fast, .gravity = {0, -g}});
    any_joint_def def = {.kind = NSDS_JOINT_HINGE, .ds = {ds}, .axis = {0, 0, 1}};
    rotor r = {.m = m, .ds = ds};
    r.hinge = nsds_connect(m, any_joint(m, &def), nsds_equality(m), 1, &ds);
    def.kind = ANY_ANGLE;
    def.offset = 100.0;
    r.lower = nsds_connect(m, any_joint(m, &def), nsds_newton_impact(m, 0.0), 1, &ds);
    simulate(&r, events, t1, events ? 0.5 : 1e-4);
    double before = 0.0;
    while (step(&r) != NSDS_END) {
      double angle = angle_of(r.hinge);
      assert_true(angle > before);
      assert_near(nsds_y(r.lower)[0], angle + 100.0, 1e-12 * 100.0);
      before = angle;
    }
    assert_near(angle_of(r.hinge), theta, events ? 1e-5 : 0.4);
    nsds_model_destroy(m);
  }
}

/* A weight on a drum that winds up a torsion spring of 2D coordinates and a moment set by the angle: seven turns. */
static void a_torsion_spring_of_many_turns(void **state) {
  (void)state;
  const double J = 0.2, k = 5.0, amplitude = 7.0 * turn, w = sqrt(k / J), h = 1e-4;
  for (int space = 0; space < 2; ++space) {
    rotor r = make_rotor(space, J, amplitude * w);
    if (!space)
      nsds_connect(r.m,
                   nsds_spring(r.m, &(nsds_spring_def){.ds = {r.ds},
                                                       .stiffness = k,
                                                       .coordinates = true,
                                                       .coordinate = {2}}),
                   nsds_equality(r.m), 1, &r.ds);
    simulate(&r, false, 2.0, h);
    do {
      double t = nsds_time(r.s), angle = angle_of(r.hinge);
      assert_near(angle, amplitude * sin(w * t), space ? 4.0 * amplitude * w * h : 1e-3);
      for (int i = 0; space && i < 3; ++i) {
        double moment[3] = {-k * angle * tilted[0], -k * angle * tilted[1], -k * angle * tilted[2]};
        assert_ok(r.m, nsds_set_body_force(r.ds, NULL, moment, NSDS_FRAME_WORLD));
      }
    } while (step(&r) != NSDS_END);
    nsds_model_destroy(r.m);
  }
}

/* Two bodies on one axis, of which one may slide: their angle is the difference of their turns. */
static void bodies_on_one_axis(void **state) {
  (void)state;
  const double J[9] = {0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1}, w[2] = {7.0, -4.0};
  for (int k = 0; k < 4; ++k) {
    bool events = k & 1, slides = k & 2;
    rotor r = {.m = nsds_model_create(NULL), .axis = tilted};
    nsds_ds *ds[2];
    for (int b = 0; b < 2; ++b) {
      double v[6] = {0};
      for (int i = 0; i < 3; ++i) v[3 + i] = w[b] * tilted[i];
      for (int i = 0; slides && i < 3; ++i) v[i] = 0.1 * b * tilted[i];
      ds[b] = nsds_rigid_body(r.m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = J, .v0 = v});
    }
    any_joint_def def = {.kind = slides ? NSDS_JOINT_CYLINDRICAL : NSDS_JOINT_HINGE,
                         .ds = {ds[0], ds[1]}};
    memcpy(def.axis, tilted, sizeof def.axis);
    r.hinge = nsds_connect(r.m, any_joint(r.m, &def), nsds_equality(r.m), 2, ds);
    def.kind = ANY_ANGLE;
    def.reversed = true;
    def.offset = 1e3;
    r.upper = nsds_connect(r.m, any_joint(r.m, &def), nsds_newton_impact(r.m, 0.5), 2, ds);
    simulate(&r, events, 10.0, 0.25);
    while (step(&r) != NSDS_END) {
      double right = (w[0] - w[1]) * nsds_time(r.s);
      assert_near(angle_of(r.hinge), right, 1e-5);
      assert_near(nsds_y(r.upper)[0], 1e3 - right, 1e-5);
    }
    nsds_model_destroy(r.m);
  }
}

/* ---- the program ---- */

static void turn_to(const rotor *r, double angle) {
  double q[7] = {0, 0, 0, cos(0.5 * angle)};
  for (int k = 0; k < 3; ++k) q[4 + k] = sin(0.5 * angle) * tilted[k];
  assert_ok(r->m, nsds_set_state(r->ds, q, NULL));
}

/* The angle nearest to the last one, if the program sets q; another turn if it says so. */
static void q_set_by_the_program(void **state) {
  (void)state;
  rotor r = make_rotor(true, 0.1, 0.0);
  r.upper = stop(&r, 100.0, true, 0.5);
  for (int k = 1; k <= 40; ++k) {
    turn_to(&r, 1.7 * k);
    if (k % 3 == 0) assert_near(angle_of(r.hinge), 1.7 * k, 1e-12);
  }
  simulate(&r, false, 1.0, 0.1);
  assert_near(nsds_y(r.upper)[0], 100.0 - 68.0, 1e-12);
  assert_ok(r.m, nsds_step(r.s));
  assert_near(nsds_y(r.upper)[0], 100.0 - 68.0, 1e-12);
  turn_to(&r, 68.0 - 0.9 * turn); /* a tenth of a turn forward is nearer */
  assert_near(angle_of(r.hinge), 68.0 + 0.1 * turn, 1e-12);
  assert_near(nsds_y(r.upper)[0], 100.0 - 68.0 - 0.1 * turn, 1e-12);
  assert_ok(r.m, nsds_joint_set_turns(r.hinge, 0.0));
  assert_between(angle_of(r.hinge), -pi, pi);
  assert_near(nsds_y(r.upper)[0], 100.0 - 68.0 - 0.1 * turn, 1e-12); /* a count of its own */
  assert_ok(r.m, nsds_joint_set_turns(r.upper, 3.0 * turn));
  assert_near(nsds_y(r.upper)[0], 100.0 - 68.0 - 0.1 * turn + 8.0 * turn, 1e-12);
  assert_ok(r.m, nsds_step(r.s));
  assert_near(nsds_y(r.upper)[0], 100.0 - 68.0 - 0.1 * turn + 8.0 * turn, 1e-12);
  assert_status(r.m, nsds_joint_set_turns(r.hinge, NAN), NSDS_ERROR_VALUE);
  nsds_model_destroy(r.m);
}

/* In the plane the coordinates have the turns. */
static void turns_of_the_plane(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  const double q[3] = {0, 0, 1.0}, far[3] = {0, 0, 1.0 - 9.25 * turn};
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k)
    ds[k] = nsds_rigid_body_2d(m, &(nsds_rigid_body_2d_def){.mass = 1.0, .inertia = 1.0, .q0 = q});
  any_joint_def def = {.kind = NSDS_JOINT_HINGE, .ds = {ds[0], ds[1]}};
  nsds_interaction *hinge = nsds_connect(m, any_joint(m, &def), nsds_equality(m), 2, ds);
  assert_near(angle_of(hinge), 0.0, 0.0);
  assert_ok(m, nsds_set_state(ds[0], far, NULL));
  assert_near(angle_of(hinge), -9.25 * turn, 1e-13 * 9.25 * turn);
  assert_ok(m, nsds_set_state(ds[1], far, NULL));
  assert_near(angle_of(hinge), 0.0, 1e-13);
  assert_status(m, nsds_joint_set_turns(hinge, turn), NSDS_ERROR_ARGUMENT);
  nsds_model_destroy(m);
}

/* Joints keep their counts while others come and go. */
static void joints_come_and_go(void **state) {
  (void)state;
  rotor r = make_rotor(true, 0.1, 20.0);
  nsds_interaction *stops[3];
  for (int k = 0; k < 3; ++k) stops[k] = stop(&r, 1e3 + k, true, 0.0);
  nsds_joint_coordinate_def def = {.kind = NSDS_COORDINATE_ANGLE,
                                   .ds = {r.ds},
                                   .axis = {tilted[0], tilted[1], tilted[2]},
                                   .offset = 1e3};
  nsds_relation *relation = nsds_joint_coordinate(r.m, &def);
  simulate(&r, false, 10.0, 0.01);
  for (int k = 0; k < 100; ++k) assert_ok(r.m, nsds_step(r.s));
  assert_ok(r.m, nsds_disconnect(stops[0]));
  nsds_interaction *made = stop(&r, 1e3, true, 0.0);
  nsds_interaction *late = nsds_connect(r.m, relation, nsds_newton_impact(r.m, 0.0), 1, &r.ds);
  for (int k = 0; k < 100; ++k) assert_ok(r.m, nsds_step(r.s));
  assert_near(angle_of(r.hinge), 40.0, 1e-11);
  assert_near(nsds_y(stops[1])[0], 1e3 + 1.0 - 40.0, 1e-10);
  assert_near(nsds_y(stops[2])[0], 1e3 + 2.0 - 40.0, 1e-10);
  assert_near(nsds_y(made)[0], 1e3 - 20.0, 1e-10);              /* zero where it was made, at 20 */
  assert_near(nsds_y(late)[0], 1e3 + 40.0 - 3.0 * turn, 1e-10); /* from an angle in (-pi, pi] */
  nsds_model_destroy(r.m);
}

/* ---- states to return to ---- */

static void saves_and_snapshots(void **state) {
  (void)state;
  for (int events = 0; events < 2; ++events) {
    rotor r[2];
    for (int i = 0; i < 2; ++i) {
      r[i] = make_rotor(true, 0.1, -25.0);
      r[i].lower = stop(&r[i], -9.3 * turn, false, 0.7);
      simulate(&r[i], events, 6.0, 0.01);
    }
    for (int k = 0; k < 150; ++k) step(&r[0]);
    assert_near(angle_of(r[0].hinge), -37.5, 1e-5);
    assert_ok(r[0].m, nsds_simulation_save(r[0].s));
    nsds_snapshot *kept = nsds_snapshot_take(r[0].s);
    double y[2][200];
    for (int k = 0; k < 200; ++k) {
      step(&r[0]);
      y[0][k] = nsds_y(r[0].lower)[0];
      y[1][k] = angle_of(r[0].hinge);
    }
    assert_ok(r[0].m, nsds_simulation_restore(r[0].s));
    assert_near(angle_of(r[0].hinge), -37.5, 1e-5);
    assert_ok(r[1].m, nsds_snapshot_restore(r[1].s, kept));
    for (int k = 0; k < 200; ++k)
      for (int i = 0; i < 2; ++i) {
        step(&r[i]);
        assert_true(nsds_y(r[i].lower)[0] == y[0][k]);
        assert_true(angle_of(r[i].hinge) == y[1][k]);
      }
    nsds_snapshot_destroy(kept);
    for (int i = 0; i < 2; ++i) nsds_model_destroy(r[i].m);
  }
}

/* A step that is rejected leaves the angle; the same step then gives the same bits. */
static void rejected_steps(void **state) {
  (void)state;
  rotor r = make_rotor(true, 0.1, 300.0);
  r.upper = stop(&r, 1e4, true, 0.0);
  simulate(&r, false, 10.0, 0.01);
  for (int k = 1; k <= 50; ++k) {
    double before = angle_of(r.hinge);
    for (int again = 0; again < 3; ++again) {
      assert_ok(r.m, nsds_step_begin(r.s));
      assert_ok(r.m, nsds_step_solve(r.s));
      assert_ok(r.m, nsds_step_update(r.s));
      if (again == 2) assert_ok(r.m, nsds_step_accept(r.s));
      else assert_ok(r.m, nsds_step_reject(r.s));
      if (again < 2) assert_true(angle_of(r.hinge) == before);
    }
    assert_near(angle_of(r.hinge), 3.0 * k, 1e-10);
    assert_near(nsds_y(r.upper)[0], 1e4 - 3.0 * k, 1e-8);
  }
  nsds_model_destroy(r.m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_stop_beyond_half_a_turn), cmocka_unit_test(a_stop_that_is_left_behind),
      cmocka_unit_test(stops_many_turns_away),     cmocka_unit_test(steps_of_many_turns),
      cmocka_unit_test(a_pendulum_over_the_top),   cmocka_unit_test(a_torsion_spring_of_many_turns),
      cmocka_unit_test(bodies_on_one_axis),        cmocka_unit_test(q_set_by_the_program),
      cmocka_unit_test(turns_of_the_plane),        cmocka_unit_test(joints_come_and_go),
      cmocka_unit_test(saves_and_snapshots),       cmocka_unit_test(rejected_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
