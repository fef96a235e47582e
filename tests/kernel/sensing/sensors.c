/*
 * Sensors. In drawn trees accelerations are differences of velocities along the motion, and forces of joints are
 * those that the bodies need; in time stepping with order 1. At rest everything is exact. Contacts, drives, rays in closed
 * form; zones of touch against a search along the half line, centers of mass against the tree; what is refused; bodies that have gone.
 */
#include "drawn_tree.h"

static nsds_sensor *make(nsds_model *m, nsds_sensor_def def) {
  nsds_sensor *sensor = nsds_sensor_create(m, &def);
  assert_sound(m);
  assert_non_null(sensor);
  return sensor;
}

static void read_into(nsds_model *m, nsds_sensor *sensor, double *value) {
  assert_ok(m, nsds_sensor_read(sensor, value));
}

/* ---- drawn trees --------------------------------------------------------------------------------- */

/* Sensors of a drawn tree: motion and acceleration of a point of each body, and joints. */
typedef struct tree_sensors {
  nsds_sensor *motion[most_bodies], *acceleration[most_bodies], *center[most_bodies];
  int njoint, nforce;
  nsds_sensor *joint[2 * most_bodies];
  struct {
    int body;
    nsds_sensor *sensor;
  } force[2 * most_bodies];
} tree_sensors;

static void add_joint_sensors(drawn_tree *t, tree_sensors *s, nsds_interaction *ia) {
  for (int c = NSDS_COORDINATE_ANGLE; c <= NSDS_COORDINATE_DISPLACEMENT; ++c) {
    nsds_sensor_def def = {
        .kind = NSDS_SENSOR_JOINT, .joint = ia, .coordinate = (nsds_joint_coordinate_kind)c};
    nsds_sensor *made = nsds_sensor_create(t->m, &def);
    if (made) s->joint[s->njoint++] = made;
  }
  nsds_error_clear(nsds_model_context(t->m)); /* of joints without the coordinate */
  for (int k = 0; k < nsds_interaction_ds_count(ia); ++k) {
    int body = 0;
    while (t->ds[body] != nsds_interaction_ds(ia, k)) ++body;
    s->force[s->nforce].body = body;
    s->force[s->nforce++].sensor = make(
        t->m, (nsds_sensor_def){.kind = NSDS_SENSOR_JOINT_FORCE, .joint = ia, .ds = t->ds[body]});
  }
}

static tree_sensors add_sensors(drawn_tree *t, uint64_t *seed) {
  tree_sensors s = {.njoint = 0};
  for (int k = 0; k < t->n; ++k) {
    nsds_sensor_def def = {.ds = t->ds[k]};
    def.kind = NSDS_SENSOR_ACCELERATION;
    s.center[k] = make(t->m, def);
    for (int i = 0; i < 3; ++i) def.point[i] = random_in(seed, -1.0, 1.0);
    s.acceleration[k] = make(t->m, def);
    def.kind = NSDS_SENSOR_MOTION;
    s.motion[k] = make(t->m, def);
  }
  for (int k = 0; k < nsds_interaction_count(t->m); ++k)
    add_joint_sensors(t, &s, nsds_interaction_at(t->m, k));
  return s;
}

/* Reads velocities of points, and rates of joints, where the motion is at time `ahead`. */
static void look_ahead(drawn_tree *t, const tree_sensors *s, const double *a, double ahead,
                       double (*motion)[6], double *rate) {
  double q[most_q], u[most_u];
  add_rates(t, t->q, t->q, t->u, ahead, q);
  for (int i = 0; i < nsds_tree_nu(t->tree); ++i) u[i] = t->u[i] + ahead * a[i];
  assert_ok(t->m, nsds_tree_set_state(t->tree, q, u));
  for (int k = 0; k < t->n; ++k) read_into(t->m, s->motion[k], motion[k]);
  for (int k = 0; k < s->njoint; ++k) {
    double value[3];
    read_into(t->m, s->joint[k], value);
    rate[k] = value[1];
  }
}

