/*
 * Flush scenery acts as one surface, whatever it is made of: bodies slide over it at their speed,
 * and with friction lose mu g t of it. A step stops them, and a gap is felt.
 */
#include "support.h"

enum { pieces = 100 };
typedef enum floor_kind { boxes, hulls, triangles, mixture, floor_kinds } floor_kind;
typedef enum rider_kind { a_box, a_hull, a_capsule, a_sphere, twins, rider_kinds } rider_kind;

static const double g = 9.81, half_height = 0.05;
static const double level[] = {0, 0, 0, 1, 0, 0, 0}, tilted[] = {0, 0, 0, 0.5, -0.1, 0.7, 0.5};

typedef struct scene {
  nsds_model *model;
  nsds_ds *rider;
  nsds_simulation *simulation;
  double up[3];
} scene;

typedef struct plan {
  floor_kind floor;
  rider_kind rider;
  const double *turn; /* of the whole scene */
  double h, above, mu, speed;
  double step; /* by which the second half of the floor is higher */
  double gap;  /* between the halves */
} plan;

static void put(const plan *p, const double *x, double *to) { nsds_to_world(p->turn, x, to); }

/* Two triangles with corners of their own over a part of the floor, in `vertex`. */
static void lay_triangles(const plan *p, double from, double to, double z, double *vertex) {
  const double corner[4][3] = {{from, -1, z}, {to, -1, z}, {to, 1, z}, {from, 1, z}};
  const int order[] = {0, 1, 2, 0, 2, 3};
  for (int k = 0; k < 6; ++k) put(p, corner[order[k]], vertex + 3 * k);
}

static int lay_floor(const plan *p, nsds_shape_def *shape) {
  static double soup[18 * pieces], block[24];
  static int face[6 * pieces];
  const double length = 4.0 / pieces;
  for (int k = 0; k < 6 * pieces; ++k) face[k] = k;
  for (int k = 0; k < 24; ++k)
    block[k] = ((k / 3 >> k % 3) & 1 ? 0.5 : -0.5) * (k % 3 == 0 ? length : k % 3 == 1 ? 2.0 : 0.4);
  for (int k = 0; k < pieces; ++k) {
    bool far = k >= pieces / 2;
    double z = far ? p->step : 0.0, from = k * length + (far ? p->gap : 0.0);
    const double centre[] = {from + 0.5 * length, 0, z - 0.2};
    floor_kind kind = p->floor == mixture ? (floor_kind)(k % 3) : p->floor;
    lay_triangles(p, from, from + length, z, soup + 18 * k);
    shape[k] = (nsds_shape_def){.kind = kind == boxes   ? NSDS_BOX
                                        : kind == hulls ? NSDS_HULL
                                                        : NSDS_TRIANGLES,
                                .half = {0.5 * length, 1, 0.2},
                                .nvertex = kind == hulls ? 8 : 6,
                                .vertex = kind == hulls ? block : soup + 18 * k,
                                .nface = 2,
                                .face = face};
    if (kind == triangles) continue;
    put(p, centre, shape[k].position);
    memcpy(shape[k].quaternion, p->turn + 3, sizeof shape[k].quaternion);
  }
  if (p->floor != triangles) return pieces;
  shape[0].nvertex = 6 * pieces;
  shape[0].nface = 2 * pieces;
  return 1;
}

static int lay_rider(const plan *p, nsds_ds *ds, nsds_shape_def *shape) {
  static double hull[24];
  for (int k = 0; k < 24; ++k) { /* narrower above */
    double side = (k / 3 >> k % 3) & 1 ? 1.0 : -1.0, top = k / 3 >= 4 ? 0.8 : 1.0;
    hull[k] = side * (k % 3 == 0 ? 0.15 * top : k % 3 == 1 ? 0.12 * top : half_height);
  }
  *shape = (nsds_shape_def){.ds = ds,
                            .kind = p->rider == a_hull      ? NSDS_HULL
                                    : p->rider == a_capsule ? NSDS_CAPSULE
                                    : p->rider == a_sphere  ? NSDS_SPHERE
                                                            : NSDS_BOX,
                            .half = {0.15, 0.12, half_height},
                            .nvertex = 8,
                            .vertex = hull};
  if (p->rider == a_capsule || p->rider == a_sphere) shape->radius = half_height;
  if (p->rider == a_capsule) shape->half[0] = 0.1;
  if (p->rider != twins) return 1;
  shape[1] = shape[0]; /* two boxes that are one */
  shape[0].half[0] = shape[1].half[0] = 0.075;
  shape[0].position[0] = -0.075;
  shape[1].position[0] = 0.075;
  return 2;
}

