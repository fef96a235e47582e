/*
 * Stiff drives of joints at long steps: D12, and arms against their static balance. Sliders with all that
 * acts on a joint, in all drivers against an integration of their own.
 */
#include "support.h"

static const double gravity = 9.81;

/* A chain of links in the plane of x and z, in space or in the plane of the library. */
typedef struct arm {
  nsds_model *m;
  bool space;
  int n;
  double mass[3], length[3], stiffness[3];
  nsds_ds *link[3];
  nsds_interaction *drive[3];
  nsds_simulation *s;
} arm;

static nsds_ds *add_link(arm *a, double x, double mass, double length, double inertia) {
  const double J[9] = {inertia, 0, 0, 0, inertia, 0, 0, 0, inertia};
  double middle = x + 0.5 * length;
  int k = a->n++;
  a->mass[k] = mass;
  a->length[k] = length;
  if (a->space)
    a->link[k] =
        nsds_rigid_body(a->m, &(nsds_rigid_body_def){.mass = mass,
                                                     .inertia = J,
                                                     .gravity = {0, 0, -gravity},
                                                     .q0 = (double[]){middle, 0, 0, 1, 0, 0, 0}});
  else
    a->link[k] =
        nsds_rigid_body_2d(a->m, &(nsds_rigid_body_2d_def){.mass = mass,
                                                           .inertia = inertia,
                                                           .gravity = {0, -gravity},
                                                           .q0 = (double[]){middle, 0, 0}});
  assert_sound(a->m);
  return a->link[k];
}

/* A hinge at x between link k and the link before it, with a drive. Angles turn upwards. */
static void add_drive(arm *a, int k, double x, const nsds_joint_drive_def *of, double most) {
  nsds_ds *ds[2] = {a->link[k], k > 0 ? a->link[k - 1] : NULL};
  int count = k > 0 ? 2 : 1;
  nsds_joint_def hinge = {
      .kind = NSDS_JOINT_HINGE, .ds = {ds[0], ds[1]}, .point = {x}, .axis = {0, -1, 0}};
  nsds_connect(a->m, nsds_joint(a->m, &hinge), nsds_equality(a->m), count, ds);
  nsds_joint_drive_def drive = *of;
  drive.coordinate = (nsds_joint_coordinate_def){
      .kind = NSDS_COORDINATE_ANGLE, .ds = {ds[0], ds[1]}, .point = {x}, .axis = {0, -1, 0}};
  nsds_law *law = most > 0.0 ? nsds_relay(a->m, 1, (double[]){-most}, &most) : nsds_equality(a->m);
  a->stiffness[k] = of->stiffness;
  a->drive[k] = nsds_connect(a->m, nsds_joint_drive(a->m, &drive), law, count, ds);
  assert_sound(a->m);
}

static double angle_of(const nsds_interaction *ia) {
  nsds_joint_motion motion;
  assert_int_equal(nsds_joint_read(ia, &motion), NSDS_OK);
  return motion.angle;
}

static double rate_of(const nsds_interaction *ia) {
  nsds_joint_motion motion;
  assert_int_equal(nsds_joint_read(ia, &motion), NSDS_OK);
  return motion.angular_velocity;
}

/* The moment that holds joint k of an arm at rest against gravity, from its angles. */
static double holding_moment(const arm *a, int k) {
  double x = 0.0, angle = 0.0, moment = 0.0;
  for (int i = 0; i < a->n; ++i) {
    angle += angle_of(a->drive[i]);
    double way = a->length[i] * cos(angle);
    if (i >= k) moment += a->mass[i] * gravity * (x + 0.5 * way);
    if (i >= k) x += way;
  }
  return moment;
}

/* ---- stiff drives ---- */

