/*
 * All that acts, on each free coordinate of every kind of joint: drawn joints against closed forms, by time stepping and
 * by events, in both coordinates. Bodies are balls whose centers are at the joint, so that coordinates do not feel
 * each other: c'' = (force along c) / (inertia along c).
 */
#include "support.h"

static const double tau = 6.283185307179586;

/* ---- joints ---- */

enum { most_free = 6 };
enum {
  hinge_joint,
  prismatic_joint,
  cylindrical_joint,
  screw_joint,
  universal_joint,
  planar_joint,
  ball_joint,
  no_joint,
  joints
};
enum { linear, dry, rigid, soft, ways };
enum { maximal, joint_coordinates, events, joint_events };

/* A coordinate: its kind, the number of its axis in the drawn frame, and the inertia that it moves. */
typedef struct along {
  nsds_joint_coordinate_kind kind;
  int axis;
  double inertia, start, rate; /* c and dc/dt at the start */
  nsds_joint_act_def def;
  nsds_joint_actions made;
} along;

typedef struct world {
  nsds_model *m;
  nsds_simulation *s;
  int joint, driver, way, n;
  double h, t1, frame[9], point[3], mass, J, lead;
  nsds_ds *ds[2];
  bool pair;
  along c[most_free];
} world;

static bool turns(const along *c) { return c->kind != NSDS_COORDINATE_DISPLACEMENT; }

static void turn_by(const double *p, const double *x, double *y) {
  double s = 2.0 * (p[1] * x[0] + p[2] * x[1] + p[3] * x[2]),
         k = p[0] * p[0] - p[1] * p[1] - p[2] * p[2] - p[3] * p[3];
  const double cross[3] = {p[2] * x[2] - p[3] * x[1], p[3] * x[0] - p[1] * x[2],
                           p[1] * x[1] - p[2] * x[0]};
  for (int i = 0; i < 3; ++i) y[i] = s * p[1 + i] + k * x[i] + 2.0 * p[0] * cross[i];
}

static void draw_turn(uint64_t *seed, double *p) {
  double length = 0.0;
  while (length < 0.1) {
    length = 0.0;
    for (int i = 0; i < 4; ++i) {
      p[i] = random_in(seed, -1.0, 1.0);
      length += p[i] * p[i];
    }
  }
  for (int i = 0; i < 4; ++i) p[i] /= sqrt(length);
}

/* The free coordinates of a joint with an axis, and those across. */
static int coordinates_of(world *w, uint64_t *seed) {
  static const struct {
    int n;
    struct {
      nsds_joint_coordinate_kind kind;
      int axis;
    } c[most_free];
  } of[joints] = {
      [hinge_joint] = {1, {{NSDS_COORDINATE_ANGLE, 0}}},
      [prismatic_joint] = {1, {{NSDS_COORDINATE_DISPLACEMENT, 0}}},
      [cylindrical_joint] = {2, {{NSDS_COORDINATE_ANGLE, 0}, {NSDS_COORDINATE_DISPLACEMENT, 0}}},
      [screw_joint] = {1, {{NSDS_COORDINATE_ANGLE, 0}}},
      [universal_joint] = {2, {{NSDS_COORDINATE_FIRST, 0}, {NSDS_COORDINATE_SECOND, 0}}},
      [planar_joint] = {3,
                        {{NSDS_COORDINATE_ANGLE, 0},
                         {NSDS_COORDINATE_DISPLACEMENT, 1},
                         {NSDS_COORDINATE_DISPLACEMENT, 2}}},
      [ball_joint] = {2, {{NSDS_COORDINATE_SWING, 0}, {NSDS_COORDINATE_TWIST, 0}}},
      [no_joint] = {4,
                    {{NSDS_COORDINATE_TWIST, 0},
                     {NSDS_COORDINATE_DISPLACEMENT, 0},
                     {NSDS_COORDINATE_DISPLACEMENT, 1},
                     {NSDS_COORDINATE_DISPLACEMENT, 2}}}};
  bool one = (w->pair && w->joint != universal_joint && w->joint != cylindrical_joint) ||
             w->joint == ball_joint;
  int n = of[w->joint].n, only = (int)random_in(seed, 0.0, n - 1e-9);
  w->n = 0;
  for (int k = 0; k < n; ++k) {
    if (one && k != only) continue;
    w->c[w->n++] = (along){.kind = of[w->joint].c[k].kind, .axis = of[w->joint].c[k].axis};
  }
  return w->n;
}