/* The largest error of all accelerations at the present state, and of the forces that move bodies. */
static double error_of_sensors(drawn_tree *t, const tree_sensors *s) {
  static double motion[2][most_bodies][6], rate[2][2 * most_bodies], found[most_bodies][6];
  const double step = 1e-4;
  double a[most_u], joint[2 * most_bodies][3], need[most_bodies][3], value[6], most = 0.0;
  assert_ok(t->m, nsds_tree_get_state(t->tree, t->q, t->u));
  rates_of(t, t->q, t->u, a);
  for (int k = 0; k < t->n; ++k) {
    read_into(t->m, s->acceleration[k], found[k]);
    read_into(t->m, s->center[k], value);
    for (int i = 0; i < 3; ++i) need[k][i] = t->mass[k] * (value[i] - gravity[i]);
  }
  for (int k = 0; k < s->njoint; ++k) read_into(t->m, s->joint[k], joint[k]);
  for (int k = 0; k < s->nforce; ++k) {
    read_into(t->m, s->force[k].sensor, value);
    for (int i = 0; i < 3; ++i) need[s->force[k].body][i] -= value[i];
  }
  for (int side = 0; side < 2; ++side)
    look_ahead(t, s, a, side ? step : -step, motion[side], rate[side]);
  for (int k = 0; k < t->n; ++k)
    for (int i = 0; i < 6; ++i)
      most = worse(most, fabs(found[k][i] - (motion[1][k][i] - motion[0][k][i]) / (2.0 * step)));
  for (int k = 0; k < s->njoint; ++k)
    most = worse(most, fabs(joint[k][2] - (rate[1][k] - rate[0][k]) / (2.0 * step)));
  for (int k = 0; k < t->n; ++k)
    for (int i = 0; i < 3; ++i) assert_near(need[k][i], 0.0, 1e-8);
  return most;
}

static drawn_tree start_tree(uint64_t seed, tree_sensors *s) {
  drawn_tree t = draw_tree(1 + (int)random_in(&seed, 0.0, 7.999), &seed);
  draw_state(&t, &seed);
  assert_ok(t.m, nsds_tree_set_state(t.tree, t.q, t.u));
  *s = add_sensors(&t, &seed);
  return t;
}

static void end_tree(drawn_tree *t) {
  nsds_tree_destroy(t->tree);
  nsds_model_destroy(t->m);
}

static double error_of_run(uint64_t seed, double h, nsds_coordinates coordinates) {
  tree_sensors s;
  drawn_tree t = start_tree(seed, &s);
  run(t.m, &(nsds_time_stepping_def){.t1 = 0.02, .h = h, .coordinates = coordinates}, 0);
  double error = error_of_sensors(&t, &s);
  end_tree(&t);
  return error;
}

static nsds_status to_the_end(nsds_simulation *sim) {
  nsds_status status;
  do status = nsds_step(sim);
  while (status == NSDS_OK);
  return status;
}

/* At the end, and after a return to a saved state, in both coordinates. */
static void accelerations_of_drawn_trees_in_events(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    tree_sensors s;
    drawn_tree t = start_tree(seed, &s);
    nsds_coordinates coordinates = seed % 2 ? NSDS_COORDINATES_JOINT : NSDS_COORDINATES_MAXIMAL;
    nsds_simulation *sim = nsds_event_driven(
        t.m,
        &(nsds_event_driven_def){.t1 = 0.02, .output_period = 0.01, .coordinates = coordinates});
    double before[6], after[6];
    assert_ok(t.m, nsds_step(sim));
    assert_ok(t.m, nsds_simulation_save(sim));
    read_into(t.m, s.acceleration[0], before);
    assert_status(t.m, to_the_end(sim), NSDS_END);
    assert_ok(t.m, nsds_simulation_restore(sim));
    read_into(t.m, s.acceleration[0], after);
    assert_memory_equal(before, after, sizeof before);
    assert_status(t.m, to_the_end(sim), NSDS_END);
    assert_near(error_of_sensors(&t, &s), 0.0, 2e-6); /* of the differences */
    end_tree(&t);
  }
}

static void accelerations_of_drawn_trees_have_order_1(void **state) {
  (void)state;
  for (int c = 0; c < 2; ++c) {
    double sum[2] = {0.0};
    for (uint64_t seed = 1; seed <= 20; ++seed)
      for (int k = 0; k < 2; ++k)
        sum[k] += error_of_run(seed, k ? 5e-4 : 1e-3,
                               c ? NSDS_COORDINATES_JOINT : NSDS_COORDINATES_MAXIMAL);
    assert_between(order_of(sum[0], sum[1]), 0.8, 1.2);
  }
}

/* ---- rest ---------------------------------------------------------------------------------------- */

enum { floor_height = 2 };

/* A box on a floor, with sensors; in the plane a square. */
static nsds_contact_set *add_floor(nsds_model *m, nsds_ds *box, bool plane) {
  nsds_shape_def shape[] = {{.kind = NSDS_HALF_SPACE, .plane = {{0, plane, !plane}, floor_height}},
                            {.kind = NSDS_BOX, .ds = box, .half = {0.5, 0.25, 0.25}}};
  nsds_contact_set *set =
      nsds_shapes(m, &(nsds_shapes_def){.dimension = plane ? 2 : 3,
                                        .nmaterial = 1,
                                        .material = (nsds_material[]){{.mu = 0.6}},
                                        .nshape = 2,
                                        .shape = shape});
  assert_sound(m);
  return set;
}

static const double pulled = 1.5; /* along x, held by friction */