/* A link of 0.1 kg with a moment 50 (-0.5 - angle) - 1 rate set by hand at h = 2 ms ended at 6,604 rad/s. */
static void d12_stiff_motors(void **state) {
  (void)state;
  for (int k = 0; k < 6; ++k) {
    nsds_coordinates coordinates = k > 3 ? NSDS_COORDINATES_JOINT : NSDS_COORDINATES_MAXIMAL;
    nsds_time_stepping_def steps = {.t1 = 2.0, .h = 2e-3, .coordinates = coordinates};
    arm a = {.m = nsds_model_create(NULL), .space = k & 1};
    add_link(&a, 0.0, 0.1, 0.1, 1e-4);
    add_drive(&a, 0, 0.0,
              &(nsds_joint_drive_def){.stiffness = 50.0, .damping = 1.0, .target = -0.5}, 0.0);
    a.s = k & 2 ? nsds_event_driven(a.m, &(nsds_event_driven_def){.t1 = 2.0})
                : nsds_time_stepping(a.m, &steps);
    assert_status(a.m, nsds_run(a.s), NSDS_END);
    double right = -0.5;
    for (int i = 0; i < 50; ++i) right = -0.5 - 0.1 * gravity * 0.05 * cos(right) / 50.0;
    assert_near(angle_of(a.drive[0]), right, 1e-7);
    assert_near(rate_of(a.drive[0]), 0.0, 1e-7);
    nsds_model_destroy(a.m);
  }
}

/* Draws an arm of one to three links with drives; returns the energy of springs and weights above their least. */
static double draw_arm(arm *a, uint64_t *seed) {
  int n = 1 + (int)random_in(seed, 0.0, 3.0);
  double x = 0.0, energy = 0.0, reach = 0.0;
  for (int i = 0; i < n; ++i) {
    double mass = random_in(seed, 0.2, 1.2), length = random_in(seed, 0.2, 0.6);
    double k = pow(10.0, random_in(seed, 2.0, 6.0)), inertia = mass * length * length;
    double target = random_in(seed, -1.0, 1.0);
    add_link(a, x, mass, length, inertia / 12.0);
    add_drive(a, i, x,
              &(nsds_joint_drive_def){.stiffness = k,
                                      .damping = random_in(seed, 1.0, 4.0) * sqrt(k * inertia),
                                      .target = target},
              0.0);
    x += length;
    reach += length;
    energy += 0.5 * k * target * target + 2.0 * mass * gravity * reach;
  }
  return energy;
}

static double kinetic_energy(const arm *a) {
  double sum = 0.0;
  for (int i = 0; i < a->n; ++i) sum += nsds_kinetic_energy(a->link[i]);
  return sum;
}

/* Drives of 1e2 to 1e6 N m/rad at h = 1 to 20 ms, in arms of one to three links. The kinetic energy never exceeds
 * that of the springs at the start, and the arm comes to the static balance of its angles. */
static void stiff_drives_reach_their_balance(void **state) {
  (void)state;
  static const double steps[] = {1e-3, 2e-3, 5e-3, 1e-2, 2e-2};
  uint64_t seed = 63;
  for (int draw = 0; draw < 90; ++draw) {
    bool joint = draw >= 60;
    arm a = {.m = nsds_model_create(NULL), .space = random_in(&seed, 0.0, 1.0) < 0.5 || joint};
    double h = steps[draw % 5], energy = draw_arm(&a, &seed);
    nsds_time_stepping_def def = {
        .t1 = 5000 * h, .h = h, .second_order = nsds_moreau_jean(draw % 2 ? 1.0 : 0.5, 1.0)};
    if (joint) def.coordinates = NSDS_COORDINATES_JOINT;
    else def.projection.kind = NSDS_PROJECTION_DIRECT;
    a.s = nsds_time_stepping(a.m, &def);
    assert_sound(a.m);
    nsds_status status;
    while ((status = nsds_step(a.s)) == NSDS_OK) assert_between(kinetic_energy(&a), 0.0, energy);
    assert_status(a.m, status, NSDS_END);
    for (int i = 0; i < a.n; ++i) {
      nsds_joint_drive_motion drive;
      assert_ok(a.m, nsds_joint_drive_read(a.drive[i], &drive));
      assert_near(drive.force, holding_moment(&a, i), 1e-6);
      assert_near(rate_of(a.drive[i]), 0.0, 1e-9);
      /* the force is that of the spring at rest: its stretch is off by at most 1e-6 rad */
      assert_near(drive.coordinate, drive.target - drive.force / a.stiffness[i], 1e-9);
    }
    nsds_model_destroy(a.m);
  }
}

