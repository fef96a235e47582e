/*
 * Joints: gradients against differences of y along the motion, what each leaves free and keeps,
 * pendulums with closed forms, momentum of two bodies, stops, ropes and dry friction.
 */
#include "support.h"

static const double g = 9.81;
static const double skew[9] = {0.3, 0.05, -0.02, 0.05, 0.5, 0.1, -0.02, 0.1, 0.4};
static const double tilted[7] = {0.4, 0.1, 0.3, 0.5, -0.5, 0.5, 0.5};

static const struct {
  nsds_joint_kind kind;
  const char *name;
  int rows, flat_rows, turns, slides;
} kinds[] = {{NSDS_JOINT_BALL, "ball", 3, 2, 0, 0},
             {NSDS_JOINT_HINGE, "hinge", 5, 2, 1, 0},
             {NSDS_JOINT_PRISMATIC, "prismatic", 5, 2, 0, 1},
             {NSDS_JOINT_CYLINDRICAL, "cylindrical", 4, 0, 1, 1},
             {NSDS_JOINT_FIXED, "fixed", 6, 3, 0, 0},
             {NSDS_JOINT_DISTANCE, "distance", 1, 1, 0, 0},
             {NSDS_JOINT_ROPE, "rope", 1, 1, 0, 0},
             {NSDS_JOINT_ANGLE, "angle", 1, 1, 1, 0},
             {NSDS_JOINT_SLIDE, "slide", 1, 1, 0, 1}};
enum { kind_count = sizeof kinds / sizeof *kinds };

static nsds_ds *body(nsds_model *m, const double *J, double mass, const double *q, const double *v,
                     double weight) {
  return nsds_rigid_body(
      m, &(nsds_rigid_body_def){
             .mass = mass, .inertia = J, .q0 = q, .v0 = v, .gravity = {0.0, 0.0, -weight}});
}

static void random_state(uint64_t *seed, double *q, double *v) {
  double length = 0.0;
  for (int k = 0; k < 7; ++k) q[k] = random_in(seed, -1.0, 1.0);
  for (int k = 0; k < 6; ++k) v[k] = random_in(seed, -1.0, 1.0);
  for (int k = 3; k < 7; ++k) length += q[k] * q[k];
  for (int k = 3; k < 7; ++k) q[k] /= sqrt(length);
}

static nsds_ds *flat_body(nsds_model *m, double mass, double inertia, const double *q,
                          const double *v, double weight) {
  return nsds_rigid_body_2d(
      m, &(nsds_rigid_body_2d_def){
             .mass = mass, .inertia = inertia, .q0 = q, .v0 = v, .gravity = {0.0, -weight}});
}

static void set_moved(nsds_ds *ds, const double *q, const double *v, double time) {
  double step[6], moved[7];
  nsds_ds_operators ops = nsds_ds_describe(ds);
  nsds_in at = nsds_ds_point(ds, 0.0, q, v);
  for (int i = 0; i < nsds_nv(ds); ++i) step[i] = time * v[i];
  if (ops.second->advance) ops.second->advance(ops.self, &at, step, moved);
  else
    for (int i = 0; i < nsds_nq(ds); ++i) moved[i] = q[i] + step[i];
  assert_int_equal(nsds_set_state(ds, moved, v), NSDS_OK);
}

/* ---- gradients ---- */

typedef struct joined {
  nsds_model *model;
  nsds_ds *ds[2];
  nsds_interaction *ia;
  double q[2][7], v[2][6];
  int kind, bodies, rows;
} joined;