static nsds_ds *add_box(nsds_model *m, bool plane) {
  const double q2[3] = {0.3, floor_height + 0.25, 0}, q3[7] = {0.3, 0.2, floor_height + 0.25, 1};
  nsds_ds *box =
      plane ? nsds_rigid_body_2d(m,
                                 &(nsds_rigid_body_2d_def){
                                     .mass = 2.0, .inertia = 0.1, .gravity = {0, -9.81}, .q0 = q2})
            : nsds_rigid_body(
                  m, &(nsds_rigid_body_def){.mass = 2.0,
                                            .inertia = (double[]){0.1, 0, 0, 0, 0.2, 0, 0, 0, 0.2},
                                            .gravity = {0, 0, -9.81},
                                            .q0 = q3});
  assert_sound(m);
  assert_ok(m, nsds_set_body_force(box, (double[]){pulled, 0, 0}, NULL, NSDS_FRAME_WORLD));
  return box;
}

/* A box at rest: no acceleration, an IMU that shows the pull of the floor in its own axes, the weight in the
 * contacts, and the height. */
static void box_at_rest(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (int draw = 0; draw < 12; ++draw) {
    bool plane = draw % 2, events = draw % 4 > 1 && !plane;
    int up = plane ? 1 : 2;
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *box = add_box(m, plane);
    nsds_contact_set *set = add_floor(m, box, plane);
    nsds_sensor_def def = {.kind = NSDS_SENSOR_IMU, .ds = box, .name = "imu"};
    double value[6], p[4], down[3] = {0}, length = random_in(&seed, 0.1, 10.0);
    draw_quaternion(&seed, p);
    for (int i = 0; i < 4; ++i) def.quaternion[i] = length * p[i];
    for (int i = 0; i < 2 + !plane; ++i) def.point[i] = random_in(&seed, -0.2, 0.2);
    nsds_sensor *imu = make(m, def);
    def.name = NULL;
    def.kind = NSDS_SENSOR_ACCELERATION;
    nsds_sensor *acceleration = make(m, def);
    def.kind = NSDS_SENSOR_CONTACT_FORCE;
    nsds_sensor *force = make(m, def);
    def.kind = NSDS_SENSOR_RANGE;
    def.set = set;
    for (int i = 0; i < 4; ++i) def.quaternion[i] = 0.0;
    def.axis[up] = -3.0;
    nsds_sensor *range = make(m, def);
    if (events) {
      nsds_simulation *s = nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 0.05});
      while (nsds_step(s) == NSDS_OK) {
      }
    } else {
      run(m, &(nsds_time_stepping_def){.t1 = 0.05, .h = 1e-3}, 0);
    }
    assert_sound(m);
    assert_ptr_equal(nsds_sensor_find(m, "imu"), imu);
    down[up] = 9.81;
    read_into(m, imu, value);
    for (int i = 0; i < 3; ++i) {
      double w = p[0], x = p[1], y = p[2], z = p[3];
      const double R[9] = {
          1 - 2 * (y * y + z * z), 2 * (x * y + w * z),     2 * (x * z - w * y),
          2 * (x * y - w * z),     1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
          2 * (x * z + w * y),     2 * (y * z - w * x),     1 - 2 * (x * x + y * y)};
      double expected = 0.0;
      for (int r = 0; r < 3; ++r) expected += R[r + 3 * i] * down[r];
      assert_near(value[i], expected, 1e-8);
      assert_near(value[3 + i], 0.0, 1e-8);
    }
    read_into(m, acceleration, value);
    for (int i = 0; i < 6; ++i) assert_near(value[i], 0.0, 1e-7);
    read_into(m, force, value);
    assert_near(value[0], -pulled, 1e-8);
    assert_near(value[up], 2.0 * 9.81, 1e-8);
    /* about the point: the pull and the weight act at the center */
    double d[3] = {def.point[0], def.point[1], plane ? 0.0 : def.point[2]};
    const double load[3] = {value[0], value[1], value[2]};
    assert_near(value[3], -(d[1] * load[2] - d[2] * load[1]), 1e-8);
    assert_near(value[4], -(d[2] * load[0] - d[0] * load[2]), 1e-8);
    assert_near(value[5], -(d[0] * load[1] - d[1] * load[0]), 1e-8);
    read_into(m, range, value);
    assert_near(value[0], nsds_q(box)[up] + def.point[up] - floor_height, 1e-12);
    nsds_model_destroy(m);
  }
}

/* ---- touch, center of mass ----------------------------------------------------------------------- */

/* Below 0 within the zone, and convex along lines; x along the axes of the zone. */
static double outside_zone(const nsds_sensor_def *z, const double *x) {
  double across = hypot(x[1], x[2]), beyond = fmax(0.0, fabs(x[0]) - z->half[0]);
  switch (z->zone) {
  case NSDS_ZONE_ALL: return -1.0;
  case NSDS_ZONE_SPHERE: return hypot(x[0], across) / z->radius - 1.0;
  case NSDS_ZONE_CAPSULE: return hypot(beyond, across) / z->radius - 1.0;
  case NSDS_ZONE_CYLINDER: return fmax(fabs(x[0]) / z->half[0], across / z->radius) - 1.0;
  case NSDS_ZONE_BOX:
    return fmax(fabs(x[0]) / z->half[0], fmax(fabs(x[1]) / z->half[1], fabs(x[2]) / z->half[2])) -
           1.0;
  case NSDS_ZONE_ELLIPSOID:
    return hypot(x[0] / z->half[0], hypot(x[1] / z->half[1], x[2] / z->half[2])) - 1.0;
  }
  return 0.0;
}

