/*
 * Laws of friction without friction. A coefficient of zero, or one so small that friction is rounding,
 * must give the motion of a law that has no friction: of closed forms, and of nsds_newton_impact().
 *
 *     event_smooth_contacts [COUNT [SEED]]    draws COUNT models (60), of the seeds SEED (1), SEED + 1, ...
 */
#include "support.h"

#include <nsds/rigid_body.h>
#include <nsds/shapes.h>

#include <stdio.h>
#include <stdlib.h>

static const double g = 9.81;

typedef enum law_kind { IMPACT, COULOMB, FREMOND } law_kind;

/* A box over a plane, on feet or as a shape. */
typedef struct box {
  bool plane, shape;
  int feet;
  double half[3], down[3], v[6], above; /* down: gravity; above: height over the plane */
  double mu, e;
} box;

static nsds_law *law_of(nsds_model *model, const box *b, law_kind kind) {
  int dimension = b->plane ? 2 : 3;
  if (kind == IMPACT) return nsds_newton_impact(model, b->e);
  if (kind == COULOMB)
    return nsds_newton_impact_friction(
        model,
        &(nsds_newton_impact_friction_def){.dimension = dimension, .mu = b->mu, .e_n = b->e});
  return nsds_fremond_impact_friction(
      model, &(nsds_fremond_impact_friction_def){.dimension = dimension, .mu = b->mu, .e_n = b->e});
}

static nsds_ds *body(nsds_model *model, const box *b) {
  double z = b->half[b->plane ? 1 : 2] + b->above;
  if (b->plane)
    return nsds_rigid_body_2d(model,
                              &(nsds_rigid_body_2d_def){.mass = 1.0,
                                                        .inertia = 0.08,
                                                        .q0 = (double[]){0.0, z, 0.0},
                                                        .v0 = b->v,
                                                        .gravity = {b->down[0], b->down[1]}});
  return nsds_rigid_body(
      model, &(nsds_rigid_body_def){.mass = 1.0,
                                    .inertia = (double[]){0.06, 0, 0, 0, 0.08, 0, 0, 0, 0.09},
                                    .q0 = (double[]){0, 0, z, 1, 0, 0, 0},
                                    .v0 = b->v,
                                    .gravity = {b->down[0], b->down[1], b->down[2]}});
}

static void put_feet(nsds_model *model, const box *b, nsds_ds *ds, law_kind kind) {
  static const double corner[4][2] = {{1, 1}, {-1, -1}, {-1, 1}, {1, -1}};
  nsds_law *law = law_of(model, b, kind);
  int dimension = b->plane ? 2 : 3;
  for (int k = 0; k < b->feet; ++k) {
    double spread = b->feet == 1 ? 0.0 : 1.0;
    nsds_sphere_plane_relation_def d = {.dimension = dimension,
                                        .rows = kind == IMPACT ? 1 : dimension};
    d.center[0] = spread * corner[k][0] * b->half[0];
    d.center[1] = b->plane ? -b->half[1] : spread * corner[k][1] * b->half[1];
    d.center[2] = b->plane ? 0.0 : -b->half[2];
    d.normal[dimension - 1] = 1.0;
    nsds_connect(model, nsds_sphere_plane_relation(model, &d), law, 1, &ds);
  }
}

static nsds_ds *build(nsds_model *model, const box *b, law_kind kind) {
  nsds_ds *ds = body(model, b);
  if (!b->shape) {
    put_feet(model, b, ds, kind);
    return ds;
  }
  nsds_shape_def shape[2] = {
      {.kind = NSDS_BOX, .ds = ds, .half = {b->half[0], b->half[1], b->half[2]}},
      {.kind = NSDS_HALF_SPACE}};
  shape[1].plane.normal[b->plane ? 1 : 2] = 1.0;
  nsds_shapes(model, &(nsds_shapes_def){.dimension = b->plane ? 2 : 3,
                                        .law = law_of(model, b, kind),
                                        .nshape = 2,
                                        .shape = shape});
  return ds;
}

/* ---- closed forms ---------------------------------------------------------------------------- */