/* Made in one configuration, where it is closed, and put into another, as far away as you like. */
static joined join(int kind, int bodies, bool flat, uint64_t *seed) {
  joined w = {.model = nsds_model_create(NULL), .kind = kind, .bodies = bodies};
  for (int k = 0; k < bodies; ++k) {
    random_state(seed, w.q[k], w.v[k]);
    w.ds[k] = flat ? flat_body(w.model, 1.0, 0.3, w.q[k], w.v[k], 0.0)
                   : body(w.model, skew, 1.0, w.q[k], w.v[k], 0.0);
  }
  nsds_joint_def def = {.kind = kinds[kind].kind,
                        .ds = {w.ds[0], w.ds[1]},
                        .point = {0.1, -0.2, 0.3},
                        .other = {0.5, 0.1, -0.4},
                        .axis = {0.3, 0.4, -1.2},
                        .reversed = true,
                        .offset = 0.7};
  w.rows = flat ? kinds[kind].flat_rows : kinds[kind].rows;
  w.ia = nsds_connect(w.model, nsds_joint(w.model, &def), nsds_equality(w.model), bodies, w.ds);
  assert_non_null(nsds_time_stepping(w.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1}));
  assert_int_equal(nsds_interaction_size(w.ia), w.rows);
  for (int i = 0; i < w.rows; ++i)
    assert_near(nsds_y(w.ia)[i], kinds[kind].kind >= NSDS_JOINT_ANGLE ? 0.7 : 0.0, 1e-14);
  for (int k = 0; k < bodies; ++k) random_state(seed, w.q[k], w.v[k]);
  return w;
}

/* dy/dt and the free motion against differences along the motion. */
static void check_gradient(int kind, int bodies, bool flat, uint64_t *seed) {
  joined w = join(kind, bodies, flat, seed);
  bool is_free = kinds[kind].turns || kinds[kind].slides;
  double y[2][6];
  nsds_joint_motion motion, moved[2] = {{0}};
  for (int side = 0; side < 2; ++side) {
    for (int k = 0; k < bodies; ++k) set_moved(w.ds[k], w.q[k], w.v[k], side ? 1e-5 : -1e-5);
    memcpy(y[side], nsds_y(w.ia), (size_t)w.rows * sizeof(double));
    if (is_free) assert_ok(w.model, nsds_joint_read(w.ia, &moved[side]));
  }
  for (int k = 0; k < bodies; ++k) set_moved(w.ds[k], w.q[k], w.v[k], 0.0);
  bool jumps = fabs(moved[1].angle - moved[0].angle) > 1.0; /* over pi */
  for (int i = 0; !jumps && i < w.rows; ++i)
    assert_near(nsds_ydot(w.ia)[i], (y[1][i] - y[0][i]) / 2e-5, 1e-6);
  if (is_free && !jumps) {
    assert_ok(w.model, nsds_joint_read(w.ia, &motion));
    assert_near(motion.angular_velocity, (moved[1].angle - moved[0].angle) / 2e-5, 1e-6);
    assert_near(motion.velocity, (moved[1].displacement - moved[0].displacement) / 2e-5, 1e-6);
  }
  nsds_model_destroy(w.model);
}

static void gradients_are_exact(void **state) {
  (void)state;
  uint64_t seed = 9;
  for (int kind = 0; kind < kind_count; ++kind)
    for (int bodies = 1; bodies <= 2; ++bodies)
      for (int i = 0; i < 40; ++i) {
        bool flat = i % 2;
        if (!flat || kinds[kind].flat_rows > 0) check_gradient(kind, bodies, flat, &seed);
      }
}

/* ---- what joints keep ---- */

static void momenta(nsds_ds *const *ds, double *p) {
  for (int k = 0; k < 6; ++k) p[k] = 0.0;
  for (int b = 0; b < 2; ++b) {
    const double *v = nsds_v(ds[b]), *x = nsds_q(ds[b]);
    double J[3], L[3], mass = 1.0 + b;
    for (int i = 0; i < 3; ++i) J[i] = skew[i] * v[3] + skew[i + 3] * v[4] + skew[i + 6] * v[5];
    nsds_to_world(x, J, L);
    for (int i = 0; i < 3; ++i) {
      int j = (i + 1) % 3, k = (i + 2) % 3;
      p[i] += mass * v[i];
      p[3 + i] += L[i] + mass * (x[j] * v[k] - x[k] * v[j]);
    }
  }
}

typedef struct pair {
  double drift, momentum[2]; /* after the run: |y|, of linear and of angular momentum */
} pair;

