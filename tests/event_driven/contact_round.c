/*
 * Cylinders, cones and ellipsoids before half spaces, event-driven: closed forms; drawn bodies, whose
 * gap and energy are checked by their own support functions.
 *
 *   event_contact_round [COUNT [FIRST]]     drawn models, default 20 from seed 1
 */
#include "support.h"

#include <nsds/rigid_body.h>
#include <nsds/shapes.h>

#include <stdio.h>
#include <stdlib.h>

static const double g = 9.81;
static int drawn = 20;
static uint64_t first = 1, number;

static nsds_simulation *exact(nsds_model *model, double t1, double h) {
  nsds_simulation *s = nsds_event_driven(
      model,
      &(nsds_event_driven_def){
          .t1 = t1, .output_period = h, .relative_tolerance = 1e-12, .absolute_tolerance = 1e-13});
  assert_sound(model);
  return s;
}

static nsds_ds *body(nsds_model *model, const double J[3], const double q[7], const double v[6]) {
  const double inertia[9] = {[0] = J[0], [4] = J[1], [8] = J[2]};
  return nsds_rigid_body(
      model, &(nsds_rigid_body_def){
                 .mass = 1.0, .inertia = inertia, .q0 = q, .v0 = v, .gravity = {0, 0, -g}});
}

static nsds_contact_set *on_floor(nsds_model *m, double e, double mu, nsds_shape_def shape) {
  nsds_law *law =
      mu > 0.0 ? nsds_newton_impact_friction(
                     m, &(nsds_newton_impact_friction_def){.dimension = 3, .mu = mu, .e_n = e})
               : nsds_newton_impact(m, e);
  nsds_shape_def both[2] = {shape, {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 0, 1}}}};
  nsds_contact_set *set =
      nsds_shapes(m, &(nsds_shapes_def){.dimension = 3, .law = law, .nshape = 2, .shape = both});
  assert_sound(m);
  return set;
}

static double energy(nsds_ds *ds) { return nsds_kinetic_energy(ds) + g * nsds_q(ds)[2]; }

/* A cylinder on its side rolls, and keeps speed and height. */
static void a_cylinder_rolls(void **state) {
  (void)state;
  const double r = 0.2, pi = acos(-1.0);
  for (int k = 0; k < 3; ++k) { /* axis along y, then turned; then it starts with slip */
    double turn = k == 1 ? 0.7 : 0.0, speed = 1.0, rate = k == 2 ? 0.0 : speed / r;
    nsds_model *m = nsds_model_create(NULL);
    /* the axis of a cylinder is the first one: x to y by 90 degrees about z, then the turn */
    double angle = 0.5 * (0.5 * pi + turn), c = cos(turn), s0 = sin(turn);
    nsds_ds *roll = body(m, (double[]){0.5 * r * r, 0.02, 0.02},
                         (double[]){0, 0, r, cos(angle), 0, 0, sin(angle)},
                         (double[]){speed * c, speed * s0, 0, rate, 0, 0});
    on_floor(m, 0.0, 0.5,
             (nsds_shape_def){.kind = NSDS_CYLINDER, .ds = roll, .half = {0.3}, .radius = r});
    nsds_simulation *s = exact(m, 2.0, 0.1);
    assert_int_equal(nsds_run(s), NSDS_END);
    double end = k == 2 ? 2.0 / 3.0 * speed : speed;
    assert_near(nsds_v(roll)[0], end * c, 1e-9);
    assert_near(nsds_v(roll)[1], end * s0, 1e-9);
    assert_near(nsds_q(roll)[2], r, 1e-9);
    if (k < 2) assert_near(nsds_q(roll)[0], 2.0 * c, 1e-9);
    nsds_model_destroy(m);
  }
}

/* A disc whose centre stays in place rolls around on its rim: at the tilt a, the precession is
 * 2 sqrt(g / (r sin a)). */
static void a_disc_rolls_around(void **state) {
  (void)state;
  const double r = 0.1, pi = acos(-1.0), thin = 1e-9;
  for (int k = 1; k <= 5; ++k) {
    double a = 0.2 * k, W = 2.0 * sqrt(g / (r * sin(a)));
    /* the axis of the disc leans from z by a towards x: e = (sin a, 0, cos a) is the body's first axis */
    double angle = 0.5 * (a - 0.5 * pi); /* about y */
    /* angular velocity: W (z - cos a e) + spin e, without a part along e: the lowest point rests */
    double w[3] = {-W * cos(a) * sin(a), 0.0, W - W * cos(a) * cos(a)};
    nsds_model *m = nsds_model_create(NULL);
    /* in the body: along its axis 0; across in the plane of e and z */
    double e[3] = {sin(a), 0, cos(a)}, f[3] = {-cos(a), 0, sin(a)};
    double along = w[0] * e[0] + w[2] * e[2], across = w[0] * f[0] + w[2] * f[2];
    nsds_ds *disc = body(m, (double[]){0.5 * r * r, 0.25 * r * r, 0.25 * r * r},
                         (double[]){0, 0, r * sin(a), cos(angle), 0, sin(angle), 0},
                         (double[]){0, 0, 0, along, 0, across});
    on_floor(m, 0.0, 5.0,
             (nsds_shape_def){.kind = NSDS_CYLINDER, .ds = disc, .half = {thin}, .radius = r});
    nsds_simulation *s = exact(m, 1.0, 0.01);
    assert_int_equal(nsds_run(s), NSDS_END);
    const double *q = nsds_q(disc);
    assert_near(hypot(q[0], q[1]), 0.0, 1e-8);
    assert_near(q[2], r * sin(a), 1e-8);
    /* the first axis of the body has gone around by W t */
    double axis[2] = {1.0 - 2.0 * (q[5] * q[5] + q[6] * q[6]), 2.0 * (q[4] * q[5] + q[3] * q[6])};
    assert_near(axis[0], sin(a) * cos(W), 1e-6);
    assert_near(axis[1], sin(a) * sin(W), 1e-6);
    nsds_model_destroy(m);
  }
}