static void set_place(const world *w, along *c) {
  nsds_joint_coordinate_def *d = &c->def.coordinate;
  d->kind = c->kind;
  for (int k = 0; k < (w->pair ? 2 : 1); ++k) d->ds[k] = w->ds[k];
  memcpy(d->point, w->point, sizeof d->point);
  memcpy(d->axis, w->frame + 3 * c->axis, sizeof d->axis);
  memcpy(d->other_axis, w->frame + 3, sizeof d->other_axis);
}

/* The relative velocity and angular velocity of the first body, shared so that the sum of momenta is zero. */
static void add_bodies(world *w, const double *mass, const double *J, const double *v,
                       const double *spin, uint64_t *seed) {
  for (int k = 0; k < (w->pair ? 2 : 1); ++k) {
    double q0[7], v0[6], part = !w->pair ? 1.0 : mass[1 - k] / (mass[0] + mass[1]);
    double turning = !w->pair ? 1.0 : J[1 - k] / (J[0] + J[1]), sign = k ? -1.0 : 1.0, w0[3];
    const double inertia[9] = {J[k], 0, 0, 0, J[k], 0, 0, 0, J[k]};
    memcpy(q0, w->point, sizeof w->point);
    draw_turn(seed, q0 + 3);
    const double back[4] = {q0[3], -q0[4], -q0[5], -q0[6]};
    turn_by(back, spin, w0);
    for (int i = 0; i < 3; ++i) {
      v0[i] = sign * part * v[i];
      v0[3 + i] = sign * turning * w0[i];
    }
    w->ds[k] = nsds_rigid_body(
        w->m, &(nsds_rigid_body_def){.mass = mass[k], .inertia = inertia, .q0 = q0, .v0 = v0});
  }
  assert_sound(w->m);
}

static void add_joint(world *w) {
  static const nsds_joint_kind kind[joints] = {
      NSDS_JOINT_HINGE,     NSDS_JOINT_PRISMATIC, NSDS_JOINT_CYLINDRICAL, NSDS_JOINT_CYLINDRICAL,
      NSDS_JOINT_UNIVERSAL, NSDS_JOINT_PLANAR,    NSDS_JOINT_BALL};
  if (w->joint == no_joint) return;
  nsds_joint_def def = {.kind = kind[w->joint], .ds = {w->ds[0], w->pair ? w->ds[1] : NULL}};
  memcpy(def.point, w->point, sizeof def.point);
  memcpy(def.axis, w->frame, sizeof def.axis);
  memcpy(def.other_axis, w->frame + 3, sizeof def.other_axis);
  nsds_connect(w->m, nsds_joint(w->m, &def), nsds_equality(w->m), w->pair ? 2 : 1, def.ds);
  if (w->joint != screw_joint) return;
  along slide = {.kind = NSDS_COORDINATE_DISPLACEMENT}, turn = {.kind = NSDS_COORDINATE_ANGLE};
  set_place(w, &slide);
  set_place(w, &turn);
  const nsds_joint_term term[2] = {{.coordinate = turn.def.coordinate, .weight = w->lead / tau},
                                   {.coordinate = slide.def.coordinate, .weight = -1.0}};
  nsds_joint_couple(w->m, &(nsds_joint_couple_def){.nterm = 2, .term = term});
  assert_sound(w->m);
}

/* ---- what acts ---- */

