/*
 * Ellipsoids, cylinders and cones among other shapes, event-driven: they move as shapes with the same surface whose
 * gaps have formulas, and as time stepping for small steps.
 */
#include "support.h"

#include <stdio.h>

static const double g = 9.81;

typedef struct scene {
  int n;
  nsds_shape_def shape[3]; /* of bodies 0 .. n - 1; without ds */
  double q[3][7], v[3][6], mass[3];
  double mu, e, gravity;
} scene;

/* Runs a scene; h = 0: by events. Returns the time of the first impact, and the places of the bodies. */
static double move(const scene *c, double h, double t1, double *x) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_shape_def shape[3];
  nsds_ds *ds[3];
  double first = NAN;
  for (int i = 0; i < c->n; ++i) {
    double m = c->mass[i], J[9] = {0.006 * m, 0, 0, 0, 0.006 * m, 0, 0, 0, 0.006 * m};
    bool fixed = m == 0.0;
    shape[i] = c->shape[i];
    ds[i] = fixed ? NULL
                  : nsds_rigid_body(model, &(nsds_rigid_body_def){.mass = m,
                                                                  .inertia = J,
                                                                  .q0 = c->q[i],
                                                                  .v0 = c->v[i],
                                                                  .gravity = {0, 0, -c->gravity}});
    shape[i].ds = ds[i];
    for (int k = 0; fixed && k < 3; ++k) shape[i].position[k] = c->q[i][k];
    for (int k = 0; fixed && k < 4; ++k) shape[i].quaternion[k] = c->q[i][3 + k];
  }
  nsds_material material = {.mu = c->mu, .e_n = c->e};
  nsds_shapes(
      model,
      &(nsds_shapes_def){
          .nmaterial = 1, .material = &material, .nshape = c->n, .shape = shape, .reach = 0.05});
  nsds_simulation *s = h > 0.0
                           ? nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = t1, .h = h})
                           : nsds_event_driven(model, &(nsds_event_driven_def){.t1 = t1});
  assert_sound(model);
  nsds_status status = NSDS_OK;
  while (status == NSDS_OK) {
    status = nsds_step(s);
    const nsds_event_info *event = nsds_simulation_event(s);
    if (event && event->kind & NSDS_EVENT_IMPACT && isnan(first)) first = nsds_time(s);
  }
  if (status != NSDS_END) fail_msg("%s", nsds_error_message(nsds_model_context(model)));
  for (int i = 0; i < c->n; ++i)
    for (int k = 0; k < 7; ++k) x[7 * i + k] = ds[i] ? nsds_q(ds[i])[k] : 0.0;
  nsds_model_destroy(model);
  return first;
}

static double apart(const scene *c, const double *a, const double *b) {
  double worst = 0.0;
  for (int k = 0; k < 7 * c->n; ++k) worst = fmax(worst, fabs(a[k] - b[k]));
  return worst;
}

static void attitude(uint64_t *seed, double most, double *p) {
  double axis[3], norm = 0.0, angle = random_in(seed, -most, most);
  for (int k = 0; k < 3; ++k) {
    axis[k] = random_in(seed, -1.0, 1.0);
    norm += axis[k] * axis[k];
  }
  p[0] = cos(angle);
  for (int k = 0; k < 3; ++k) p[1 + k] = sin(angle) * axis[k] / sqrt(norm);
}

/* Two bodies that fly at each other, the second one heavier. */
static scene strike(uint64_t *seed, double spin) {
  scene c = {.n = 2, .mass = {1.0, 2.5}, .mu = random_in(seed, 0.0, 0.6)};
  c.e = random_in(seed, 0.0, 0.8);
  for (int i = 0; i < 2; ++i) {
    double side = i == 0 ? -1.0 : 1.0;
    c.q[i][0] = 0.3 * side;
    for (int k = 1; k < 3; ++k) c.q[i][k] = random_in(seed, -0.04, 0.04);
    attitude(seed, 1.5, c.q[i] + 3);
    for (int k = 0; k < 6; ++k) c.v[i][k] = random_in(seed, -0.2, 0.2) * (k < 3 ? 1.0 : spin);
    c.v[i][0] = -side * random_in(seed, 0.8, 1.6);
  }
  return c;
}

/* An ellipsoid with equal half axes is a ball. */
static void ellipsoids_are_balls(void **state) {
  (void)state;
  uint64_t seed = 3;
  double worst = 0.0;
  for (int k = 0; k < 20; ++k) {
    scene c = strike(&seed, 10.0);
    double x[14], y[14];
    c.shape[0] = (nsds_shape_def){.kind = NSDS_SPHERE, .radius = 0.1};
    c.shape[1] = (nsds_shape_def){.kind = NSDS_SPHERE, .radius = 0.15};
    double t = move(&c, 0.0, 0.6, x);
    assert_false(isnan(t));
    c.shape[0] = (nsds_shape_def){.kind = NSDS_ELLIPSOID, .half = {0.1, 0.1, 0.1}};
    if (k % 2) c.shape[1] = (nsds_shape_def){.kind = NSDS_ELLIPSOID, .half = {0.15, 0.15, 0.15}};
    assert_near(move(&c, 0.0, 0.6, y), t, 1e-12);
    worst = fmax(worst, apart(&c, x, y));
  }
  printf("ellipsoids end %.2g from balls\n", worst);
  assert_true(worst < 1e-9);
}