/* ---- sliders ---------------------------------------------------------------------------------- */

typedef struct slider {
  double mass, push, v0; /* push: a constant force */
  nsds_joint_act_def act;
} slider;

static slider draw_slider(uint64_t *draw) {
  slider s = {.mass = random_in(draw, 0.3, 3.0),
              .push = random_in(draw, -3.0, 3.0),
              .v0 = random_in(draw, -1.0, 1.0)};
  s.act = (nsds_joint_act_def){.stiffness = fmax(0.0, random_in(draw, -50.0, 50.0)),
                               .damping = fmax(0.0, random_in(draw, -5.0, 5.0)),
                               .rest = random_in(draw, -0.5, 0.5),
                               .armature = fmax(0.0, random_in(draw, -2.0, 2.0)),
                               .driven = true,
                               .drive_stiffness = fmax(0.0, random_in(draw, -50.0, 50.0)),
                               .drive_damping = fmax(0.0, random_in(draw, -5.0, 5.0)),
                               .target = random_in(draw, -1.0, 1.0),
                               .rate = random_in(draw, -1.0, 1.0),
                               .force = random_in(draw, -1.0, 1.0),
                               .most = fmax(0.0, random_in(draw, -5.0, 5.0))};
  if (random_in(draw, -1.0, 1.0) > 0.0) {
    s.act.lower = random_in(draw, -0.4, -0.1);
    s.act.upper = random_in(draw, 0.1, 0.4);
    s.act.stop_stiffness = random_in(draw, 100.0, 800.0);
  }
  return s;
}

static double slider_acceleration(const slider *s, double x, double v) {
  const nsds_joint_act_def *a = &s->act;
  double drive = a->drive_stiffness * (a->target - x) + a->drive_damping * (a->rate - v) + a->force;
  double force = s->push - a->stiffness * (x - a->rest) - a->damping * v;
  if (a->most > 0.0) drive = fmax(-a->most, fmin(drive, a->most));
  if (a->stop_stiffness > 0.0)
    force += a->stop_stiffness * (fmax(0.0, a->lower - x) - fmax(0.0, x - a->upper));
  return (force + drive) / (s->mass + a->armature);
}

static void integrate_slider(const slider *s, double t1, double *x, double *v) {
  enum { steps = 20000 };
  double h = t1 / steps, q = 0.0, u = s->v0;
  for (int k = 0; k < steps; ++k) {
    double a1 = slider_acceleration(s, q, u), u2 = u + 0.5 * h * a1;
    double a2 = slider_acceleration(s, q + 0.5 * h * u, u2), u3 = u + 0.5 * h * a2;
    double a3 = slider_acceleration(s, q + 0.5 * h * u2, u3), u4 = u + h * a3;
    double a4 = slider_acceleration(s, q + h * u3, u4);
    q += h / 6.0 * (u + 2.0 * u2 + 2.0 * u3 + u4);
    u += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  }
  *x = q;
  *v = u;
}

/* Under RATTLE drives ignored their largest force, and soft stops pulled. With combined projections
 * nothing acted that has no gap. */