/* Draws what acts on a coordinate. At most `far` away from the start. */
static void draw_action(const world *w, along *c, uint64_t *seed) {
  nsds_joint_act_def *d = &c->def;
  double I = c->inertia, sign = random_in(seed, -1.0, 1.0) < 0.0 ? -1.0 : 1.0;
  bool swings = c->kind == NSDS_COORDINATE_SWING;
  double armature = swings ? 0.0 : I * fmax(0.0, random_in(seed, -1.0, 3.0));
  d->armature = armature;
  d->coordinate.reversed = sign < 0.0;
  d->coordinate.offset = random_in(seed, -1.0, 1.0);
  d->driven = true;
  c->inertia = I += armature;
  c->start = d->coordinate.offset;
  if (w->way == linear) {
    double frequency = random_in(seed, 1.0, 6.0);
    d->stiffness = 0.4 * I * frequency * frequency;
    d->damping = fmax(0.0, random_in(seed, -1.0, 1.0)) * I * frequency;
    d->rest = c->start + random_in(seed, -0.3, 0.3);
    d->drive_stiffness = 0.6 * I * frequency * frequency;
    d->drive_damping = random_in(seed, 0.0, 3.0) * I * frequency;
    d->target = c->start + random_in(seed, -0.3, 0.3);
    d->rate = random_in(seed, -0.3, 0.3);
    d->force = random_in(seed, -0.3, 0.3) * d->drive_stiffness;
  } else if (w->way == dry) {
    d->friction = I * random_in(seed, 0.9, 1.4) * fabs(c->rate);
    d->force = d->friction * random_in(seed, -0.3, 0.3);
  } else {
    double far = random_in(seed, 0.5, 12.0);
    if (w->joint == ball_joint || w->joint == no_joint) far = 0.4; /* swings and twists end at pi */
    if (w->joint == universal_joint && w->driver < events) far *= 0.2; /* order 1 of turning axes */
    d->upper = c->start + (c->rate > 0.0 ? far : INFINITY);
    d->lower = c->start - (c->rate > 0.0 ? INFINITY : far);
    if (w->way == rigid) d->restitution = random_in(seed, 0.2, 0.9);
    else d->stop_stiffness = I * pow(random_in(seed, 8.0, 20.0), 2.0);
  }
}

/* c and dc/dt at t by the closed form; returns the largest error of steps of length h. */
static double closed_form(const world *w, const along *c, double t, double *x, double *v) {
  const nsds_joint_act_def *d = &c->def;
  double I = c->inertia, u = c->rate, size = fabs(u);
  if (w->way == linear) {
    double k = (d->stiffness + d->drive_stiffness) / I, b = (d->damping + d->drive_damping) / I;
    double force = d->stiffness * d->rest + d->drive_stiffness * d->target +
                   d->drive_damping * d->rate + d->force;
    double rest = force / (I * k), a = c->start - rest, g = 0.5 * b, square = k - g * g;
    double f = sqrt(fabs(square)), s = square > 0.0 ? sin(f * t) : sinh(f * t),
           o = square > 0.0 ? cos(f * t) : cosh(f * t), sign = square > 0.0 ? -1.0 : 1.0;
    double B = (u + g * a) / f, decay = exp(-g * t);
    *x = rest + decay * (a * o + B * s);
    *v = decay * ((B * o + sign * a * s) * f - g * (a * o + B * s));
    return 0.0;
  }
  if (w->way == dry) {
    double a = (d->force - copysign(d->friction, u)) / I, stop = -u / a, at = fmin(t, stop);
    *x = c->start + u * at + 0.5 * a * at * at;
    *v = u + a * at;
    return 3.0 * w->h * fabs(a);
  }
  double far = u > 0.0 ? d->upper - c->start : d->lower - c->start, first = far / u;
  double f = sqrt(d->stop_stiffness / I), leaves = first, back = -u * d->restitution;
  if (w->way == soft) leaves = first + 0.5 * tau / f, back = -u;
  if (t < first) *x = c->start + u * t, *v = u;
  else if (t < leaves) {
    *x = c->start + far + u / f * sin(f * (t - first));
    *v = u * cos(f * (t - first));
  } else *x = c->start + far + back * (t - leaves), *v = back;
  return w->way == soft ? 8.0 * f * f * size * w->h : 3.0 * size * w->h;
}

/* ---- a run ---- */