/* The least value on the half line from p downwards; the sensor has the place and quaternion `pose`. */
static double least_below(const nsds_sensor_def *z, const double *pose, const double *p, int up) {
  const double *a = pose + 3;
  double from = 0.0, to = 4.0, least = INFINITY;
  for (int n = 0; n < 200; ++n) {
    double t[2] = {from + (to - from) / 3.0, to - (to - from) / 3.0}, g[2];
    for (int k = 0; k < 2; ++k) {
      double d[3], w[3], x[3];
      for (int i = 0; i < 3; ++i) d[i] = p[i] - pose[i] - (i == up ? t[k] : 0.0);
      for (int i = 0; i < 3; ++i) { /* 2 (d x a) + ... turns back by the quaternion */
        int j = (i + 1) % 3, m = (i + 2) % 3;
        w[i] = 2.0 * (d[j] * a[1 + m] - d[m] * a[1 + j]);
      }
      for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, m = (i + 2) % 3;
        x[i] = d[i] + a[0] * w[i] + w[j] * a[1 + m] - w[m] * a[1 + j];
      }
      g[k] = outside_zone(z, x);
      least = fmin(least, g[k]);
    }
    if (g[0] < g[1]) to = t[1];
    else from = t[0];
  }
  return least;
}

/* A box on its corners: drawn zones have the contacts that the half lines from them meet. */
static void zones_of_touch(void **state) {
  (void)state;
  uint64_t seed = 11;
  int some = 0, compared = 0;
  for (int draw = 0; draw < 400; ++draw) {
    bool plane = draw % 4 == 3;
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *box = add_box(m, plane);
    nsds_contact_set *set = add_floor(m, box, plane);
    nsds_sensor_def def = {
        .kind = NSDS_SENSOR_TOUCH, .ds = box, .zone = (nsds_zone)random_in(&seed, 0.0, 5.999)};
    if (draw % 2) def.set = set;
    double value, pose[7], expected = 0.0, total = 0.0, p[4];
    draw_quaternion(&seed, p);
    for (int i = 0; i < 3; ++i) {
      def.point[i] = random_in(&seed, -0.6, 0.6);
      def.half[i] = random_in(&seed, 0.05, 0.6);
    }
    for (int i = 0; i < 4; ++i) def.quaternion[i] = p[i];
    def.radius = random_in(&seed, 0.05, 0.6);
    nsds_sensor *touch = make(m, def);
    nsds_sensor *place =
        make(m, (nsds_sensor_def){.kind = NSDS_SENSOR_PLACE,
                                  .ds = box,
                                  .point = {def.point[0], def.point[1], def.point[2]},
                                  .quaternion = {p[0], p[1], p[2], p[3]}});
    read_into(m, touch, &value);
    assert_near(value, 0.0, 0.0); /* no force before the first step */
    run(m, &(nsds_time_stepping_def){.t1 = 0.01, .h = 1e-3}, 0);
    read_into(m, place, pose);
    nsds_contact_iterator contacts = nsds_body_contacts(box);
    bool near_edge = false;
    for (nsds_contact_info c; nsds_next_contact(&contacts, &c);) {
      double least = least_below(&def, pose, c.point, plane ? 1 : 2);
      near_edge = near_edge || fabs(least) < 1e-4;
      total += c.force[0];
      if (least < 0.0) expected += c.force[0];
    }
    read_into(m, touch, &value);
    assert_near(total, 2.0 * 9.81, 1e-8);
    if (!near_edge) assert_near(value, expected, 1e-12);
    some += value > 0.0 && value < 0.9 * total;
    compared += !near_edge;
    nsds_model_destroy(m);
  }
  assert_true(some > 60 && compared > 350);
}