/* Two joined bodies fly for a second, from velocities that fit the joint. */
static pair fly(int kind, double h) {
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[2];
  double before[6], after[6];
  ds[0] = body(m, skew, 1.0, tilted, (const double[6]){1, 0, 2, 0.5, 1.0, -1.5}, 0.0);
  ds[1] = body(m, skew, 2.0, NULL, (const double[6]){0, 1, 0, 2.0, 0.3, 1.0}, 0.0);
  nsds_joint_def def = {.kind = kinds[kind].kind,
                        .ds = {ds[0], ds[1]},
                        .point = {0.2, 0.1, 0.2},
                        .other = {-0.3, 0.1, 0.0},
                        .axis = {0.0, 3.0, 4.0}};
  nsds_interaction *ia = nsds_connect(m, nsds_joint(m, &def), nsds_equality(m), 2, ds);
  /* one tiny step makes the velocities fit */
  nsds_simulation *s =
      nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-9, .tolerance = 1e-13});
  assert_ok(m, nsds_step(s));
  assert_ok(m, nsds_simulation_set_h(s, h));
  momenta(ds, before);
  pair result = {0};
  nsds_status status;
  while ((status = nsds_step(s)) == NSDS_OK) {
    for (int i = 0; i < kinds[kind].rows; ++i)
      result.drift = worse(result.drift, fabs(nsds_y(ia)[i]));
  }
  assert_status(m, status, NSDS_END);
  momenta(ds, after);
  for (int k = 0; k < 6; ++k)
    result.momentum[k / 3] = worse(result.momentum[k / 3], fabs(after[k] - before[k]));
  nsds_model_destroy(m);
  return result;
}

/* Linear momentum is kept to the solver's accuracy. With H at the end of the step, gamma = 1, where
 * the velocities fit, positions drift by order 2, and angular momentum, whose impulses act there
 * too, changes by order 1. */
static void joined_bodies_in_flight(void **state) {
  (void)state;
  for (int kind = 0; kinds[kind].kind < NSDS_JOINT_ROPE; ++kind) {
    pair coarse = fly(kind, 2e-3), fine = fly(kind, 1e-3);
    print_message("             %-12s drift %.1e (order %.2f), angular momentum %.1e (%.2f)\n",
                  kinds[kind].name, fine.drift, order_of(coarse.drift, fine.drift),
                  fine.momentum[1], order_of(coarse.momentum[1], fine.momentum[1]));
    assert_between(fine.momentum[0], 0.0, 1e-9);
    assert_near(order_of(coarse.drift, fine.drift), 2.0, 0.1);
    assert_near(order_of(coarse.momentum[1], fine.momentum[1]), 1.0, 0.1);
    assert_between(fine.drift, 0.0, 1e-6);
  }
}

