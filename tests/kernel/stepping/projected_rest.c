/*
 * Contacts with restitution come to rest where positions are projected. The projection removes the overlap that would
 * keep a contact closed: flights shorter than a step, or of the same few steps each, went on for ever.
 *
 *     slider   A mass that a load presses against a stop, with an own relation.
 *     stop     A link on a hinge, pressed against the stop of its joint.
 *     ball     A ball of a contact set on rough ground.
 *     stack    Two to four masses on one another; the lowest contact bears all.
 *
 *     kernel_projected_rest [COUNT [SEED]]   draws COUNT models (60) from SEED (1) on
 */
#include "support.h"

#include <nsds/joint.h>
#include <nsds/rigid_body.h>
#include <nsds/shapes.h>

#include <stdio.h>
#include <stdlib.h>

static long count = 60;
static uint64_t first_seed = 1;

enum { most_bodies = 4 };

/* A model that comes to rest: each body has one coordinate that counts. */
typedef struct rest {
  nsds_model *m;
  nsds_simulation *s;
  int bodies, at; /* at: index of the coordinate in v */
  nsds_ds *body[most_bodies];
  nsds_interaction *lowest; /* NULL: the contact of the set */
  nsds_contact_set *set;
  double load, a, h, fall; /* of the lowest contact; acceleration; step; time of the first fall */
  double e;
} rest;

static void simulate(rest *r, nsds_time_stepping_def *def) {
  def->h = r->h;
  def->t1 = 3.0 * r->fall * (1.0 + r->e) / (1.0 - r->e) * (r->bodies > 1 ? 4.0 * r->bodies : 1.0) +
            600.0 * r->h;
  r->s = nsds_time_stepping(r->m, def);
}

static nsds_interaction *put_on(rest *r, int k, nsds_law *law) {
  double H[2] = {1.0, -1.0};
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      r->m, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = k > 0 ? 2 : 1, .H = H});
  nsds_ds *ds[2] = {r->body[k], k > 0 ? r->body[k - 1] : NULL};
  return nsds_connect(r->m, gap, law, k > 0 ? 2 : 1, ds);
}

/* Masses on one another over a stop at zero, `gap` apart. */
static void masses(rest *r, int n, double mass, double gap) {
  nsds_law *law = nsds_newton_impact(r->m, r->e);
  r->bodies = n;
  r->load = 0.0;
  for (int k = 0; k < n; ++k) {
    double m = mass * (1 + k % 2), force = -m * r->a, q = gap * (k + 1);
    r->body[k] = nsds_lagrangian_linear(
        r->m, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &m, .fext = &force, .q0 = &q});
    nsds_interaction *contact = put_on(r, k, law);
    if (k == 0) r->lowest = contact;
    r->load += m * r->a;
  }
  r->fall = sqrt(2.0 * gap * n / r->a);
}

static void link_at_a_stop(rest *r, double moment, double inertia, double gap) {
  const double q[3] = {0.2, 0.0, 0.0}, mass = 1.0;
  nsds_ds *ds = nsds_rigid_body_2d(
      r->m, &(nsds_rigid_body_2d_def){.mass = mass, .inertia = inertia, .q0 = q});
  nsds_set_body_force(ds, NULL, &moment, NSDS_FRAME_WORLD);
  nsds_connect(r->m, nsds_joint(r->m, &(nsds_joint_def){.kind = NSDS_JOINT_HINGE, .ds = {ds}}),
               nsds_equality(r->m), 1, &ds);
  nsds_relation *stop = nsds_joint_coordinate(
      r->m, &(nsds_joint_coordinate_def){
                .kind = NSDS_COORDINATE_ANGLE, .ds = {ds}, .reversed = true, .offset = gap});
  r->lowest = nsds_connect(r->m, stop, nsds_newton_impact(r->m, r->e), 1, &ds);
  r->bodies = 1;
  r->body[0] = ds;
  r->at = 2;
  r->load = moment;
  r->a = moment / (inertia + mass * q[0] * q[0]);
  r->fall = sqrt(2.0 * gap / r->a);
}