static void draw_world(world *w, uint64_t *seed) {
  double turn[4], v[3] = {0.0}, spin[3] = {0.0}, mass[2], J[2];
  draw_turn(seed, turn);
  for (int k = 0; k < 3; ++k) {
    turn_by(turn, (const double[]){k == 0, k == 1, k == 2}, w->frame + 3 * k);
    w->point[k] = random_in(seed, -1.0, 1.0);
  }
  for (int k = 0; k < 2; ++k) {
    mass[k] = random_in(seed, 0.5, 2.0);
    J[k] = random_in(seed, 0.05, 0.5);
  }
  w->mass = w->pair ? mass[0] * mass[1] / (mass[0] + mass[1]) : mass[0];
  w->J = w->pair ? J[0] * J[1] / (J[0] + J[1]) : J[0];
  w->lead = random_in(seed, 0.1, 2.0);
  coordinates_of(w, seed);
  for (int k = 0; k < w->n; ++k) { /* rates of the drawn joint, before signs */
    along *c = &w->c[k];
    double slides =
        w->joint == screw_joint ? w->lead / tau : c->kind == NSDS_COORDINATE_DISPLACEMENT;
    bool turning = turns(c), swings = c->kind == NSDS_COORDINATE_SWING;
    bool slow = swings || c->kind == NSDS_COORDINATE_TWIST;
    double rate = random_in(seed, 0.4, slow ? 0.6 : 4.0);
    if (random_in(seed, -1.0, 1.0) < 0.0) rate = -rate;
    c->rate = rate;
    c->inertia = (turning ? w->J : 0.0) + slides * slides * w->mass;
    int about = swings ? 1 : c->kind == NSDS_COORDINATE_SECOND ? 1 : c->axis;
    for (int i = 0; i < 3; ++i) {
      if (turning) spin[i] += rate * w->frame[3 * about + i];
      v[i] += slides * rate * w->frame[3 * c->axis + i];
    }
  }
  add_bodies(w, mass, J, v, spin, seed);
  add_joint(w);
}

/* A swing starts at one radian, about the second direction of the frame. */
static void swing_away(world *w, along *c) {
  const double *b = w->frame + 3, *q = nsds_q(w->ds[0]), half[2] = {cos(0.5), sin(0.5)};
  double moved[7], v[6];
  memcpy(moved, q, sizeof moved);
  moved[3] = half[0] * q[3] - half[1] * (b[0] * q[4] + b[1] * q[5] + b[2] * q[6]);
  for (int i = 0; i < 3; ++i) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    moved[4 + i] = half[0] * q[4 + i] + half[1] * (q[3] * b[i] + b[j] * q[4 + k] - b[k] * q[4 + j]);
  }
  memcpy(v, nsds_v(w->ds[0]), sizeof v); /* w in the body is the same: b does not turn */
  assert_ok(w->m, nsds_set_state(w->ds[0], moved, v));
  c->start += c->def.coordinate.reversed ? -1.0 : 1.0;
}

static void start_run(world *w) {
  bool in_joints = w->driver == joint_coordinates || w->driver == joint_events;
  nsds_coordinates coordinates = in_joints ? NSDS_COORDINATES_JOINT : NSDS_COORDINATES_MAXIMAL;
  nsds_time_stepping_def steps = {.t1 = w->t1, .h = w->h, .coordinates = coordinates};
  nsds_event_driven_def to_events = {.t1 = w->t1, .output_period = 0.1, .coordinates = coordinates};
  w->s =
      w->driver >= events ? nsds_event_driven(w->m, &to_events) : nsds_time_stepping(w->m, &steps);
  assert_sound(w->m);
}

static void begin(world *w, uint64_t *seed) {
  w->m = nsds_model_create(NULL);
  draw_world(w, seed);
  double longest = 0.0;
  for (int k = 0; k < w->n; ++k) {
    along *c = &w->c[k];
    draw_action(w, c, seed);
    if (c->def.coordinate.reversed) c->rate = -c->rate;
    if (w->way > dry) { /* stops on the side of the motion */
      double far = fmin(c->def.upper - c->start, c->start - c->def.lower);
      c->def.upper = c->rate > 0.0 ? c->start + far : INFINITY;
      c->def.lower = c->rate > 0.0 ? -INFINITY : c->start - far;
      longest = fmax(longest, far / fabs(c->rate));
    }
    if (c->kind == NSDS_COORDINATE_SWING) {
      double shift = c->def.coordinate.reversed ? -1.0 : 1.0;
      c->def.rest += shift, c->def.target += shift, c->def.lower += shift, c->def.upper += shift;
      if (w->way < rigid) c->def.lower = c->def.upper = 0.0;
    }
    set_place(w, c);
    c->def.coordinate.name = "c";
    assert_ok(w->m, nsds_joint_act(w->m, &c->def, &c->made));
  }
  for (int k = 0; k < w->n; ++k)
    if (w->c[k].kind == NSDS_COORDINATE_SWING) swing_away(w, &w->c[k]);
  w->t1 = w->way == linear ? 0.8 : w->way == dry ? 1.8 : longest + 0.5;
  start_run(w);
}