static scene build(const plan *p) {
  static const double J[] = {[0] = 0.004, [4] = 0.004, [8] = 0.004};
  nsds_shape_def shape[pieces + 2];
  scene s = {.model = nsds_model_create(NULL)};
  double q[7], v[6] = {0.0}, down[3];
  put(p, (double[]){0, 0, 1}, s.up);
  put(p, (double[]){0.35, 0.07, half_height + p->above}, q);
  put(p, (double[]){p->speed, 0, 0}, v);
  memcpy(q + 3, p->turn + 3, 4 * sizeof *q);
  for (int k = 0; k < 3; ++k) down[k] = -g * s.up[k];
  s.rider = nsds_rigid_body(
      s.model,
      &(nsds_rigid_body_def){
          .mass = 1.0, .inertia = J, .q0 = q, .v0 = v, .gravity = {down[0], down[1], down[2]}});
  int count = lay_floor(p, shape);
  count += lay_rider(p, s.rider, shape + count);
  nsds_law *law =
      nsds_newton_impact_friction(s.model, &(nsds_newton_impact_friction_def){.mu = p->mu});
  nsds_shapes(s.model, &(nsds_shapes_def){.law = law, .nshape = count, .shape = shape});
  s.simulation = nsds_time_stepping(s.model, &(nsds_time_stepping_def){.t1 = 1.5, .h = p->h});
  assert_sound(s.model);
  return s;
}