static void ball_on_ground(rest *r, double mass, double gap) {
  const double radius = 0.1, J[9] = {[0] = 0.004 * mass, [4] = 0.004 * mass, [8] = 0.004 * mass};
  const double q[7] = {0.0, 0.0, radius + gap, 1.0};
  nsds_ds *ds = nsds_rigid_body(
      r->m, &(nsds_rigid_body_def){.mass = mass, .inertia = J, .q0 = q, .gravity = {0, 0, -r->a}});
  const nsds_material material = {.mu = 0.4, .e_n = r->e};
  const nsds_shape_def shape[] = {{.kind = NSDS_SPHERE, .ds = ds, .radius = radius},
                                  {.kind = NSDS_HALF_SPACE, .plane = {{0, 0, 1}, 0.0}}};
  r->set = nsds_shapes(
      r->m,
      &(nsds_shapes_def){
          .nmaterial = 1, .material = &material, .nshape = 2, .reach = 0.5 * gap, .shape = shape});
  r->bodies = 1;
  r->body[0] = ds;
  r->at = 2;
  r->load = mass * r->a;
  r->fall = sqrt(2.0 * gap / r->a);
}

/* ---- rest ------------------------------------------------------------------------------------ */

static double impulse_of(const rest *r) {
  nsds_contact_info c;
  if (r->lowest) return nsds_impulse(r->lowest)[0];
  if (nsds_contact_set_count(r->set) != 1 || nsds_contact_set_get(r->set, 0, &c)) return 0.0;
  return c.impulse[0];
}

/* Steps to the end. In the last whole steps the contact must bear its load, and nothing may move. */
static bool comes_to_rest(rest *r, const char *name) {
  enum { last = 20 };
  double speed = 0.0, off = 0.0, end = r->s ? nsds_simulation_end(r->s) : 0.0;
  nsds_status status = nsds_error(nsds_model_context(r->m));
  while (!status && !(status = nsds_step(r->s))) {
    double left = end - nsds_time(r->s); /* the last step is shorter */
    if (left > last * r->h || left < 0.5 * r->h) continue;
    for (int k = 0; k < r->bodies; ++k) speed = worse(speed, fabs(nsds_v(r->body[k])[r->at]));
    off = worse(off, fabs(impulse_of(r) / (r->load * nsds_simulation_info(r->s)->h) - 1.0));
  }
  bool rests = status == NSDS_END && speed <= 1e-6 * r->a * r->h && off <= 1e-6;
  if (!rests)
    printf("%s, e %g: status %d, speed %g of a h, impulse off by %g of the load: %s\n", name, r->e,
           status, speed / (r->a * r->h), off, nsds_error_message(nsds_model_context(r->m)));
  nsds_model_destroy(r->m);
  return rests;
}

/* ---- one of each ----------------------------------------------------------------------------- */

/* The velocity went from +0.077 to -0.023 rad/s and back for ever. */
static void a_joint_stop_with_restitution_rests(void **state) {
  (void)state;
  rest r = {.m = nsds_model_create(NULL), .h = 1e-3, .e = 0.3};
  link_at_a_stop(&r, 5.0, 0.01, 0.5);
  simulate(&r, &(nsds_time_stepping_def){
                   .projection = {.kind = NSDS_PROJECTION_DIRECT, .settles = true}});
  assert_true(comes_to_rest(&r, "joint stop"));
}

/* With e = 0.9 all flights took five steps, since the projection lifted the ball at each impact. */
static void flights_of_several_steps_end(void **state) {
  (void)state;
  rest r = {.m = nsds_model_create(NULL), .h = 1e-3, .e = 0.9, .a = 9.81};
  ball_on_ground(&r, 1.0, 0.05);
  simulate(&r, &(nsds_time_stepping_def){
                   .projection = {.kind = NSDS_PROJECTION_DIRECT, .settles = true}});
  assert_true(comes_to_rest(&r, "ball"));
}

