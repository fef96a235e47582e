/*
 * Models that come to rest, or decay, and then stay so for ever: Newton's test must not ask for digits
 * that rounding does not leave.
 *
 *     origin   Bodies at q = 0 on damped springs with lever arms: the coordinates vanish, and only
 *              arms, points of the world and rest lengths are left in y, where they cancel.
 *     floor    Boxes and balls that dampers bring to rest on a floor: velocities are what weight and
 *              contact forces leave of each other.
 *     decay    Linear motors and springs whose states run through the subnormal numbers to zero.
 *
 *     kernel_rest_of_springs [COUNT [SEED]]   draws COUNT models of each (12), from SEED (1) on
 */
#include "support.h"

#include <nsds/mixed.h>
#include <nsds/rigid_body.h>
#include <nsds/shapes.h>
#include <nsds/spring.h>

#include <stdio.h>
#include <stdlib.h>

static long count = 12;
static uint64_t first_seed = 1;

/* ---- one of each ----------------------------------------------------------------------------- */

static void body_at_the_origin_on_springs(void **state) {
  (void)state;
  const double point[4][2] = {{0.7, 0.4}, {-0.6, 0.5}, {0.1, -0.8}, {-0.9, -0.3}};
  const double other[4][2] = {{1.1, 1.3}, {-1.4, 0.9}, {0.3, -1.7}, {-1.2, -0.9}};
  for (int k0 = 0; k0 < 8; ++k0) {
    double stiffness = 2000.0 * (1 + k0 / 2);
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = nsds_rigid_body_2d(
        m,
        &(nsds_rigid_body_2d_def){.mass = 2.0, .inertia = 0.4, .v0 = (double[]){0.3, -0.1, 0.2}});
    for (int k = 0; k < 4; ++k)
      nsds_connect(m,
                   nsds_spring(m, &(nsds_spring_def){.ds = {ds},
                                                     .point = {point[k][0], point[k][1]},
                                                     .other = {other[k][0], other[k][1]},
                                                     .stiffness = stiffness,
                                                     .damping = 30.0}),
                   nsds_equality(m), 1, &ds);
    nsds_time_stepping_def def = {.t1 = 60.0, .h = 0.02};
    def.second_order = nsds_moreau_jean(k0 % 2 ? 0.5 : 1.0, 1.0);
    nsds_simulation *s = nsds_time_stepping(m, &def);
    assert_sound(m);
    assert_status(m, nsds_run(s), NSDS_END);
    assert_near(nsds_v(ds)[0], 0.0, 1e-15);
    nsds_model_destroy(m);
  }
}

/* A spring of the program's own that says how large its arms are. */
static const double k_own = 4000.0, d_own = 50.0;

/* A spring from (x, y) = Q + r to the origin, at rest where Q = 0. */
static double own_length(const double *r, const double *q) {
  return hypot(r[0] + q[0], r[1] + q[1]);
}

static int own_output(const nsds_arguments *in, double *y, void *user) {
  const double *r = user, none[2] = {0.0, 0.0}, length = own_length(r, in->q);
  y[0] = in->lambda[0] + k_own * (length - own_length(r, none));
  for (int k = 0; k < 2; ++k) y[0] += d_own * (r[k] + in->q[k]) / length * in->v[k];
  return 0;
}

static int own_q(const nsds_arguments *in, double *J, void *user) {
  const double *r = user;
  for (int k = 0; k < 2; ++k) J[k] = k_own * (r[k] + in->q[k]) / own_length(r, in->q);
  return 0;
}

static int own_v(const nsds_arguments *in, double *J, void *user) {
  const double *r = user;
  for (int k = 0; k < 2; ++k) J[k] = d_own * (r[k] + in->q[k]) / own_length(r, in->q);
  return 0;
}

static int own_force(const nsds_arguments *in, double *F, void *user) {
  const double *r = user;
  for (int k = 0; k < 2; ++k) F[k] = in->lambda[0] * (r[k] + in->q[k]) / own_length(r, in->q);
  return 0;
}

static int own_direction(const nsds_arguments *in, double *F, void *user) {
  const double *r = user;
  for (int k = 0; k < 2; ++k) F[k] = (r[k] + in->q[k]) / own_length(r, in->q);
  return 0;
}

static int own_one(const nsds_arguments *in, double *J, void *user) {
  (void)in, (void)user;
  J[0] = 1.0;
  return 0;
}