/* The center of mass of drawn bodies in space and in the plane, of all of them as the tree has it. */
static void centers_of_drawn_bodies(void **state) {
  (void)state;
  for (uint64_t draw = 1; draw <= 20; ++draw) {
    uint64_t seed = draw;
    drawn_tree t = draw_tree(2 + (int)random_in(&seed, 0.0, 5.999), &seed);
    nsds_tree_sums sums;
    double value[6], mass = 0.0, expected[6] = {0.0};
    draw_state(&t, &seed);
    assert_ok(t.m, nsds_tree_set_state(t.tree, t.q, t.u));
    nsds_sensor *all =
        make(t.m, (nsds_sensor_def){.kind = NSDS_SENSOR_CENTER, .count = t.n, .bodies = t.ds});
    nsds_sensor *two =
        make(t.m, (nsds_sensor_def){.kind = NSDS_SENSOR_CENTER, .count = 2, .bodies = t.ds});
    assert_ok(t.m, nsds_tree_sum(t.tree, t.q, t.u, &sums));
    read_into(t.m, all, value);
    for (int i = 0; i < 3; ++i) {
      assert_near(value[i], sums.center[i], 1e-12);
      assert_near(value[3 + i], sums.velocity[i], 1e-12);
    }
    for (int k = 0; k < 2; ++k) {
      mass += t.mass[k];
      for (int i = 0; i < 3; ++i) {
        expected[i] += t.mass[k] * nsds_q(t.ds[k])[i];
        expected[3 + i] += t.mass[k] * nsds_v(t.ds[k])[i];
      }
    }
    read_into(t.m, two, value);
    for (int i = 0; i < 6; ++i) assert_near(value[i], expected[i] / mass, 1e-13);
    assert_string_equal(nsds_sensor_unit(two, 2), "m");
    assert_string_equal(nsds_sensor_unit(two, 3), "m/s");
    end_tree(&t);
  }
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *pair[2];
  for (int k = 0; k < 2; ++k)
    pair[k] = nsds_rigid_body_2d(m, &(nsds_rigid_body_2d_def){.mass = 1.0 + 2.0 * k,
                                                              .inertia = 1.0,
                                                              .q0 = (double[]){4.0 * k, 2, 1},
                                                              .v0 = (double[]){0, 8.0 * k, 3}});
  nsds_sensor *center =
      make(m, (nsds_sensor_def){.kind = NSDS_SENSOR_CENTER, .count = 2, .bodies = pair});
  const double expected[6] = {3, 2, 0, 0, 6, 0};
  double value[6];
  read_into(m, center, value);
  for (int i = 0; i < 6; ++i) assert_near(value[i], expected[i], 1e-15);
  assert_ok(m, nsds_ds_destroy(pair[1]));
  assert_status(m, nsds_sensor_read(center, value), NSDS_ERROR_ARGUMENT);
  nsds_error_clear(nsds_model_context(m));
  nsds_model_destroy(m);
}

/* ---- a driven arm -------------------------------------------------------------------------------- */

/* A bar that a drive holds level: the joint bears weight and moment, in maximal and joint coordinates. A
 * pendulum in the plane has the acceleration of its circle. */
static void force_of_a_driven_joint(void **state) {
  (void)state;
  for (int c = 0; c < 2; ++c) {
    nsds_model *m = nsds_model_create(NULL);
    const double J[9] = {0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1};
    nsds_ds *bar =
        nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 3.0,
                                                  .inertia = J,
                                                  .gravity = {0, 0, -10},
                                                  .q0 = (double[]){0.5, 0, 1, 1, 0, 0, 0}});
    nsds_joint_def hinge = {
        .kind = NSDS_JOINT_HINGE, .ds = {bar}, .axis = {0, 1, 0}, .point = {0, 0, 1}};
    nsds_interaction *joint = nsds_connect(m, nsds_joint(m, &hinge), nsds_equality(m), 1, hinge.ds);
    nsds_joint_act_def act = {.coordinate = {.kind = NSDS_COORDINATE_ANGLE,
                                             .ds = {bar},
                                             .axis = {0, 1, 0},
                                             .point = {0, 0, 1}},
                              .driven = true,
                              .drive_stiffness = 1e3,
                              .drive_damping = 30.0,
                              .force = -15.0, /* balances the weight */
                              .friction = 0.5};
    nsds_joint_actions made;
    assert_ok(m, nsds_joint_act(m, &act, &made));
    nsds_sensor *at_joint =
        make(m, (nsds_sensor_def){.kind = NSDS_SENSOR_JOINT_FORCE, .joint = joint});
    nsds_sensor *at_tip = make(m, (nsds_sensor_def){.kind = NSDS_SENSOR_JOINT_FORCE,
                                                    .joint = joint,
                                                    .ds = bar,
                                                    .axes = NSDS_FRAME_BODY,
                                                    .point = {0.5, 0, 0}});
    nsds_sensor *angle = make(m, (nsds_sensor_def){.kind = NSDS_SENSOR_JOINT, .joint = made.drive});
    run(m,
        &(nsds_time_stepping_def){.t1 = 0.1,
                                  .h = 1e-3,
                                  .coordinates =
                                      c ? NSDS_COORDINATES_JOINT : NSDS_COORDINATES_MAXIMAL},
        0);
    const double joint_load[6] = {0, 0, 30, 0, -15, 0}, tip_load[6] = {0, 0, 30, 0, 15, 0};
    double value[6];
    read_into(m, at_joint, value);
    for (int i = 0; i < 6; ++i) assert_near(value[i], joint_load[i], 1e-7);
    read_into(m, at_tip, value);
    for (int i = 0; i < 6; ++i) assert_near(value[i], tip_load[i], 1e-7);
    read_into(m, angle, value);
    for (int i = 0; i < 3; ++i) assert_near(value[i], 0.0, 1e-7);
    assert_string_equal(nsds_sensor_unit(angle, 2), "rad/s^2");
    nsds_model_destroy(m);
  }
}