static void only_direct_projections_settle(void **state) {
  (void)state;
  for (nsds_projection_kind kind = 0; kind <= NSDS_PROJECTION_COMBINED; ++kind) {
    rest r = {.m = nsds_model_create(NULL), .h = 1e-3, .e = 0.9, .a = 9.81};
    ball_on_ground(&r, 1.0, 0.05);
    simulate(&r, &(nsds_time_stepping_def){.projection = {.kind = kind, .settles = true}});
    assert_int_equal(r.s != NULL, kind == NSDS_PROJECTION_DIRECT);
    nsds_model_destroy(r.m);
  }
}

/* ---- drawn ----------------------------------------------------------------------------------- */

static bool draw_rest(uint64_t seed) {
  uint64_t x = seed * 0x9E3779B97F4A7C15u + 1u;
  rest r = {.m = nsds_model_create(NULL), .e = random_in(&x, 0.0, 0.95)};
  int scene = (int)random_in(&x, 0.0, 4.0);
  double size = pow(10.0, random_in(&x, -2.0, 1.0)), mass = pow(10.0, random_in(&x, -2.0, 2.0));
  r.a = pow(10.0, random_in(&x, -1.0, 2.0));
  if (scene == 0) masses(&r, 1, mass, size);
  if (scene == 1) link_at_a_stop(&r, mass, 0.01 * mass, random_in(&x, 0.1, 2.0));
  if (scene == 2) ball_on_ground(&r, mass, size);
  if (scene == 3) {
    r.e = fmin(r.e, 0.7);
    masses(&r, 2 + (int)random_in(&x, 0.0, 3.0), mass, size);
  }
  r.h = r.fall * pow(10.0, random_in(&x, -2.5, -0.7));
  nsds_time_stepping_def def = {.projection = {.kind = random_in(&x, 0.0, 4.0) < 3.0
                                                           ? NSDS_PROJECTION_DIRECT
                                                           : NSDS_PROJECTION_COMBINED}};
  def.projection.settles = def.projection.kind == NSDS_PROJECTION_DIRECT;
  if (random_in(&x, 0.0, 2.0) < 1.0) def.projection.activation = NSDS_CLOSED_AT_ZERO;
  double theta = random_in(&x, 0.0, 2.0) < 1.0 ? 0.5 : random_in(&x, 0.5, 1.0);
  def.second_order = nsds_moreau_jean(theta, 1.0);
  simulate(&r, &def);
  static const char *const names[] = {"slider", "joint stop", "ball", "stack"};
  char name[160];
  snprintf(name, sizeof name, "seed %llu: %s of %d, %s, theta %g, h %g of the fall",
           (unsigned long long)seed, names[scene], r.bodies,
           def.projection.kind == NSDS_PROJECTION_DIRECT ? "direct" : "combined", theta,
           r.h / r.fall);
  return comes_to_rest(&r, name);
}

static void drawn_models_come_to_rest(void **state) {
  (void)state;
  long wrong = 0;
  for (long k = 0; k < count; ++k) wrong += !draw_rest(first_seed + (uint64_t)k);
  printf("%ld drawn models, %ld without rest\n", count, wrong);
  assert_int_equal(wrong, 0);
}

int main(int argc, char **argv) {
  if (argc > 1) count = strtol(argv[1], NULL, 10);
  if (argc > 2) first_seed = strtoull(argv[2], NULL, 10);
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_joint_stop_with_restitution_rests),
                                     cmocka_unit_test(flights_of_several_steps_end),
                                     cmocka_unit_test(only_direct_projections_settle),
                                     cmocka_unit_test(drawn_models_come_to_rest)};
  return cmocka_run_group_tests_name("kernel.projected_rest", tests, NULL, NULL);
}