typedef struct drawn_round {
  nsds_shape_kind kind;
  double half[3], radius, top;
} drawn_round;

/* The height of the lowest point. */
static double gap_of(const drawn_round *p, const double *q) {
  /* the third row of the rotation: z in the body */
  double w = q[3], x = q[4], y = q[5], z = q[6];
  double d[3] = {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z};
  if (p->kind == NSDS_ELLIPSOID)
    return q[2] -
           sqrt(pow(p->half[0] * d[0], 2) + pow(p->half[1] * d[1], 2) + pow(p->half[2] * d[2], 2));
  double across = hypot(d[1], d[2]);
  return q[2] + fmin(-p->half[0] * d[0] - p->radius * across, p->half[0] * d[0] - p->top * across);
}

static drawn_round draw_round(uint64_t *seed) {
  drawn_round p = {.kind = NSDS_CYLINDER + (int)random_in(seed, 0.0, 2.99)};
  for (int i = 0; i < 3; ++i) p.half[i] = random_in(seed, 0.05, 0.2);
  p.radius = p.top = random_in(seed, 0.05, 0.2);
  if (p.kind == NSDS_CONE) p.top = random_in(seed, 0.0, 1.0) < 0.5 ? 0.0 : 0.5 * p.radius;
  return p;
}

/* Round bodies fall on the floor. None sinks in, and no energy appears; without friction and with e =
 * 1 the energy stays. */
static void drawn_on_a_floor(void **state) {
  (void)state;
  for (int k = 0; k < drawn; ++k) {
    number = first + (uint64_t)k;
    uint64_t seed = 7919 * number + 3;
    drawn_round p = draw_round(&seed);
    double e = number % 3 ? random_in(&seed, 0.0, 0.8) : 1.0, q[7], v[6], square = 0.0;
    double mu = number % 3 && number % 2 ? random_in(&seed, 0.1, 0.8) : 0.0;
    for (int i = 0; i < 7; ++i) q[i] = random_in(&seed, -1, 1);
    for (int i = 0; i < 6; ++i) v[i] = random_in(&seed, -1, 1);
    for (int i = 3; i < 7; ++i) square += q[i] * q[i];
    for (int i = 3; i < 7; ++i) q[i] /= sqrt(square);
    q[2] = 0.5;
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = body(m, (double[]){0.008, 0.01, 0.012}, q, v);
    nsds_shape_def shape = {.kind = p.kind, .ds = ds, .radius = p.radius};
    memcpy(shape.half, p.half, sizeof shape.half);
    if (p.kind == NSDS_CONE) shape.top_radius = p.top;
    on_floor(m, e, mu, shape);
    nsds_simulation *s = exact(m, 1.0, 0.02);
    double before = energy(ds), start = before;
    nsds_status status = NSDS_OK;
    while (nsds_time(s) < 1.0 - 1e-9 && !status) {
      status = nsds_step(s);
      if (status < 0)
        fail_msg("body %d at %g: %s", (int)number, nsds_time(s),
                 nsds_error_message(nsds_model_context(m)));
      if (gap_of(&p, nsds_q(ds)) < -1e-9)
        fail_msg("body %d (%d) at %g: sinks in by %g", (int)number, (int)p.kind, nsds_time(s),
                 -gap_of(&p, nsds_q(ds)));
      if (energy(ds) > before + 1e-9 || (e == 1.0 && fabs(energy(ds) - start) > 1e-8))
        fail_msg("body %d at %g: energy %.12g, before %.12g", (int)number, nsds_time(s), energy(ds),
                 before);
      before = energy(ds);
    }
    nsds_model_destroy(m);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) drawn = atoi(argv[1]);
  if (argc > 2) first = (uint64_t)strtoull(argv[2], NULL, 10);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cylinder_rolls),
      cmocka_unit_test(a_disc_rolls_around),
      cmocka_unit_test(drawn_on_a_floor),
  };
  int failed = cmocka_run_group_tests_name("event_driven.contact_round", tests, NULL, NULL);
  if (failed) printf("the last drawn model has number %llu\n", (unsigned long long)number);
  return failed;
}
