/*
 * Motions of jointed bodies with closed forms: pendulums, what slides and turns along a bar, stops,
 * dry friction, ropes.
 */
#include "any_joint.h"
#include "support.h"

static const double g = 9.81;
static const double tilted[7] = {0.4, 0.1, 0.3, 0.5, -0.5, 0.5, 0.5};

static nsds_ds *body(nsds_model *m, const double *J, double mass, const double *q, const double *v,
                     double weight) {
  return nsds_rigid_body(
      m, &(nsds_rigid_body_def){
             .mass = mass, .inertia = J, .q0 = q, .v0 = v, .gravity = {0.0, 0.0, -weight}});
}

static nsds_ds *flat_body(nsds_model *m, double mass, double inertia, const double *q,
                          const double *v, double weight) {
  return nsds_rigid_body_2d(
      m, &(nsds_rigid_body_2d_def){
             .mass = mass, .inertia = inertia, .q0 = q, .v0 = v, .gravity = {0.0, -weight}});
}

/* ---- pendulums ---- */

/* theta'' = -k sin theta by the classical Runge-Kutta method. */
static void pendulum(double k, double t, double *theta, double *rate) {
  enum { steps = 20000 };
  double h = t / steps;
  for (int n = 0; n < steps; ++n) {
    double a[4], b[4], x = *theta, w = *rate;
    for (int s = 0; s < 4; ++s) {
      double part = s == 0 ? 0.0 : s == 3 ? h : 0.5 * h;
      a[s] = *rate + (s ? part * b[s - 1] : 0.0);
      b[s] = -k * sin(*theta + (s ? part * a[s - 1] : 0.0));
    }
    x += h / 6.0 * (a[0] + 2.0 * a[1] + 2.0 * a[2] + a[3]);
    w += h / 6.0 * (b[0] + 2.0 * b[1] + 2.0 * b[2] + b[3]);
    *theta = x;
    *rate = w;
  }
}

/* A body on a hinge whose axis lies in the horizontal plane: m g l sin(angle) against J + m l^2. */
static void compound_pendulum(void **state) {
  (void)state;
  const double l = 0.5, J[9] = {0.1, 0, 0, 0, 0.2, 0, 0, 0, 0.3}, kg = 2.0, t1 = 2.0, start = 1.0;
  double theta = start, rate = 0.0, error[2];
  pendulum(kg * g * l / (J[4] + kg * l * l), t1, &theta, &rate);
  for (int i = 0; i < 2; ++i) {
    nsds_model *m = nsds_model_create(NULL);
    /* turned about -y by `start` from hanging */
    const double q[7] = {l * sin(start),    0, -l * cos(start), cos(0.5 * start), 0,
                         -sin(0.5 * start), 0};
    nsds_ds *ds = body(m, J, kg, q, NULL, g);
    any_joint_def def = {.kind = NSDS_JOINT_HINGE, .ds = {ds}, .axis = {0, -2, 0}};
    nsds_interaction *hinge = nsds_connect(m, any_joint(m, &def), nsds_equality(m), 1, &ds);
    run(m, &(nsds_time_stepping_def){.t1 = t1, .h = i ? 1e-3 : 2e-3, .tolerance = 1e-13}, 0);
    nsds_joint_motion motion;
    assert_ok(m, nsds_joint_read(hinge, &motion));
    error[i] = fabs(start + motion.angle - theta);
    assert_near(motion.angular_velocity, rate, 4e-2);
    assert_near(motion.displacement, 0.0, 0.0);
    nsds_model_destroy(m);
  }
  print_message("             off by %.1e rad, order %.2f\n", error[1],
                order_of(error[0], error[1]));
  assert_between(error[1], 0.0, 1.2e-2);
  assert_near(order_of(error[0], error[1]), 1.0, 0.1);
}

/* The same integrated between events, to its tolerance: here the joint's second rates come in. */
static void compound_pendulum_integrated(void **state) {
  (void)state;
  const double l = 0.5, J[9] = {0.1, 0, 0, 0, 0.2, 0, 0, 0, 0.3}, kg = 2.0, start = 1.0;
  double theta = start, rate = 0.0;
  pendulum(kg * g * l / (J[4] + kg * l * l), 2.0, &theta, &rate);
  const double q[7] = {l * sin(start),    0, -l * cos(start), cos(0.5 * start), 0,
                       -sin(0.5 * start), 0};
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = body(m, J, kg, q, NULL, g);
  any_joint_def def = {.kind = NSDS_JOINT_HINGE, .ds = {ds}, .axis = {0, -2, 0}};
  nsds_interaction *hinge = nsds_connect(m, any_joint(m, &def), nsds_equality(m), 1, &ds);
  nsds_simulation *s = nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 2.0});
  assert_sound(m);
  assert_status(m, nsds_run(s), NSDS_END);
  nsds_joint_motion motion;
  assert_ok(m, nsds_joint_read(hinge, &motion));
  assert_near(start + motion.angle, theta, 1e-7);
  assert_near(motion.angular_velocity, rate, 1e-7);
  for (int i = 0; i < 5; ++i) assert_near(nsds_y(hinge)[i], 0.0, 1e-8);
  nsds_model_destroy(m);
}