/* Runs, and checks each step where the form has a bound; returns c and dc/dt of all coordinates at the end. */
static void run_against_form(world *w, double *end) {
  nsds_status status;
  do {
    status = nsds_step(w->s);
    if (status != NSDS_END) assert_ok(w->m, status);
    double t = nsds_time(w->s), x, v;
    for (int k = 0; k < w->n; ++k) {
      nsds_joint_drive_motion now;
      assert_ok(w->m, nsds_joint_drive_read(w->c[k].made.drive, &now));
      double allowed = closed_form(w, &w->c[k], t, &x, &v);
      end[2 * k] = now.coordinate;
      end[2 * k + 1] = now.rate;
      if (w->driver >= events) allowed = 3e-7;
      else if (w->joint == universal_joint && allowed > 0.0)
        allowed = 0.1; /* axes turn in a step */
      if (allowed > 0.0) assert_near(now.coordinate, x, allowed);
      if (w->driver >= events && w->way != rigid) assert_near(now.rate, v, 1e-6);
    }
  } while (status == NSDS_OK);
  for (int k = 0; k < w->n; ++k) {
    double x, v;
    closed_form(w, &w->c[k], w->t1, &x, &v);
    bool exact = w->driver >= events || w->joint != universal_joint;
    if (w->way == rigid) assert_near(end[2 * k + 1], v, exact ? 1e-7 : 0.05);
    if (w->way == dry) assert_near(end[2 * k + 1], 0.0, 1e-7);
  }
}

/* Linear motion: the order is 1, so twice the finer result less the coarser one has an error of order 2. */
static void check_world(int joint, int driver, int way, bool pair, uint64_t seed) {
  double end[2][2 * most_free], x[2];
  bool twice = way == linear && driver < events;
  world w = {.joint = joint, .driver = driver, .way = way, .pair = pair};
  for (int fine = 0; fine < (twice ? 2 : 1); ++fine) {
    uint64_t draw = seed;
    w.h = twice ? (fine ? 1e-3 : 2e-3) : 1e-3;
    begin(&w, &draw);
    run_against_form(&w, end[fine]);
    nsds_model_destroy(w.m);
  }
  for (int k = 0; twice && k < w.n; ++k) {
    closed_form(&w, &w.c[k], w.t1, &x[0], &x[1]);
    for (int i = 0; i < 2; ++i) {
      double coarse = end[0][2 * k + i], fine = end[1][2 * k + i];
      assert_near(fine, x[i], i ? 0.3 : 0.05);
      assert_near(2.0 * fine - coarse, x[i], i ? 3e-3 : 5e-4);
    }
  }
}

static bool is_refused(int joint, int driver, int way) {
  return joint == ball_joint && driver >= events && way == dry; /* refused, see joint_actions.c */
}

static void check_driver(int driver) {
  for (int joint = 0; joint < joints; ++joint)
    for (int way = 0; way < ways; ++way)
      for (int draw = 0; draw < 3; ++draw) {
        uint64_t seed = (uint64_t)(1 + draw + 10 * way + 100 * joint);
        if (!is_refused(joint, driver, way)) check_world(joint, driver, way, draw & 1, seed);
      }
}

static void by_steps(void **state) {
  (void)state;
  check_driver(maximal);
}

static void by_steps_in_joint_coordinates(void **state) {
  (void)state;
  check_driver(joint_coordinates);
}

static void by_events(void **state) {
  (void)state;
  check_driver(events);
}

static void by_events_in_joint_coordinates(void **state) {
  (void)state;
  check_driver(joint_events);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(by_steps),
      cmocka_unit_test(by_steps_in_joint_coordinates),
      cmocka_unit_test(by_events),
      cmocka_unit_test(by_events_in_joint_coordinates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