/* A ball that strikes the side of a cylinder moves as if that were a capsule. Later it may strike the end. */
static void cylinders_are_capsules(void **state) {
  (void)state;
  uint64_t seed = 4;
  double worst = 0.0;
  for (int k = 0; k < 20; ++k) {
    scene c = strike(&seed, 1.0);
    double x[14], y[14];
    const double upright[4] = {0.7071067811865476, 0.0, 0.7071067811865476, 0.0};
    memcpy(c.q[1] + 3, upright, sizeof upright);
    c.shape[0] = (nsds_shape_def){.kind = NSDS_SPHERE, .radius = 0.1};
    c.shape[1] = (nsds_shape_def){.kind = NSDS_CAPSULE, .radius = 0.12, .half = {0.6}};
    double t = move(&c, 0.0, 0.25, x);
    assert_false(isnan(t));
    c.shape[1].kind = k % 2 ? NSDS_CONE : NSDS_CYLINDER;
    c.shape[1].top_radius = k % 2 ? 0.12 : 0.0;
    if (k % 2) c.shape[1].radius = 0.12;
    assert_near(move(&c, 0.0, 0.25, y), t, 1e-12);
    worst = fmax(worst, apart(&c, x, y));
  }
  printf("cylinders end %.2g from capsules\n", worst);
  assert_true(worst < 1e-9);
}

/* An ellipsoid on a large fixed box moves as on a half space. */
static void boxes_are_floors(void **state) {
  (void)state;
  uint64_t seed = 5;
  double worst = 0.0;
  for (int k = 0; k < 10; ++k) {
    scene c = {.n = 2, .mass = {1.0, 0.0}, .gravity = g, .mu = random_in(&seed, 0.05, 0.5)};
    double x[14], y[14];
    c.e = k % 2 ? 0.0 : random_in(&seed, 0.1, 0.5);
    c.q[0][2] = 0.35;
    attitude(&seed, 1.5, c.q[0] + 3);
    for (int i = 0; i < 6; ++i) c.v[0][i] = random_in(&seed, -0.5, 0.5);
    c.shape[0] = (nsds_shape_def){.kind = NSDS_ELLIPSOID, .half = {0.2, 0.15, 0.1}};
    c.shape[1] = (nsds_shape_def){.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 0, 1}}};
    double t = move(&c, 0.0, 0.6, x);
    assert_false(isnan(t));
    c.shape[1] = (nsds_shape_def){.kind = NSDS_BOX, .half = {3.0, 3.0, 1.0}};
    c.q[1][2] = -1.0;
    c.q[1][3] = 1.0;
    assert_near(move(&c, 0.0, 0.6, y), t, 1e-12);
    double own = apart(&c, x, y);
    if (!(own < 1e-7)) fail_msg("draw %d: %g from the half space", k, own);
    worst = fmax(worst, own);
  }
  printf("boxes end %.2g from half spaces\n", worst);
}

/* An ellipsoid that stands on its tip above a ball falls on it: heights have a closed form. */
static void falls_on_a_ball(void **state) {
  (void)state;
  scene c = {.n = 2, .mass = {1.0, 0.0}, .gravity = g, .e = 0.5};
  double x[14], height = 0.3;
  c.q[0][2] = 0.2 + 0.25 + height;
  c.q[0][3] = c.q[1][3] = 1.0;
  c.shape[0] = (nsds_shape_def){.kind = NSDS_ELLIPSOID, .half = {0.1, 0.12, 0.25}};
  c.shape[1] = (nsds_shape_def){.kind = NSDS_SPHERE, .radius = 0.2};
  double fall = sqrt(2.0 * height / g), up = 0.5 * g * fall;
  assert_near(move(&c, 0.0, fall + 0.2, x), fall, 1e-12);
  assert_near(x[2], 0.45 + up * 0.2 - 0.5 * g * 0.04, 1e-11);
}

/* All pairs, drawn, by both drivers. */
static void both_drivers_agree(void **state) {
  (void)state;
  static const nsds_shape_def shapes[] = {
      {.kind = NSDS_ELLIPSOID, .half = {0.15, 0.1, 0.08}},
      {.kind = NSDS_SPHERE, .radius = 0.12},
      {.kind = NSDS_BOX, .half = {0.12, 0.1, 0.08}},
      {.kind = NSDS_CAPSULE, .radius = 0.06, .half = {0.1}},
      {.kind = NSDS_CYLINDER, .radius = 0.1, .half = {0.1}},
      {.kind = NSDS_CONE, .radius = 0.12, .top_radius = 0.05, .half = {0.1}},
      {.kind = NSDS_BOX, .radius = 0.02, .half = {0.1, 0.08, 0.06}}};
  enum { kinds = sizeof shapes / sizeof *shapes };
  uint64_t seed = 6;
  double worst = 0.0;
  for (int k = 0; k < 2 * kinds; ++k) {
    scene c = strike(&seed, 3.0);
    double x[14], y[14], coarse = 0.0, fine = 0.0;
    c.shape[0] = shapes[k % kinds];
    c.shape[1] = k < kinds ? shapes[0] : shapes[4 + k % 2];
    bool round = c.shape[0].kind == NSDS_ELLIPSOID || c.shape[0].kind == NSDS_SPHERE;
    if (k >= kinds && !round) continue;
    move(&c, 0.0, 0.5, x);
    move(&c, 1e-3, 0.5, y);
    coarse = apart(&c, x, y);
    move(&c, 1e-4, 0.5, y);
    fine = apart(&c, x, y);
    if (!(fine < 6e-3 && fine < fmax(0.25 * coarse, 1e-3)))
      fail_msg("%d: %g, then %g", k, coarse, fine);
    worst = fmax(worst, fine);
  }
  printf("drivers end %.2g apart\n", worst);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ellipsoids_are_balls), cmocka_unit_test(cylinders_are_capsules),
      cmocka_unit_test(boxes_are_floors), cmocka_unit_test(falls_on_a_ball),
      cmocka_unit_test(both_drivers_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