/* Thrown up a slope by v, the box slides back as if nothing were there. */
static void check_slide(const box *b, law_kind kind, bool events) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = build(model, b, kind);
  double x[2] = {0.0};
  nsds_simulation *s =
      events ? nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0})
             : nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.01});
  assert_sound(model);
  assert_status(model, nsds_run(s), NSDS_END);
  for (int k = 0; k < (b->plane ? 1 : 2); ++k) x[k] = b->v[k] + 0.5 * b->down[k];
  for (int k = 0; k < (b->plane ? 1 : 2); ++k) {
    assert_near(nsds_q(ds)[k], x[k], 1e-9);
    assert_near(nsds_v(ds)[k], b->v[k] + b->down[k], 1e-9);
  }
  assert_near(nsds_q(ds)[b->plane ? 1 : 2], b->half[b->plane ? 1 : 2], 1e-9);
  nsds_model_destroy(model);
}

static void feet_without_friction_slide(void **state) {
  (void)state;
  const double mu[] = {0.0, 5e-324, 1e-18, 1e-13};
  for (int k = 0; k < 4; ++k)
    for (int feet = 0; feet <= 4; ++feet)
      for (int up = -1; up <= 1; ++up)
        for (law_kind kind = COULOMB; kind <= FREMOND; ++kind)
          for (int plane = 0; plane < 2; ++plane) {
            box b = {.plane = plane, .shape = feet == 0, .feet = feet, .half = {0.4, 0.3, 0.1}};
            if (plane && feet > 2) continue;
            b.down[0] = g * sin(0.3);
            b.down[plane ? 1 : 2] = -g * cos(0.3);
            if (!plane) b.down[1] = up;
            b.mu = mu[k];
            b.v[0] = 0.7 * up;
            if (feet == 1 && plane) b.half[0] = 0.0; /* no lever arm */
            check_slide(&b, kind, true);
            check_slide(&b, kind, false);
          }
}

/* A law of the program's own, whose coefficient the program changes. */
static double coefficient;

static void own_block(void *self, nsds_block *block) {
  (void)self;
  block->set = NSDS_SET_COULOMB;
  block->mu = coefficient;
}

static bool own_active(void *self, const double *y, const double *ydot, double tau, double slack) {
  (void)self;
  return y[0] + tau * ydot[0] <= slack;
}

static void own_restitution(void *self, const double *ydot, double *q) {
  (void)self, (void)ydot, (void)q;
}

static int set_coefficient(nsds_simulation *simulation, void *user) {
  (void)simulation;
  coefficient = *(const double *)user;
  return 0;
}

/* A box on four feet slides freely until 0.5 s, then with friction until it stops and sticks, and freely
 * again from 1.5 s on. */
static void coefficient_comes_and_goes(void **state) {
  (void)state;
  static const nsds_law_ops ops = {.type = "own friction",
                                   .block = own_block,
                                   .active = own_active,
                                   .restitution = own_restitution};
  double angle = 0.3, mu = 0.6, none = 0.0;
  box b = {.feet = 4, .half = {0.4, 0.3, 0.1}};
  b.down[0] = g * sin(angle);
  b.down[2] = -g * cos(angle);
  coefficient = 0.0;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = body(model, &b);
  nsds_law *law = nsds_custom_law(model, &(nsds_custom_law_def){.ops = &ops, .size = 3, .ngap = 1});
  for (int k = 0; k < 4; ++k) {
    nsds_sphere_plane_relation_def d = {.normal = {0, 0, 1}};
    for (int i = 0; i < 2; ++i) d.center[i] = (k >> i & 1 ? 1.0 : -1.0) * b.half[i];
    d.center[2] = -b.half[2];
    d.rows = 3;
    nsds_connect(model, nsds_sphere_plane_relation(model, &d), law, 1, &ds);
  }
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 2.0});
  assert_sound(model);
  nsds_simulation_at(s, &(nsds_event_def){.time = 0.5, .call = set_coefficient, .user = &mu});
  nsds_simulation_at(s, &(nsds_event_def){.time = 1.5, .call = set_coefficient, .user = &none});
  assert_status(model, nsds_run(s), NSDS_END);
  double down = g * sin(angle), brake = g * (mu * cos(angle) - sin(angle)), v = 0.5 * down;
  assert_true(v / brake < 1.0);
  assert_near(nsds_q(ds)[0], 0.125 * down + 0.5 * v * v / brake + 0.125 * down, 1e-8);
  assert_near(nsds_v(ds)[0], 0.5 * down, 1e-8);
  nsds_model_destroy(model);
}

/* ---- drawn ----------------------------------------------------------------------------------- */