/* Two rods in the plane of x and z, and the same two on hinges along y in space: one motion. */
static void a_double_pendulum_in_the_plane(void **state) {
  (void)state;
  const double l = 0.5, J = 0.02, inertia[9] = {J, 0, 0, 0, J, 0, 0, 0, J};
  nsds_model *m[2];
  nsds_simulation *s[2];
  nsds_ds *ds[2][2];
  nsds_interaction *ia[2][2];
  for (int i = 0; i < 2; ++i) {
    m[i] = nsds_model_create(NULL);
    for (int k = 0; k < 2; ++k) { /* level to start with; turning about -y is the plane's angle */
      const double x = l * (k + 0.5), flat[3] = {x, 0, 0}, space[7] = {x, 0, 0, 1, 0, 0, 0};
      ds[i][k] =
          i ? body(m[i], inertia, 1.0, space, NULL, g) : flat_body(m[i], 1.0, J, flat, NULL, g);
      any_joint_def def = {.kind = NSDS_JOINT_HINGE,
                           .ds = {ds[i][k], k ? ds[i][0] : NULL},
                           .point = {k * l, 0, 0},
                           .axis = {0, -1, 0}};
      ia[i][k] = nsds_connect(m[i], any_joint(m[i], &def), nsds_equality(m[i]), k ? 2 : 1, def.ds);
    }
    s[i] = nsds_time_stepping(m[i],
                              &(nsds_time_stepping_def){.t1 = 1.5, .h = 1e-3, .tolerance = 1e-13});
    assert_sound(m[i]);
  }
  while (nsds_step(s[0]) == NSDS_OK) {
    assert_ok(m[1], nsds_step(s[1]));
    for (int k = 0; k < 2; ++k) {
      nsds_joint_motion motion[2];
      for (int i = 0; i < 2; ++i) assert_ok(m[i], nsds_joint_read(ia[i][k], &motion[i]));
      assert_near(motion[1].angle, motion[0].angle, 1e-8);
      assert_near(motion[1].angular_velocity, motion[0].angular_velocity, 1e-7);
      assert_near(nsds_lambda(ia[1][k])[0], nsds_lambda(ia[0][k])[0], 1e-5);
      assert_near(nsds_lambda(ia[1][k])[2], nsds_lambda(ia[0][k])[1], 1e-5);
    }
  }
  assert_sound(m[0]);
  for (int i = 0; i < 2; ++i) nsds_model_destroy(m[i]);
}

/* A weight on a rod goes round: w^2 = g / (l cos a), the rod carries m g / cos a. */
static void conical_pendulum(void **state) {
  (void)state;
  const double l = 0.8, tilt = 0.6, kg = 2.0, J[9] = {0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01};
  double w = sqrt(g / (l * cos(tilt)));
  const double q[7] = {l * sin(tilt), 0, -l * cos(tilt), 1, 0, 0, 0}, v[6] = {0, w * l * sin(tilt)};
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = body(m, J, kg, q, v, g);
  any_joint_def def = {.kind = NSDS_JOINT_DISTANCE, .ds = {ds}, .point = {q[0], q[1], q[2]}};
  nsds_interaction *rod = nsds_connect(m, any_joint(m, &def), nsds_equality(m), 1, &ds);
  nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-4});
  assert_sound(m);
  while (nsds_step(s) == NSDS_OK) {
    double a = w * nsds_time(s);
    assert_near(nsds_q(ds)[0], l * sin(tilt) * cos(a), 2e-3);
    assert_near(nsds_q(ds)[2], -l * cos(tilt), 2e-3);
    assert_near(nsds_lambda(rod)[0], -kg * g / cos(tilt), 1e-2 * kg * g);
  }
  assert_sound(m);
  nsds_model_destroy(m);
}

/* ---- free axes ---- */

/* A body on an inclined bar: slides with the weight's share along it, and turns with a given moment
 * where the joint lets it. */
static int twist(const nsds_arguments *in, double *out, void *user) {
  (void)in;
  for (int k = 0; k < 3; ++k) out[k] = ((const double *)user)[k];
  return 0;
}