/* Two bodies fixed to each other move as the one they make. */
static void fixed_bodies_are_one(void **state) {
  (void)state;
  const double v[6] = {0.3, 0, 0.2, 1.0, 0.4, -0.7}, at[2] = {-0.4, 0.2};
  const double J[9] = {0.02, 0, 0, 0, 0.03, 0, 0, 0, 0.04};
  double error[2];
  for (int i = 0; i < 2; ++i) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds[3];
    for (int k = 0; k < 2; ++k) { /* masses 1 and 2 on the x axis, their centre at 0 */
      double q[7] = {at[k], 0, 0, 1, 0, 0, 0}, own[6];
      memcpy(own, v, sizeof own);
      own[1] += v[5] * at[k];
      own[2] -= v[4] * at[k];
      ds[k] = body(m, J, 1.0 + k, q, own, g);
    }
    double both = 0.4 * 0.4 + 2.0 * 0.2 * 0.2;
    const double sum[9] = {0.04, 0, 0, 0, 0.06 + both, 0, 0, 0, 0.08 + both};
    ds[2] = body(m, sum, 3.0, NULL, v, g);
    nsds_joint_def def = {.kind = NSDS_JOINT_FIXED, .ds = {ds[0], ds[1]}};
    nsds_connect(m, nsds_joint(m, &def), nsds_equality(m), 2, ds);
    run(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = i ? 1e-3 : 2e-3, .tolerance = 1e-13}, 0);
    error[i] = 0.0;
    for (int k = 0; k < 3; ++k) {
      double centre = (nsds_q(ds[0])[k] + 2.0 * nsds_q(ds[1])[k]) / 3.0;
      assert_near(centre, nsds_q(ds[2])[k], 1e-10);
      error[i] = worse(error[i], fabs(nsds_v(ds[0])[3 + k] - nsds_v(ds[2])[3 + k]));
    }
    for (int k = 3; k < 7; ++k)
      error[i] = worse(error[i], fabs(nsds_q(ds[1])[k] - nsds_q(ds[2])[k]));
    nsds_model_destroy(m);
  }
  print_message("             off by %.1e, order %.2f\n", error[1], order_of(error[0], error[1]));
  assert_between(error[1], 0.0, 5e-4);
  assert_near(order_of(error[0], error[1]), 1.0, 0.1);
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
    nsds_joint_def def = {.kind = NSDS_JOINT_HINGE, .ds = {ds}, .axis = {0, -2, 0}};
    nsds_interaction *hinge = nsds_connect(m, nsds_joint(m, &def), nsds_equality(m), 1, &ds);
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
  nsds_joint_def def = {.kind = NSDS_JOINT_HINGE, .ds = {ds}, .axis = {0, -2, 0}};
  nsds_interaction *hinge = nsds_connect(m, nsds_joint(m, &def), nsds_equality(m), 1, &ds);
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
      nsds_joint_def def = {.kind = NSDS_JOINT_HINGE,
                            .ds = {ds[i][k], k ? ds[i][0] : NULL},
                            .point = {k * l, 0, 0},
                            .axis = {0, -1, 0}};
      ia[i][k] = nsds_connect(m[i], nsds_joint(m[i], &def), nsds_equality(m[i]), k ? 2 : 1, def.ds);
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
      assert_near(nsds_force(ia[1][k])[0], nsds_force(ia[0][k])[0], 1e-5);
      assert_near(nsds_force(ia[1][k])[2], nsds_force(ia[0][k])[1], 1e-5);
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
  nsds_joint_def def = {.kind = NSDS_JOINT_DISTANCE, .ds = {ds}, .point = {q[0], q[1], q[2]}};
  nsds_interaction *rod = nsds_connect(m, nsds_joint(m, &def), nsds_equality(m), 1, &ds);
  nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-4});
  assert_sound(m);
  while (nsds_step(s) == NSDS_OK) {
    double a = w * nsds_time(s);
    assert_near(nsds_q(ds)[0], l * sin(tilt) * cos(a), 2e-3);
    assert_near(nsds_q(ds)[2], -l * cos(tilt), 2e-3);
    assert_near(nsds_force(rod)[0], -kg * g / cos(tilt), 1e-2 * kg * g);
  }
  assert_sound(m);
  nsds_model_destroy(m);
}

/* ---- free axes ---- */

/* A body on an inclined bar: slides with the weight's share along it, and turns with a given moment
 * where the joint lets it. */