static nsds_relation *own_spring(nsds_model *m, double *reach, const double *terms) {
  return nsds_mixed_relation(m, &(nsds_mixed_relation_def){.ny = 1,
                                                           .nq = 2,
                                                           .output_fn = own_output,
                                                           .jac_output_q_fn = own_q,
                                                           .jac_output_v_fn = own_v,
                                                           .jac_output_lambda_fn = own_one,
                                                           .input_fn = own_force,
                                                           .jac_input_lambda_fn = own_direction,
                                                           .user = reach,
                                                           .terms = terms});
}

static void own_relation_with_terms(void **state) {
  (void)state;
  double reach[4][2] = {{3.0, 0.4}, {-1.7, 0.8}, {0.9, -2.0}, {-0.3, -1.1}};
  const double M[4] = {1.0, 0.0, 0.0, 1.0}, none = NAN;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      m, &(nsds_lagrangian_linear_def){.ndof = 2, .mass = M, .v0 = (double[]){0.7, -0.2}});
  for (int k = 0; k < 4; ++k) {
    double terms = 2.0 * k_own * hypot(reach[k][0], reach[k][1]);
    nsds_connect(m, own_spring(m, reach[k], &terms), nsds_equality(m), 1, &ds);
  }
  nsds_time_stepping_def def = {.t1 = 200.0, .h = 0.02};
  def.second_order = nsds_moreau_jean(1.0, 1.0);
  nsds_simulation *s = nsds_time_stepping(m, &def);
  assert_sound(m);
  assert_status(m, nsds_run(s), NSDS_END);
  assert_near(nsds_v(ds)[0], 0.0, 1e-13);
  assert_null(own_spring(m, reach[0], &none));
  assert_int_equal(nsds_error(nsds_model_context(m)), NSDS_ERROR_VALUE);
  nsds_model_destroy(m);
}

/* A coil on a rotor, R = 20, L = 1, J = 0.2, K = 3, with a damper. */
static nsds_ds *motor(nsds_model *m, double L, double R, double J, double K, double damping) {
  nsds_ds *ds[2] = {
      nsds_first_order_linear(m,
                              &(nsds_first_order_linear_def){
                                  .n = 1, .mass = &L, .A = (double[]){-R}, .x0 = (double[]){1.0}}),
      nsds_lagrangian_linear(
          m, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &J, .v0 = (double[]){1.0}})};
  nsds_connect(
      m,
      nsds_mixed_linear_relation(m, &(nsds_mixed_linear_relation_def){.ny = 2,
                                                                      .nx = 1,
                                                                      .nq = 1,
                                                                      .C = (double[]){1, 0},
                                                                      .E = (double[]){0, 1},
                                                                      .D = (double[]){-1, 0, 0, -1},
                                                                      .B = (double[]){0, -K},
                                                                      .L = (double[]){K, 0}}),
      nsds_equality(m), 2, ds);
  if (damping > 0.0)
    nsds_connect(
        m,
        nsds_spring(m, &(nsds_spring_def){.ds = {ds[1]}, .coordinates = true, .damping = damping}),
        nsds_equality(m), 1, &ds[1]);
  return ds[1];
}

static void motor_decays_to_zero(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *rotor = motor(m, 1.1, 18.0, 0.2, 2.7, 9.0);
  nsds_time_stepping_def def = {.t1 = 300.0, .h = 0.02};
  def.first_order = nsds_euler_moreau(1.0);
  def.second_order = nsds_moreau_jean(1.0, 1.0);
  nsds_simulation *s = nsds_time_stepping(m, &def);
  assert_sound(m);
  assert_status(m, nsds_run(s), NSDS_END);
  assert_near(nsds_v(rotor)[0], 0.0, 1e-300);
  nsds_model_destroy(m);
}

/* ---- drawn ----------------------------------------------------------------------------------- */

static double power(uint64_t *random, double low, double high) {
  return pow(10.0, random_in(random, low, high));
}