/* A bar that falls with its rotor: (J + m l^2 + A) c'' = m g l cos c, up to O(h). The joint with its rotor
 * exerts the moment -A c'' on the bar. */
static void armature_slows_the_fall(void **state) {
  (void)state;
  for (int c = 0; c < 2; ++c) {
    nsds_model *m = nsds_model_create(NULL);
    const double J[9] = {0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1};
    nsds_ds *bar =
        nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 2.0,
                                                  .inertia = J,
                                                  .gravity = {0, 0, -10},
                                                  .q0 = (double[]){0.5, 0, 0, 1, 0, 0, 0}});
    nsds_joint_def hinge = {.kind = NSDS_JOINT_HINGE, .ds = {bar}, .axis = {0, 1, 0}};
    nsds_interaction *joint = nsds_connect(m, nsds_joint(m, &hinge), nsds_equality(m), 1, hinge.ds);
    nsds_joint_act_def act = {
        .coordinate = {.kind = NSDS_COORDINATE_ANGLE, .ds = {bar}, .axis = {0, 1, 0}},
        .armature = 0.7};
    assert_ok(m, nsds_joint_act(m, &act, NULL));
    nsds_sensor *angle = make(m, (nsds_sensor_def){.kind = NSDS_SENSOR_JOINT, .joint = joint});
    nsds_sensor *imu = make(m, (nsds_sensor_def){.kind = NSDS_SENSOR_IMU, .ds = bar});
    nsds_sensor *force =
        make(m, (nsds_sensor_def){.kind = NSDS_SENSOR_JOINT_FORCE, .joint = joint});
    double value[6], h = 1e-4;
    run(m,
        &(nsds_time_stepping_def){.t1 = 0.2,
                                  .h = h,
                                  .coordinates =
                                      c ? NSDS_COORDINATES_JOINT : NSDS_COORDINATES_MAXIMAL},
        0);
    read_into(m, angle, value);
    double second = 10.0 * cos(value[0]) / (0.1 + 0.5 + 0.7), rate = value[1];
    assert_near(value[2], second, 20.0 * h);
    double along = -0.5 * rate * rate - 10.0 * sin(value[0]);
    double across = 10.0 * cos(value[0]) - 0.5 * second;
    read_into(m, imu, value);
    assert_near(value[0], along, 60.0 * h);
    assert_near(value[2], across, 60.0 * h);
    assert_near(value[4], rate, 1e-9);
    read_into(m, force, value);
    assert_near(value[4], -0.7 * second, 60.0 * h);
    nsds_model_destroy(m);
  }
}

static void pendulum_in_the_plane(void **state) {
  (void)state;
  uint64_t seed = 9;
  for (int draw = 0; draw < 10; ++draw) {
    double w = random_in(&seed, -5.0, 5.0), l = random_in(&seed, 0.2, 2.0), g = 9.81, value[7];
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *bob = nsds_rigid_body_2d(m, &(nsds_rigid_body_2d_def){.mass = 1.3,
                                                                   .inertia = 0.2,
                                                                   .gravity = {0, -g},
                                                                   .q0 = (double[]){l, 0, 0},
                                                                   .v0 = (double[]){0, l * w, w}});
    nsds_joint_def hinge = {.kind = NSDS_JOINT_HINGE, .ds = {bob}};
    nsds_connect(m, nsds_joint(m, &hinge), nsds_equality(m), 1, hinge.ds);
    nsds_sensor *tip = make(m, (nsds_sensor_def){.kind = NSDS_SENSOR_ACCELERATION,
                                                 .ds = bob,
                                                 .axes = NSDS_FRAME_BODY,
                                                 .point = {0.3, 0, 0}});
    nsds_sensor *place =
        make(m, (nsds_sensor_def){.kind = NSDS_SENSOR_PLACE, .ds = bob, .point = {0.3, 0, 0}});
    nsds_simulation *s = nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 0.3});
    while (nsds_step(s) == NSDS_OK) {
    }
    assert_sound(m);
    double at = nsds_q(bob)[2], rate = nsds_v(bob)[2];
    double second = -1.3 * g * l * cos(at) / (0.2 + 1.3 * l * l);
    read_into(m, tip, value);
    assert_near(value[0], -rate * rate * (l + 0.3), 1e-5);
    assert_near(value[1], second * (l + 0.3), 1e-5);
    assert_near(value[5], second, 1e-5);
    read_into(m, place, value);
    assert_near(value[0], (l + 0.3) * cos(at), 1e-7);
    assert_near(value[3], cos(at / 2), 1e-12);
    assert_near(value[6], sin(at / 2), 1e-12);
    nsds_model_destroy(m);
  }
}