static int twist(const nsds_in *in, double *out, void *user) {
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
                                                            .moment_fn = twist,
                                                            .jac_moment_q_fn = nsds_zero,
                                                            .jac_moment_v_fn = nsds_zero,
                                                            .moment_in_world = true,
                                                            .user = moment});
    nsds_joint_def def = {.kind = turning ? NSDS_JOINT_CYLINDRICAL : NSDS_JOINT_PRISMATIC,
                          .ds = {ds},
                          .point = {tilted[0], tilted[1], tilted[2]},
                          .axis = {0.6, 0.0, 0.8}};
    nsds_interaction *bar = nsds_connect(m, nsds_joint(m, &def), nsds_equality(m), 1, &ds);
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
  nsds_joint_def def = {.kind = NSDS_JOINT_PRISMATIC, .ds = {ds}, .axis = {0, 0, 1}};
  nsds_interaction *bar = nsds_connect(m, nsds_joint(m, &def), nsds_equality(m), 1, &ds);
  nsds_simulation *s =
      nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 2.0, .h = 1e-3, .theta = 1.0});
  assert_sound(m);
  while (nsds_step(s) == NSDS_OK) {
    assert_near(nsds_v(ds)[2], -g * nsds_time(s), 1e-11);
    for (int k = 0; k < 5; ++k) assert_near(nsds_force(bar)[k], 0.0, 1e-9);
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
  nsds_joint_def def = {.kind = NSDS_JOINT_HINGE, .ds = {ds}, .axis = {0, 0, 1}};
  nsds_interaction *hinge = nsds_connect(m, nsds_joint(m, &def), nsds_equality(m), 1, &ds);
  def.kind = NSDS_JOINT_ANGLE;
  nsds_law *dry = nsds_relay(m, 1, (double[]){-tau}, (double[]){tau});
  nsds_connect(m, nsds_joint(m, &def), dry, 1, &ds);
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
  nsds_joint_def def = {.kind = NSDS_JOINT_PRISMATIC, .ds = {ds}, .axis = {0.6, 0.8, 0}};
  nsds_interaction *bar = nsds_connect(m, nsds_joint(m, &def), nsds_equality(m), 1, &ds);
  nsds_law *law = nsds_newton_impact(m, 1.0);
  def.kind = NSDS_JOINT_SLIDE;
  def.offset = 0.3;
  nsds_connect(m, nsds_joint(m, &def), law, 1, &ds);
  def.reversed = true;
  def.offset = 0.2;
  nsds_connect(m, nsds_joint(m, &def), law, 1, &ds);
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
  nsds_joint_def def = {.kind = NSDS_JOINT_ROPE, .ds = {ds}, .length = length};
  nsds_interaction *rope = nsds_connect(m, nsds_joint(m, &def), nsds_newton_impact(m, 0.0), 1, &ds);
  nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = h});
  assert_sound(m);
  double taut = sqrt(2.0 * length / g);
  while (nsds_step(s) == NSDS_OK) {
    double t = nsds_time(s);
    if (t < taut - h) assert_near(nsds_q(ds)[2], -0.5 * g * t * t, 1e-9);
    if (t > taut + 2.0 * h) {
      assert_near(nsds_q(ds)[2], -length, g * taut * h);
      assert_near(nsds_v(ds)[2], 0.0, 1e-9);
      assert_near(nsds_force(rope)[0], kg * g, 1e-6);
    }
  }
  assert_sound(m);
  nsds_model_destroy(m);
}

/* What has no free axis is not read. */
static void reading_other_interactions(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = body(m, skew, 1.0, NULL, NULL, 0.0);
  nsds_joint_def def = {.kind = NSDS_JOINT_BALL, .ds = {ds}};
  nsds_relation *floor = nsds_sphere_plane_relation(
      m, &(nsds_sphere_plane_relation_def){.rows = 1, .normal = {0, 0, 1}});
  nsds_interaction *other[2] = {nsds_connect(m, nsds_joint(m, &def), nsds_equality(m), 1, &ds),
                                nsds_connect(m, floor, nsds_newton_impact(m, 0.0), 1, &ds)};
  for (int k = 0; k < 2; ++k) {
    nsds_joint_motion motion = {.angle = 7.0};
    nsds_error_clear(nsds_model_context(m));
    assert_int_equal(nsds_joint_read(other[k], &motion), NSDS_ERROR_ARGUMENT);
    assert_words(nsds_error_message(nsds_model_context(m)), ((const char *[]){"free axis"}), 1);
    assert_near(motion.angle, 7.0, 0.0);
  }
  assert_int_equal(nsds_joint_read(NULL, NULL), NSDS_ERROR_ARGUMENT);
  nsds_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gradients_are_exact),
      cmocka_unit_test(joined_bodies_in_flight),
      cmocka_unit_test(fixed_bodies_are_one),
      cmocka_unit_test(compound_pendulum),
      cmocka_unit_test(compound_pendulum_integrated),
      cmocka_unit_test(a_double_pendulum_in_the_plane),
      cmocka_unit_test(conical_pendulum),
      cmocka_unit_test(sliding_along_a_bar),
      cmocka_unit_test(falling_along_the_axis),
      cmocka_unit_test(dry_friction_in_a_hinge),
      cmocka_unit_test(a_slider_between_stops),
      cmocka_unit_test(a_rope),
      cmocka_unit_test(reading_other_interactions),
  };
  return cmocka_run_group_tests_name("kernel.joints", tests, NULL, NULL);
}