static double along(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Along the floor. */
static double speed_of(const scene *s) {
  const double *v = nsds_v(s->rider);
  double rise = along(v, s->up);
  return sqrt(fmax(0.0, along(v, v) - rise * rise));
}

static double height_of(const scene *s) { return along(nsds_q(s->rider), s->up); }

static void check_slide(const plan *p) {
  scene s = build(p);
  const double end = 0.8;
  const double lowest = half_height - 3e-6 - g * p->h * p->h;
  while (nsds_time(s.simulation) < end) {
    assert_ok(s.model, nsds_step(s.simulation));
    assert_true(height_of(&s) > lowest);
    assert_true(height_of(&s) < half_height + 2e-6);
    if (p->mu == 0.0) assert_near(speed_of(&s), p->speed, 1e-9);
  }
  double lost = p->speed - speed_of(&s), expected = p->mu * g * nsds_time(s.simulation);
  assert_near(lost, expected, 1e-6 * expected + 1e-9);
  nsds_model_destroy(s.model);
}

static void flush_floors_are_one(void **state) {
  (void)state;
  for (int floor = 0; floor < floor_kinds; ++floor)
    for (int rider = 0; rider < rider_kinds; ++rider)
      for (int above = -1; above <= 1; ++above) {
        plan p = {.floor = (floor_kind)floor,
                  .rider = (rider_kind)rider,
                  .turn = (floor + rider + above) % 2 ? tilted : level,
                  .h = 1e-3,
                  .above = 1e-6 * above,
                  .speed = 2.0};
        p.mu = rider != a_sphere && (floor + rider + above) % 3 == 0 ? 0.2 : 0.0;
        check_slide(&p);
      }
}

static void with_small_steps(void **state) {
  (void)state;
  for (int floor = 0; floor < floor_kinds; ++floor)
    check_slide(&(plan){.floor = (floor_kind)floor,
                        .rider = (rider_kind)(floor % 2 ? a_sphere : a_box),
                        .turn = floor % 2 ? level : tilted,
                        .h = 1e-4,
                        .above = -1e-6,
                        .speed = 2.0});
}

static void steps_stop(void **state) {
  (void)state;
  for (int rider = 0; rider <= a_hull; ++rider)
    for (int k = 0; k < 3; ++k) {
      plan p = {.floor = k ? boxes : hulls,
                .rider = (rider_kind)rider,
                .turn = k == 1 ? tilted : level,
                .h = k == 2 ? 2e-4 : 1e-3,
                .speed = 2.0,
                .step = 1e-3};
      scene s = build(&p);
      while (nsds_time(s.simulation) < 1.0) assert_ok(s.model, nsds_step(s.simulation));
      assert_true(speed_of(&s) < 0.5); /* it tips over the edge */
      nsds_model_destroy(s.model);
    }
}

/* A ball of radius r dips by r - sqrt(r^2 - (w/2)^2) into a gap of width w. */
static void gaps_are_felt(void **state) {
  (void)state;
  const double width = 0.02, r = half_height;
  for (int floor = 0; floor < floor_kinds; ++floor) {
    plan p = {.floor = (floor_kind)floor,
              .rider = a_sphere,
              .turn = level,
              .h = 1e-3,
              .speed = 0.05,
              .gap = width};
    scene s = build(&p);
    double x = 2.0 - 0.02; /* just before it */
    nsds_set_state(s.rider, (double[]){x, 0.07, r, 1, 0, 0, 0}, NULL);
    double lowest = r;
    while (nsds_time(s.simulation) < 1.0) {
      assert_ok(s.model, nsds_step(s.simulation));
      lowest = fmin(lowest, height_of(&s));
    }
    double dip = r - sqrt(r * r - 0.25 * width * width);
    assert_near(r - lowest, dip, 0.1 * dip);
    nsds_model_destroy(s.model);
  }
}

/* ---- rims ------------------------------------------------------------------------------------- */

/* Balls that touch the rim of a rough height field from outside. A ball fell through the rim, as the
 * normal there leans over another side of an obtuse triangle. */
static void a_rim_of_a_height_field_holds_balls(void **state) {
  (void)state;
  enum { along = 6 };
  int checked = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    uint64_t draw = seed;
    double height[2 * along], half[2] = {random_in(&draw, 0.5, 2.0), random_in(&draw, 0.5, 2.0)};
    double r = random_in(&draw, 0.2, 0.4), part = random_in(&draw, 0.0, 1.0),
           turn = random_in(&draw, 0.1, 1.4), edge[3], n[3], q[7] = {[3] = 1.0};
    for (int k = 0; k < 2 * along; ++k) height[k] = random_in(&draw, -0.4, 0.4);
    int j = (int)random_in(&draw, 0.0, along - 1.001);
    const double *rim = height + along; /* at x = half[0] */
    edge[0] = 0.0;
    edge[1] = 2.0 * half[1] / (along - 1);
    edge[2] = rim[j + 1] - rim[j];
    double size =
        hypot(edge[1], edge[2]); /* n: outwards and upwards, at a right angle to the edge */
    n[0] = cos(turn);
    n[1] = -sin(turn) * edge[2] / size;
    n[2] = sin(turn) * edge[1] / size;
    const double inner[3] = {-2.0 * half[0], 0.0, height[j] - rim[j]}; /* to the far vertex */
    double up[3] = {-edge[2] * inner[1] + edge[1] * inner[2], edge[2] * inner[0],
                    -edge[1] * inner[0]};
    if (n[0] * up[0] + n[1] * up[1] + n[2] * up[2] < 0.02) continue; /* behind the triangle */
    q[0] = half[0] + (r - 0.004) * n[0];
    q[1] = -half[1] + (j + part) * edge[1] + (r - 0.004) * n[1];
    q[2] = rim[j] + part * edge[2] + (r - 0.004) * n[2];
    nsds_model *model = nsds_model_create(NULL);
    const double J[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    nsds_ds *ds =
        nsds_rigid_body(model, &(nsds_rigid_body_def){.mass = 1.0, .inertia = J, .q0 = q});
    nsds_shape_def shape[2] = {{.kind = NSDS_SPHERE, .ds = ds, .radius = r},
                               {.kind = NSDS_HEIGHT_FIELD,
                                .nx = 2,
                                .ny = along,
                                .height = height,
                                .half = {half[0], half[1]}}};
    nsds_contact_set *set = nsds_shapes(
        model,
        &(nsds_shapes_def){.law = nsds_newton_impact(model, 0.0), .nshape = 2, .shape = shape});
    nsds_simulation *s = nsds_time_stepping(
        model,
        &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-12, .overlap_sweeps = NSDS_OVERLAP_STAYS});
    assert_sound(model);
    assert_ok(model, nsds_step(s));
    nsds_shape_gap gap;
    double least = INFINITY;
    assert_ok(model, nsds_shapes_gap(set, 0, 1, &gap));
    for (int i = 0; i < nsds_contact_set_count(set); ++i) {
      nsds_contact_info info;
      assert_ok(model, nsds_contact_set_get(set, i, &info));
      least = fmin(least, info.y[0]);
    }
    if (gap.distance > -0.004 - 1e-9 && !(fabs(least - gap.distance) < 1e-9))
      fail_msg("seed %d: the gap is %g, that of the contacts %g", (int)seed, gap.distance, least);
    checked += gap.distance > -0.004 - 1e-9;
    nsds_model_destroy(model);
  }
  assert_true(checked > 200);
}