/* One or two bodies on springs, in units of length, mass and time. */
static nsds_simulation *draw_body(nsds_model *m, uint64_t *random, char *what, size_t size) {
  bool plane = random_in(random, 0, 1) < 0.5;
  double L = power(random, -3, 3), M = power(random, -3, 3), T = power(random, -2, 2);
  double off = random_in(random, 0, 1) < 0.7 ? 0.0 : L * power(random, 0, 3);
  double shortness = power(random, -3, 0.3), k = M / (T * T) * power(random, 1, 4);
  double zeta = random_in(random, 0.05, 0.5), d = 2.0 * zeta * sqrt(k * M);
  double J = M * L * L * random_in(random, 0.2, 0.5),
         theta = random_in(random, 0, 1) < 0.5 ? 1 : 0.5;
  double h = random_in(random, 0.05, 0.3) / sqrt(k / M), w = 0.1 * sqrt(k / M);
  double fall = random_in(random, 0, 1) < 0.3 ? 0.1 * k * L / M : 0.0;
  int springs = 3 + (int)random_in(random, 0, 2.999) + (plane ? 0 : 3);
  snprintf(what, size, "%s, L %g, M %g, T %g, off %g, short %g, k %g, theta %g, fall %g",
           plane ? "plane" : "space", L, M, T, off, shortness, k, theta, fall);
  nsds_ds *ds;
  if (plane)
    ds = nsds_rigid_body_2d(m, &(nsds_rigid_body_2d_def){.mass = M,
                                                         .inertia = J,
                                                         .q0 = (double[]){off, 0, 0},
                                                         .v0 = (double[]){w * L * shortness, 0, w},
                                                         .gravity = {0, -fall}});
  else
    ds = nsds_rigid_body(
        m, &(nsds_rigid_body_def){.mass = M,
                                  .inertia = (double[]){J, 0, 0, 0, 1.2 * J, 0, 0, 0, 1.4 * J},
                                  .q0 = (double[]){off, 0, 0, 1, 0, 0, 0},
                                  .v0 = (double[]){0, w * L * shortness, 0, 0, w * shortness, 0},
                                  .gravity = {0, 0, -fall}});
  for (int i = 0; i < springs; ++i) {
    nsds_spring_def def = {.ds = {ds}, .stiffness = k, .damping = d};
    for (int j = 0; j < (plane ? 2 : 3); ++j) {
      def.point[j] = L * random_in(random, -1, 1) + (j == 0 ? off : 0.0);
      def.other[j] = def.point[j] + L * shortness * random_in(random, -1, 1);
    }
    nsds_connect(m, nsds_spring(m, &def), nsds_equality(m), 1, &ds);
  }
  nsds_time_stepping_def def = {.t1 = 2000.0 * h, .h = h};
  def.second_order = nsds_moreau_jean(theta, 1.0);
  return nsds_time_stepping(m, &def);
}

/* A box or ball that comes to rest on a floor, on dampers alone or with springs too: the velocity is what
 * weight and contact forces leave of each other. */
static nsds_simulation *draw_floor(nsds_model *m, uint64_t *random, char *what, size_t size) {
  bool plane = random_in(random, 0, 1) < 0.5, ball = random_in(random, 0, 1) < 0.3;
  double off = random_in(random, 0, 1) < 0.5 ? 0.0 : 2.0, half = 0.3;
  double k = random_in(random, 0, 1) < 0.6 ? 0.0 : 300.0, d = random_in(random, 2.0, 25.0);
  double theta = random_in(random, 0, 1) < 0.5 ? 1.0 : 0.5, h = random_in(random, 0.004, 0.02);
  int springs = 1 + (int)random_in(random, 0, 4.999), up = plane ? 1 : 2;
  snprintf(what, size, "%s on a floor, %s, off %g, k %g, d %g, theta %g, h %g, %d springs",
           ball ? "ball" : "box", plane ? "plane" : "space", off, k, d, theta, h, springs);
  nsds_ds *ds;
  if (plane)
    ds = nsds_rigid_body_2d(m, &(nsds_rigid_body_2d_def){.mass = 1.0,
                                                         .inertia = 0.1,
                                                         .q0 = (double[]){off, half, 0},
                                                         .v0 = (double[]){0.1, 0, 0},
                                                         .gravity = {0, -9.81}});
  else
    ds = nsds_rigid_body(
        m, &(nsds_rigid_body_def){.mass = 1.0,
                                  .inertia = (double[]){0.1, 0, 0, 0, 0.12, 0, 0, 0, 0.15},
                                  .q0 = (double[]){off, 0, half, 1, 0, 0, 0},
                                  .v0 = (double[]){0.1, 0.2, 0, 0, 0, 0.3},
                                  .gravity = {0, 0, -9.81}});
  for (int i = 0; i < springs; ++i) {
    nsds_spring_def def = {.ds = {ds}, .stiffness = k, .damping = d};
    for (int j = 0; j <= up; ++j) {
      def.point[j] = random_in(random, -half, half) + (j == 0 ? off : j == up ? half : 0.0);
      def.other[j] = random_in(random, -1, 1) + (j == 0 ? off : 0.0);
    }
    nsds_connect(m, nsds_spring(m, &def), nsds_equality(m), 1, &ds);
  }
  nsds_shape_def shape[2] = {
      {.kind = ball ? NSDS_SPHERE : NSDS_BOX, .ds = ds, .half = {half, half, half}},
      {.kind = NSDS_HALF_SPACE}};
  if (ball) shape[0].half[0] = shape[0].half[1] = shape[0].half[2] = 0.0, shape[0].radius = half;
  shape[1].plane.normal[up] = 1.0;
  int dimension = plane ? 2 : 3;
  nsds_shapes(m, &(nsds_shapes_def){
                     .dimension = dimension,
                     .law = nsds_newton_impact_friction(
                         m, &(nsds_newton_impact_friction_def){.dimension = dimension, .mu = 0.5}),
                     .nshape = 2,
                     .shape = shape});
  nsds_time_stepping_def def = {.t1 = 2000.0 * h, .h = h};
  def.second_order = nsds_moreau_jean(theta, 1.0);
  return nsds_time_stepping(m, &def);
}