static box draw(uint64_t *random) {
  box b = {.plane = random_in(random, 0, 1) < 0.3, .feet = 1 + (int)random_in(random, 0, 3.999)};
  b.shape = random_in(random, 0, 1) < 0.4;
  if (b.plane && b.feet > 2) b.feet = 2;
  for (int k = 0; k < 3; ++k) b.half[k] = random_in(random, 0.1, 0.5);
  bool level = random_in(random, 0, 1) < 0.3, flat = random_in(random, 0, 1) < 0.5;
  int up = b.plane ? 1 : 2;
  for (int k = 0; k < up; ++k) b.down[k] = level ? 0.0 : random_in(random, -4.0, 4.0);
  b.down[up] = random_in(random, -12.0, -2.0);
  bool moves = random_in(random, 0, 1) < 0.6;
  for (int k = 0; k < up; ++k) b.v[k] = moves ? random_in(random, -1.0, 1.0) : 0.0;
  if (!flat) b.above = random_in(random, 0.0, 0.3);
  for (int k = up + 1; !flat && k < (b.plane ? 3 : 6); ++k) b.v[k] = random_in(random, -2.0, 2.0);
  const double mu[] = {0.0, 0.0, 5e-324, 1e-300, 1e-20, 1e-16, 1e-15};
  b.mu = mu[(int)random_in(random, 0, 6.999)];
  b.e = random_in(random, 0, 1) < 0.5 ? 0.0 : random_in(random, 0.0, 0.6);
  return b;
}

/* Impacts multiply the rounding in which the two runs differ. Runs at the relative tolerance 1e-9 are
 * known to about this. */
static const double allowed = 1e-8;

/* Returns the difference to the same box by nsds_newton_impact(), and tells if a run has failed. */
static double compare(const box *b, law_kind kind, uint64_t seed, bool *failed) {
  double end[2][13] = {{0.0}}, worst = 0.0;
  int nq = b->plane ? 3 : 7, nv = b->plane ? 3 : 6;
  nsds_status status[2];
  for (int k = 0; k < 2; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = build(model, b, k ? kind : IMPACT);
    nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 0.6});
    status[k] = s ? nsds_run(s) : nsds_error(nsds_model_context(model));
    if (status[k] < 0 && (k == 0 || status[0] >= 0))
      printf("seed %llu, law %d: %s\n", (unsigned long long)seed, k ? (int)kind : 0,
             nsds_last_message(nsds_model_context(model)));
    for (int i = 0; i < nq; ++i) end[k][i] = nsds_q(ds)[i];
    for (int i = 0; i < nv; ++i) end[k][nq + i] = nsds_v(ds)[i];
    nsds_model_destroy(model);
  }
  *failed = status[1] < 0;
  for (int i = 0; i < nq + nv; ++i) worst = worse(worst, fabs(end[1][i] - end[0][i]));
  return worst;
}

static long drawn_count = 60;
static uint64_t drawn_seed = 1;

static void drawn_boxes(void **state) {
  (void)state;
  long wrong = 0;
  double largest = 0.0;
  for (uint64_t seed = drawn_seed; seed < drawn_seed + (uint64_t)drawn_count; ++seed) {
    uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15);
    bool failed;
    box b = draw(&random);
    law_kind kind = random_in(&random, 0, 1) < 0.5 ? COULOMB : FREMOND;
    double apart = compare(&b, kind, seed, &failed);
    largest = worse(largest, apart);
    if (!failed && apart <= allowed) continue;
    ++wrong;
    printf("seed %llu: law %d, mu %g, e %g, %s, %s of %d, above %g: apart by %g\n",
           (unsigned long long)seed, (int)kind, b.mu, b.e, b.plane ? "plane" : "space",
           b.shape ? "shape" : "feet", b.feet, b.above, apart);
  }
  printf("%ld boxes without friction, %ld wrong; largest difference %.2g\n", drawn_count, wrong,
         largest);
  assert_int_equal(wrong, 0);
}

int main(int argc, char **argv) {
  if (argc > 1) drawn_count = strtol(argv[1], NULL, 10);
  if (argc > 2) drawn_seed = strtoull(argv[2], NULL, 10);
  const struct CMUnitTest tests[] = {cmocka_unit_test(feet_without_friction_slide),
                                     cmocka_unit_test(coefficient_comes_and_goes),
                                     cmocka_unit_test(drawn_boxes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