static void drawn_sliders_in_all_drivers(void **state) {
  (void)state;
  const double t1 = 1.0, J[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1},
               allowed[] = {1e-5, 2e-4, 1e-2, 1e-2, 1e-2, 1e-2};
  for (uint64_t seed = 1; seed <= 40; ++seed)
    for (int driver = 0; driver < 6; ++driver) {
      uint64_t draw = seed;
      slider s = draw_slider(&draw);
      nsds_model *m = nsds_model_create(NULL);
      nsds_ds *ds =
          nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = s.mass,
                                                    .inertia = J,
                                                    .gravity = {s.push / s.mass},
                                                    .v0 = (double[]){s.v0, 0, 0, 0, 0, 0}});
      nsds_joint_def joint = {.kind = NSDS_JOINT_PRISMATIC, .ds = {ds}, .axis = {1, 0, 0}};
      nsds_connect(m, nsds_joint(m, &joint), nsds_equality(m), 1, &ds);
      s.act.coordinate = (nsds_joint_coordinate_def){
          .kind = NSDS_COORDINATE_DISPLACEMENT, .ds = {ds}, .axis = {1, 0, 0}};
      nsds_joint_actions made;
      assert_ok(m, nsds_joint_act(m, &s.act, &made));
      if (made.rotor) assert_ok(m, nsds_set_state(made.rotor, NULL, &s.v0));
      nsds_time_stepping_def steps = {.t1 = t1, .h = 5e-4};
      if (driver == 1) steps.second_order = nsds_rattle();
      if (driver == 5) steps.coordinates = NSDS_COORDINATES_JOINT;
      else if (driver > 2)
        steps.projection.kind = driver == 3 ? NSDS_PROJECTION_DIRECT : NSDS_PROJECTION_COMBINED;
      nsds_simulation *sim = driver == 0 ? nsds_event_driven(m, &(nsds_event_driven_def){.t1 = t1})
                                         : nsds_time_stepping(m, &steps);
      assert_sound(m);
      assert_status(m, nsds_run(sim), NSDS_END);
      double x, v;
      integrate_slider(&s, t1, &x, &v);
      double off = fmax(fabs(nsds_q(ds)[0] - x), 0.1 * fabs(nsds_v(ds)[0] - v));
      if (!(off < allowed[driver]))
        fail_msg("seed %d, driver %d: off by %g", (int)seed, driver, off);
      nsds_model_destroy(m);
    }
}

/* In event-driven simulation, a motor before its controller has spoken pushed with all it has: its row was
 * open by rounding. */
static void silent_motors_give_no_force(void **state) {
  (void)state;
  enum { bodies = 3 };
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    uint64_t draw = seed;
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds[2] = {NULL, NULL};
    nsds_joint_actions made[bodies];
    for (int k = 0; k < bodies; ++k) {
      const double J[9] = {random_in(&draw, 0.2, 0.4), 0, 0, 0, 0.3, 0, 0, 0, 0.25};
      double axis[3], point[3] = {0.8 * k, 0, 0}, q0[7] = {0.8 * k + 0.4, 0, 0, 1, 0, 0, 0};
      for (int i = 0; i < 3; ++i) axis[i] = random_in(&draw, -1.0, 1.0);
      ds[1] = ds[0];
      ds[0] = nsds_rigid_body(
          m,
          &(nsds_rigid_body_def){.mass = 1.0, .inertia = J, .q0 = q0, .gravity = {0, 0, -gravity}});
      int count = ds[1] ? 2 : 1;
      nsds_joint_def hinge = {.kind = NSDS_JOINT_HINGE, .ds = {ds[0], ds[1]}};
      nsds_joint_act_def act = {.coordinate = {.kind = NSDS_COORDINATE_ANGLE, .ds = {ds[0], ds[1]}},
                                .driven = true,
                                .most = random_in(&draw, 1.0, 30.0)};
      memcpy(hinge.point, point, sizeof point);
      memcpy(hinge.axis, axis, sizeof axis);
      memcpy(act.coordinate.point, point, sizeof point);
      memcpy(act.coordinate.axis, axis, sizeof axis);
      nsds_connect(m, nsds_joint(m, &hinge), nsds_equality(m), count, ds);
      assert_ok(m, nsds_joint_act(m, &act, &made[k]));
    }
    nsds_simulation *sim = nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 0.1});
    assert_sound(m);
    assert_status(m, nsds_run(sim), NSDS_END);
    for (int k = 0; k < bodies; ++k) assert_near(nsds_lambda(made[k].drive)[0], 0.0, 1e-9);
    nsds_model_destroy(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(d12_stiff_motors),
      cmocka_unit_test(stiff_drives_reach_their_balance),
      cmocka_unit_test(drawn_sliders_in_all_drivers),
      cmocka_unit_test(silent_motors_give_no_force),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