/* A swing and a twist have accelerations too: a top on a ball joint, beside differences. */
static void swing_and_twist(void **state) {
  (void)state;
  uint64_t seed = 21;
  for (int draw = 0; draw < 10; ++draw) {
    nsds_model *m = nsds_model_create(NULL);
    double J[9], value[2][3], before[2], after[2];
    draw_inertia(&seed, J);
    nsds_ds *top = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = J});
    nsds_joint_def ball = {.kind = NSDS_JOINT_BALL, .ds = {top}};
    nsds_connect(m, nsds_joint(m, &ball), nsds_equality(m), 1, ball.ds);
    nsds_sensor *sensor[2];
    for (int k = 0; k < 2; ++k) {
      nsds_joint_coordinate_def c = {.kind = k ? NSDS_COORDINATE_TWIST : NSDS_COORDINATE_SWING,
                                     .ds = {top},
                                     .axis = {0, 0, 1}};
      const double least = -1e-3, most = 1e-3;
      nsds_interaction *ia =
          nsds_connect(m, nsds_joint_coordinate(m, &c), nsds_relay(m, 1, &least, &most), 1, c.ds);
      sensor[k] = make(m, (nsds_sensor_def){.kind = NSDS_SENSOR_JOINT, .joint = ia});
    }
    double q[7] = {0, 0, 0, 0.9, 0.3, 0.2, 0.1}, v[6] = {0}, size = 0.0;
    for (int i = 3; i < 7; ++i) size += q[i] * q[i];
    for (int i = 3; i < 7; ++i) q[i] /= sqrt(size);
    for (int i = 3; i < 6; ++i) v[i] = random_in(&seed, -2.0, 2.0);
    assert_ok(m, nsds_set_state(top, q, v));
    nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-4});
    for (int n = 0; n < 3; ++n) {
      assert_ok(m, nsds_step(s));
      for (int k = 0; k < 2; ++k) {
        read_into(m, sensor[k], value[k]);
        if (n == 0) before[k] = value[k][1];
        if (n == 2) after[k] = value[k][1];
      }
    }
    for (int k = 0; k < 2; ++k) /* value of the end, differences of the middle: order 1 */
      assert_near(value[k][2], (after[k] - before[k]) / 2e-4, 5e-3 * (1.0 + fabs(value[k][2])));
    nsds_model_destroy(m);
  }
}

/* ---- refusals ------------------------------------------------------------------------------------ */

static void refuse(nsds_model *m, nsds_sensor_def def, nsds_status status, const char *word) {
  assert_null(nsds_sensor_create(m, &def));
  assert_status(m, nsds_error(nsds_model_context(m)), status);
  assert_words(nsds_error_message(nsds_model_context(m)),
               ((const char *[]){"nsds_sensor_create", word}), 2);
  nsds_error_clear(nsds_model_context(m));
}