static void sliding_along_a_bar(void **state) {
  (void)state;
  double moment[3] = {0.3 * 0.6, 0.0, 0.3 * 0.8};
  const double ball[9] = {0.2, 0, 0, 0, 0.2, 0, 0, 0, 0.2};
  for (int turning = 0; turning < 2; ++turning) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 2.0,
                                                            .inertia = ball,
                                                            .q0 = tilted,
                                                            .gravity = {0, 0, -g},
                                                            .moment.fn = twist,
                                                            .moment.jac_q_fn = nsds_zero,
                                                            .moment.jac_v_fn = nsds_zero,
                                                            .moment.in_world = true,
                                                            .user = moment});
    any_joint_def def = {.kind = turning ? NSDS_JOINT_CYLINDRICAL : NSDS_JOINT_PRISMATIC,
                         .ds = {ds},
                         .point = {tilted[0], tilted[1], tilted[2]},
                         .axis = {0.6, 0.0, 0.8}};
    nsds_interaction *bar = nsds_connect(m, any_joint(m, &def), nsds_equality(m), 1, &ds);
    nsds_simulation *s =
        nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-2, .tolerance = 1e-13});
    assert_sound(m);
    while (nsds_step(s) == NSDS_OK) {
      double t = nsds_time(s);
      nsds_joint_motion motion;
      assert_ok(m, nsds_joint_read(bar, &motion));
      assert_near(motion.velocity, -0.8 * g * t, 1e-9);
      assert_near(motion.displacement, -0.4 * g * t * t, 1e-9);
      assert_near(motion.angular_velocity, turning ? 1.5 * t : 0.0, 1e-9);
      assert_near(motion.angle, turning ? 0.75 * t * t : 0.0, 1e-9);
    }
    assert_sound(m);
    nsds_model_destroy(m);
  }
}

/* The card ne_prismatic in closed form: no reaction, free fall along the axis. */
static void falling_along_the_axis(void **state) {
  (void)state;
  const double n = 1.0 / sqrt(14.0), angle = 3.14159265358979323846 / 5.0;
  const double ball[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const double q[7] = {1, 1, 1, cos(angle), 3 * n * sin(angle), 2 * n * sin(angle), n * sin(angle)};
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = body(m, ball, 1.0, q, NULL, g);
  any_joint_def def = {.kind = NSDS_JOINT_PRISMATIC, .ds = {ds}, .axis = {0, 0, 1}};
  nsds_interaction *bar = nsds_connect(m, any_joint(m, &def), nsds_equality(m), 1, &ds);
  nsds_simulation *s = nsds_time_stepping(
      m,
      &(nsds_time_stepping_def){.t1 = 2.0, .h = 1e-3, .second_order = nsds_moreau_jean(1.0, 1.0)});
  assert_sound(m);
  while (nsds_step(s) == NSDS_OK) {
    assert_near(nsds_v(ds)[2], -g * nsds_time(s), 1e-11);
    for (int k = 0; k < 5; ++k) assert_near(nsds_lambda(bar)[k], 0.0, 1e-9);
    for (int k = 3; k < 7; ++k) assert_near(nsds_q(ds)[k], q[k], 1e-15);
  }
  nsds_model_destroy(m);
}

/* ---- stops, dry friction, ropes ---- */

/* A wheel on a hinge: dry friction of moment tau brakes it from w0 to rest over w0^2 J / 2 tau. */
static void dry_friction_in_a_hinge(void **state) {
  (void)state;
  const double tau = 0.6, w0 = 2.0, h = 1e-3, J[9] = {0.2, 0, 0, 0, 0.2, 0, 0, 0, 0.3};
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = body(m, J, 1.0, NULL, (const double[6]){0, 0, 0, 0, 0, w0}, g);
  any_joint_def def = {.kind = NSDS_JOINT_HINGE, .ds = {ds}, .axis = {0, 0, 1}};
  nsds_interaction *hinge = nsds_connect(m, any_joint(m, &def), nsds_equality(m), 1, &ds);
  def.kind = ANY_ANGLE;
  nsds_law *dry = nsds_relay(m, 1, (double[]){-tau}, (double[]){tau});
  nsds_connect(m, any_joint(m, &def), dry, 1, &ds);
  nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.5, .h = h});
  assert_sound(m);
  nsds_joint_motion motion;
  while (nsds_step(s) == NSDS_OK) {
    assert_ok(m, nsds_joint_read(hinge, &motion));
    assert_near(motion.angular_velocity, fmax(0.0, w0 - tau / 0.3 * nsds_time(s)), tau / 0.3 * h);
  }
  assert_near(motion.angular_velocity, 0.0, 1e-9);
  assert_near(motion.angle, w0 * w0 * 0.3 / (2.0 * tau), 2e-3);
  nsds_model_destroy(m);
}