/* ---- bodies of two boxes ---------------------------------------------------------------------- */

/* Two boxes side by side along x, which stand on their common long edge over a table: leaned about x,
 * and turned by a small slope. All four corners of the edge are found, with their gaps. */
static void an_edge_of_two_boxes_has_its_corners(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    uint64_t draw = seed;
    double half[3] = {0, random_in(&draw, 0.2, 0.5), random_in(&draw, 0.2, 0.5)}, least = INFINITY;
    double length[2] = {random_in(&draw, 0.3, 0.8), random_in(&draw, 0.3, 0.8)};
    double lean = random_in(&draw, 0.2, 1.2), slope = random_in(&draw, -4e-3, 4e-3);
    double a[4] = {cos(0.5 * slope), 0, sin(0.5 * slope), 0},
           b[4] = {cos(0.5 * lean), sin(0.5 * lean)};
    double q[7] = {0, 0, 0, a[0] * b[0], a[0] * b[1], a[2] * b[0], -a[2] * b[1]}, z[3];
    const double corner[3] = {-length[0], 0, length[1]};
    for (int k = 0; k < 3; ++k) {
      double place[3], own[3] = {corner[k], -half[1], -half[2]};
      nsds_to_world(q, own, place);
      z[k] = place[2];
      least = fmin(least, z[k]);
    }
    q[2] = random_in(&draw, -1e-4, 1e-3) - least;
    nsds_model *model = nsds_model_create(NULL);
    const double J[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    nsds_ds *ds =
        nsds_rigid_body(model, &(nsds_rigid_body_def){.mass = 1.0, .inertia = J, .q0 = q});
    nsds_shape_def shape[3] = {{.kind = NSDS_BOX, .half = {5, 5, 0.5}, .position = {0, 0, -0.5}}};
    for (int k = 0; k < 2; ++k)
      shape[1 + k] = (nsds_shape_def){.kind = NSDS_BOX,
                                      .ds = ds,
                                      .half = {0.5 * length[k], half[1], half[2]},
                                      .position = {(k - 0.5) * length[k], 0, 0}};
    nsds_contact_set *set = nsds_shapes(
        model,
        &(nsds_shapes_def){
            .law = nsds_newton_impact(model, 0.0), .nshape = 3, .shape = shape, .reach = 0.05});
    nsds_simulation *s = nsds_time_stepping(
        model,
        &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-12, .overlap_sweeps = NSDS_OVERLAP_STAYS});
    assert_sound(model);
    assert_ok(model, nsds_step(s));
    int found[3] = {0};
    for (int i = 0; i < nsds_contact_set_count(set); ++i) {
      nsds_contact_info info;
      assert_ok(model, nsds_contact_set_get(set, i, &info));
      for (int k = 0; k < 3; ++k) found[k] += fabs(info.y[0] - (z[k] + q[2])) < 1e-10;
    }
    if (!(found[0] == 1 && found[1] == 2 && found[2] == 1))
      fail_msg("seed %d: %d, %d, %d contacts at corners of slope %g", (int)seed, found[0], found[1],
               found[2], slope);
    nsds_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flush_floors_are_one),
      cmocka_unit_test(with_small_steps),
      cmocka_unit_test(steps_stop),
      cmocka_unit_test(gaps_are_felt),
      cmocka_unit_test(a_rim_of_a_height_field_holds_balls),
      cmocka_unit_test(an_edge_of_two_boxes_has_its_corners),
  };
  return cmocka_run_group_tests_name("kernel.shapes_flush", tests, NULL, NULL);
}