static void what_is_refused(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL), *n = nsds_model_create(NULL);
  nsds_ds *box = add_box(m, false), *stranger = add_box(n, false);
  nsds_ds *mass =
      nsds_lagrangian_linear(m, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){1}});
  nsds_contact_set *set = add_floor(m, box, false);
  nsds_joint_def ball = {.kind = NSDS_JOINT_BALL, .ds = {box}};
  nsds_interaction *joint = nsds_connect(m, nsds_joint(m, &ball), nsds_equality(m), 1, ball.ds);
  const nsds_sensor_def imu = {.kind = NSDS_SENSOR_IMU, .ds = box};
  nsds_sensor_def def = imu;
  def.kind = (nsds_sensor_kind)11;
  refuse(m, def, NSDS_ERROR_VALUE, "kind is 11; valid are 1 .. 10");
  refuse(m, (nsds_sensor_def){.kind = NSDS_SENSOR_IMU}, NSDS_ERROR_ARGUMENT, "ds is NULL");
  refuse(m, (nsds_sensor_def){.kind = NSDS_SENSOR_IMU, .ds = stranger}, NSDS_ERROR_ARGUMENT,
         "another model");
  refuse(m, (nsds_sensor_def){.kind = NSDS_SENSOR_IMU, .ds = mass}, NSDS_ERROR_ARGUMENT,
         "nsds_rigid_body()");
  refuse(m, (nsds_sensor_def){.kind = NSDS_SENSOR_JOINT, .joint = joint}, NSDS_ERROR_ARGUMENT,
         "coordinate");
  refuse(m, (nsds_sensor_def){.kind = NSDS_SENSOR_JOINT_FORCE}, NSDS_ERROR_ARGUMENT,
         "joint is NULL");
  refuse(m, (nsds_sensor_def){.kind = NSDS_SENSOR_RANGE}, NSDS_ERROR_ARGUMENT, "set is NULL");
  refuse(m, (nsds_sensor_def){.kind = NSDS_SENSOR_RANGE, .set = set, .most = -1}, NSDS_ERROR_VALUE,
         "most is -1");
  def = (nsds_sensor_def){.kind = NSDS_SENSOR_TOUCH, .ds = box, .zone = NSDS_ZONE_CAPSULE};
  refuse(m, def, NSDS_ERROR_VALUE, "radius is 0");
  def.radius = 1.0;
  refuse(m, def, NSDS_ERROR_VALUE, "half[0] is 0");
  def.zone = NSDS_ZONE_BOX;
  def.half[0] = 1.0;
  refuse(m, def, NSDS_ERROR_VALUE, "half[1] is 0");
  def.zone = (nsds_zone)6;
  refuse(m, def, NSDS_ERROR_VALUE, "zone is 6");
  refuse(m, (nsds_sensor_def){.kind = NSDS_SENSOR_TOUCH}, NSDS_ERROR_ARGUMENT, "ds is NULL");
  nsds_ds *list[3] = {box, stranger, box};
  def = (nsds_sensor_def){.kind = NSDS_SENSOR_CENTER, .bodies = list};
  refuse(m, def, NSDS_ERROR_VALUE, "count is 0");
  def.count = 3;
  refuse(m, def, NSDS_ERROR_ARGUMENT, "bodies[1] belongs to another model");
  list[1] = mass;
  refuse(m, def, NSDS_ERROR_ARGUMENT, "bodies[1] is");
  list[1] = NULL;
  refuse(m, def, NSDS_ERROR_ARGUMENT, "bodies[1] is NULL");
  list[1] = box;
  refuse(m, def, NSDS_ERROR_ARGUMENT, "bodies[1] is in the list already");
  def.bodies = NULL;
  refuse(m, def, NSDS_ERROR_ARGUMENT, "bodies is NULL");
  def = imu;
  def.point[1] = NAN;
  refuse(m, def, NSDS_ERROR_VALUE, "point");
  def = imu;
  def.name = "gyro";
  assert_non_null(nsds_sensor_create(m, &def));
  refuse(m, def, NSDS_ERROR_ARGUMENT, "'gyro', which another sensor has");
  assert_int_equal(nsds_sensor_size(NULL), 0);
  assert_string_equal(nsds_sensor_unit(NULL, 0), "");
  assert_null(nsds_sensor_find(m, "gyr"));
  nsds_sensor_destroy(NULL);
  nsds_model_destroy(m);
  nsds_model_destroy(n);
}

static void objects_that_have_gone(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *box = add_box(m, false), *other = add_box(m, false);
  nsds_contact_set *set = add_floor(m, other, false);
  nsds_joint_def ball = {.kind = NSDS_JOINT_BALL, .ds = {box}};
  nsds_interaction *joint = nsds_connect(m, nsds_joint(m, &ball), nsds_equality(m), 1, ball.ds);
  nsds_sensor *sensor[3] = {
      make(m, (nsds_sensor_def){.kind = NSDS_SENSOR_JOINT_FORCE, .joint = joint}),
      make(m, (nsds_sensor_def){.kind = NSDS_SENSOR_MOTION, .ds = box}),
      make(m, (nsds_sensor_def){
                  .kind = NSDS_SENSOR_RANGE, .set = set, .axis = {1, 0, 0}, .point = {0, 0, 50}})};
  double value[6] = {7.0};
  read_into(m, sensor[2], value);
  assert_near(value[0], -1.0, 0.0); /* along the floor there is nothing */
  value[0] = 7.0;
  assert_ok(m, nsds_disconnect(joint));
  assert_ok(m, nsds_ds_destroy(box));
  assert_ok(m, nsds_contact_set_destroy(set));
  for (int k = 0; k < 3; ++k) {
    assert_status(m, nsds_sensor_read(sensor[k], value), NSDS_ERROR_ARGUMENT);
    nsds_error_clear(nsds_model_context(m));
    assert_near(value[0], 7.0, 0.0);
  }
  nsds_sensor_destroy(sensor[1]);
  assert_sound(m);
  nsds_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(accelerations_of_drawn_trees_in_events),
                                     cmocka_unit_test(accelerations_of_drawn_trees_have_order_1),
                                     cmocka_unit_test(box_at_rest),
                                     cmocka_unit_test(zones_of_touch),
                                     cmocka_unit_test(centers_of_drawn_bodies),
                                     cmocka_unit_test(force_of_a_driven_joint),
                                     cmocka_unit_test(armature_slows_the_fall),
                                     cmocka_unit_test(pendulum_in_the_plane),
                                     cmocka_unit_test(swing_and_twist),
                                     cmocka_unit_test(what_is_refused),
                                     cmocka_unit_test(objects_that_have_gone)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