/* A slider between stops at -0.3 and 0.2 keeps its speed at elastic impacts: a sawtooth. */
static void a_slider_between_stops(void **state) {
  (void)state;
  const double J[9] = {0.2, 0, 0, 0, 0.2, 0, 0, 0, 0.3};
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = body(m, J, 1.0, tilted, (const double[6]){0.6, 0.8, 0}, 0.0);
  any_joint_def def = {.kind = NSDS_JOINT_PRISMATIC, .ds = {ds}, .axis = {0.6, 0.8, 0}};
  nsds_interaction *bar = nsds_connect(m, any_joint(m, &def), nsds_equality(m), 1, &ds);
  nsds_law *law = nsds_newton_impact(m, 1.0);
  def.kind = ANY_SLIDE;
  def.offset = 0.3;
  nsds_connect(m, any_joint(m, &def), law, 1, &ds);
  def.reversed = true;
  def.offset = 0.2;
  nsds_connect(m, any_joint(m, &def), law, 1, &ds);
  nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 3.0, .h = 1e-3});
  assert_sound(m);
  nsds_joint_motion motion;
  int turns = 0;
  double last = 1.0;
  while (nsds_step(s) == NSDS_OK) {
    assert_ok(m, nsds_joint_read(bar, &motion));
    assert_between(motion.displacement, -0.302, 0.202);
    assert_near(fabs(motion.velocity), 1.0, 1e-9);
    turns += motion.velocity * last < 0.0;
    last = motion.velocity;
  }
  assert_int_equal(turns, 6); /* at 0.2, 0.7, 1.2, ... */
  nsds_model_destroy(m);
}

/* A ball falls on a slack rope, which stops it at its length and then carries it. */
static void a_rope(void **state) {
  (void)state;
  const double J[9] = {0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01}, kg = 2.0, length = 0.5, h = 1e-3;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = body(m, J, kg, NULL, NULL, g);
  any_joint_def def = {.kind = NSDS_JOINT_ROPE, .ds = {ds}, .length = length};
  nsds_interaction *rope = nsds_connect(m, any_joint(m, &def), nsds_newton_impact(m, 0.0), 1, &ds);
  nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = h});
  assert_sound(m);
  double taut = sqrt(2.0 * length / g);
  while (nsds_step(s) == NSDS_OK) {
    double t = nsds_time(s);
    if (t < taut - h) assert_near(nsds_q(ds)[2], -0.5 * g * t * t, 1e-9);
    if (t > taut + 2.0 * h) {
      assert_near(nsds_q(ds)[2], -length, g * taut * h);
      assert_near(nsds_v(ds)[2], 0.0, 1e-9);
      assert_near(nsds_lambda(rope)[0], kg * g, 1e-6);
    }
  }
  assert_sound(m);
  nsds_model_destroy(m);
}

/* On a rail in the plane along an axis of any length: down it with its part of the weight. */
static void a_rail_in_the_plane(void **state) {
  (void)state;
  static const double length[] = {0.1, 5.0, 300.0};
  for (int k = 0; k < 3; ++k) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = nsds_rigid_body_2d(
        m, &(nsds_rigid_body_2d_def){.mass = 2.0, .inertia = 0.3, .gravity = {0.0, -10.0}});
    any_joint_def rail = {.kind = NSDS_JOINT_PRISMATIC,
                          .ds = {ds},
                          .point = {0.4, 0.1},
                          .axis = {0.6 * length[k], 0.8 * length[k]}};
    assert_non_null(nsds_connect(m, any_joint(m, &rail), nsds_equality(m), 1, &ds));
    run(m,
        &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-2, .second_order = nsds_moreau_jean(0.5, 1.0)},
        0);
    const double along = -0.5 * 10.0 * 0.8;
    assert_near(nsds_q(ds)[0], 0.6 * along, 1e-12);
    assert_near(nsds_q(ds)[1], 0.8 * along, 1e-12);
    assert_near(nsds_q(ds)[2], 0.0, 1e-12);
    nsds_model_destroy(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(compound_pendulum),
      cmocka_unit_test(compound_pendulum_integrated),
      cmocka_unit_test(a_double_pendulum_in_the_plane),
      cmocka_unit_test(a_rail_in_the_plane),
      cmocka_unit_test(conical_pendulum),
      cmocka_unit_test(sliding_along_a_bar),
      cmocka_unit_test(falling_along_the_axis),
      cmocka_unit_test(dry_friction_in_a_hinge),
      cmocka_unit_test(a_slider_between_stops),
      cmocka_unit_test(a_rope),
  };
  return cmocka_run_group_tests_name("kernel.joint_motions", tests, NULL, NULL);
}