/* A motor that decays fast, in units of its own. */
static nsds_simulation *draw_motor(nsds_model *m, uint64_t *random, char *what, size_t size) {
  double L = power(random, -2, 2), R = L * random_in(random, 5, 30), J = power(random, -2, 2);
  double K = sqrt(L * J) * random_in(random, 0.5, 10.0), d = J * random_in(random, 2, 60);
  bool damped = random_in(random, 0, 1) < 0.8, half = random_in(random, 0, 1) < 0.3;
  motor(m, L, R, J, K, damped ? d : 0.0);
  snprintf(what, size, "L %g, R %g, J %g, K %g, d %g, %s", L, R, J, K, damped ? d : 0.0,
           half ? "half" : "whole");
  nsds_time_stepping_def def = {.t1 = 200.0, .h = 0.02};
  def.first_order = nsds_euler_moreau(half ? 0.6 : 1.0);
  def.second_order = nsds_moreau_jean(half ? 0.6 : 1.0, 1.0);
  return nsds_time_stepping(m, &def);
}

typedef nsds_simulation *(*drawing)(nsds_model *m, uint64_t *random, char *what, size_t size);

/* Iterations at rest. Rounding decides how many there are; a test that asks for lost digits takes all 50. */
enum { many = 20 };

/* Runs to the end. Once at rest, a step is never halved. */
static bool rests(drawing draw, uint64_t seed) {
  char what[200];
  uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15);
  nsds_model *m = nsds_model_create(NULL);
  nsds_simulation *s = draw(m, &random, what, sizeof what);
  nsds_status status = s ? NSDS_OK : nsds_error(nsds_model_context(m));
  int most = 0, halved = 0;
  for (long k = 0; status == NSDS_OK; ++k) {
    status = nsds_step(s);
    const nsds_step_info *info = nsds_simulation_info(s);
    if (k < 1500 || status < 0) continue;
    if (info->newton_iterations > most) most = info->newton_iterations;
    halved += info->substeps > 1;
  }
  bool fine = status == NSDS_END && most <= many && halved == 0;
  if (!fine)
    printf("seed %llu, %s: status %d, at rest %d iterations, %d steps in pieces, %s\n",
           (unsigned long long)seed, what, status, most, halved,
           status < 0 ? nsds_last_message(nsds_model_context(m)) : "");
  nsds_model_destroy(m);
  return fine;
}

static void drawn(drawing draw, const char *name) {
  long wrong = 0;
  for (long k = 0; k < count; ++k) wrong += !rests(draw, first_seed + (uint64_t)k);
  printf("%ld drawn %s, %ld wrong\n", count, name, wrong);
  assert_int_equal(wrong, 0);
}

static void drawn_bodies_on_springs(void **state) {
  (void)state;
  drawn(draw_body, "bodies on springs");
}

static void drawn_boxes_on_a_floor(void **state) {
  (void)state;
  drawn(draw_floor, "boxes and balls on a floor");
}

static void drawn_motors(void **state) {
  (void)state;
  drawn(draw_motor, "motors");
}

int main(int argc, char **argv) {
  if (argc > 1) count = strtol(argv[1], NULL, 10);
  if (argc > 2) first_seed = strtoull(argv[2], NULL, 10);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(body_at_the_origin_on_springs), cmocka_unit_test(own_relation_with_terms),
      cmocka_unit_test(motor_decays_to_zero),          cmocka_unit_test(drawn_bodies_on_springs),
      cmocka_unit_test(drawn_boxes_on_a_floor),        cmocka_unit_test(drawn_motors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
