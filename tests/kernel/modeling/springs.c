/*
 * Springs and dampers: the oscillator of two bodies, order and energy, a damper alone, coordinates against a
 * system with the same matrices, points off the centres, what is read, and what is refused.
 */
#include "support.h"

static const double pi = 3.14159265358979323846;
static const double ball[9] = {0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1};
static const double brick[9] = {0.2, 0, 0, 0, 0.3, 0, 0, 0, 0.4};

static nsds_ds *mass_at(nsds_model *m, double mass, double x, double v) {
  return nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = mass,
                                                   .inertia = ball,
                                                   .q0 = (double[]){x, 0, 0, 1, 0, 0, 0},
                                                   .v0 = (double[]){v, 0, 0, 0, 0, 0}});
}

static nsds_interaction *tie(nsds_model *m, const nsds_spring_def *def) {
  nsds_relation *spring = nsds_spring(m, def);
  assert_sound(m);
  nsds_interaction *ia =
      nsds_connect(m, spring, nsds_equality(m), def->ds[1] ? 2 : 1, (nsds_ds *const *)def->ds);
  assert_non_null(ia);
  return ia;
}

static nsds_simulation *start(nsds_model *m, double h) {
  nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 100.0, .h = h});
  assert_sound(m);
  return s;
}

/* e = e0 cos(w t), w^2 = k (1/m1 + 1/m2). */
static double oscillator_error(double h, double *drift) {
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[2] = {mass_at(m, 2.0, 0.0, 0.0), mass_at(m, 3.0, 1.5, 0.0)};
  const double k = 30.0;
  nsds_interaction *ia = tie(m, &(nsds_spring_def){.ds = {ds[0], ds[1]},
                                                   .other = {1.5, 0.0, 0.0},
                                                   .stiffness = k,
                                                   .rest = NSDS_REST_LENGTH,
                                                   .length = 1.0});
  nsds_simulation *s = start(m, h);
  double w = sqrt(k * (1.0 / 2.0 + 1.0 / 3.0)), energy = 0.5 * k * 0.25, worst = 0.0;
  nsds_spring_motion now;
  *drift = 0.0;
  while (nsds_time(s) < 4.0 - 0.5 * h) {
    assert_ok(m, nsds_step(s));
    assert_ok(m, nsds_spring_read(ia, &now));
    double e = 0.5 * cos(w * nsds_time(s));
    worst = fmax(worst, fabs(now.length - 1.0 - e));
    double all = now.energy + nsds_kinetic_energy(ds[0]) + nsds_kinetic_energy(ds[1]);
    *drift = fmax(*drift, fabs(all - energy));
    assert_near(2.0 * nsds_v(ds[0])[0] + 3.0 * nsds_v(ds[1])[0], 0.0, 1e-12);
  }
  nsds_model_destroy(m);
  return worst;
}

static void two_bodies_swing(void **state) {
  (void)state;
  double drift[2], coarse = oscillator_error(0.02, &drift[0]),
                   fine = oscillator_error(0.01, &drift[1]);
  print_message("             order %.2f, %.1e m, energy within %.1e J\n", order_of(coarse, fine),
                fine, drift[1]);
  assert_between(order_of(coarse, fine), 1.9, 2.1);
  assert_near(drift[0], 0.0, 1e-9);
  assert_near(drift[1], 0.0, 1e-9);
}

/* dl/dt = exp(-d t / m) of the reduced mass. */
static void a_damper_alone(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[2] = {mass_at(m, 2.0, 0.0, 0.0), mass_at(m, 2.0, 1.0, 1.0)};
  nsds_interaction *ia =
      tie(m, &(nsds_spring_def){.ds = {ds[0], ds[1]}, .other = {1.0, 0.0, 0.0}, .damping = 3.0});
  nsds_simulation *s = start(m, 1e-3);
  nsds_spring_motion now;
  for (int k = 0; k < 500; ++k) assert_ok(m, nsds_step(s));
  assert_ok(m, nsds_spring_read(ia, &now));
  assert_near(now.rate, exp(-3.0 * 0.5), 1e-6);
  assert_near(now.pull, 3.0 * now.rate, 1e-12);
  assert_near(now.energy, 0.0, 0.0);
  assert_near(nsds_v(ds[0])[0] + nsds_v(ds[1])[0], 1.0, 1e-12);
  nsds_model_destroy(m);
}

/* Two masses and a wall, in one system with K and C, and in two with springs. */
static void coordinates_as_matrices(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  const double k1 = 20.0, k2 = 35.0, d1 = 0.3, d2 = 0.5;
  const double K[] = {k1 + k2, -k2, -k2, k2}, C[] = {d1 + d2, -d2, -d2, d2};
  const double M[] = {1.0, 0.0, 0.0, 2.0}, q[] = {0.2, -0.1}, f[] = {0.0, -9.81 * 2.0};
  nsds_ds *one = nsds_lagrangian_linear(
      m, &(nsds_lagrangian_linear_def){
             .ndof = 2, .mass = M, .stiffness = K, .damping = C, .q0 = q, .fext = f});
  nsds_ds *a =
      nsds_lagrangian_linear(m, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = M, .q0 = q});
  nsds_ds *b = nsds_lagrangian_linear(
      m, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = M + 3, .q0 = q + 1, .fext = f + 1});
  tie(m, &(nsds_spring_def){.ds = {a},
                            .coordinates = true,
                            .stiffness = k1,
                            .damping = d1,
                            .rest = NSDS_REST_LENGTH});
  tie(m, &(nsds_spring_def){.ds = {a, b},
                            .coordinates = true,
                            .stiffness = k2,
                            .damping = d2,
                            .rest = NSDS_REST_LENGTH});
  nsds_simulation *s = start(m, 0.01);
  for (int k = 0; k < 300; ++k) {
    assert_ok(m, nsds_step(s));
    assert_near(nsds_q(a)[0], nsds_q(one)[0], 1e-10);
    assert_near(nsds_q(b)[0], nsds_q(one)[1], 1e-10);
  }
  nsds_model_destroy(m);
}

/* Two bricks with springs between corners, spinning: the end, energy and momentum. */
static void spinning(double h, double *end, double *energy) {
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k)
    ds[k] = nsds_rigid_body(
        m, &(nsds_rigid_body_def){.mass = 1.0 + k,
                                  .inertia = brick,
                                  .q0 = (double[]){k, 0, 0, 1, 0, 0, 0},
                                  .v0 = (double[]){0, 0.3 - 0.4 * k, 0.1, 0.5, -0.4, 1.0 + k}});
  nsds_interaction *ia = tie(m, &(nsds_spring_def){.ds = {ds[0], ds[1]},
                                                   .point = {0.2, 0.1, -0.3},
                                                   .other = {0.7, -0.2, 0.1},
                                                   .stiffness = 8.0,
                                                   .rest = NSDS_REST_LENGTH,
                                                   .length = 0.4});
  nsds_simulation *s = start(m, h);
  nsds_spring_motion now;
  assert_ok(m, nsds_spring_read(ia, &now));
  double first = now.energy + nsds_kinetic_energy(ds[0]) + nsds_kinetic_energy(ds[1]);
  while (nsds_time(s) < 1.0 - 0.5 * h) assert_ok(m, nsds_step(s));
  assert_ok(m, nsds_spring_read(ia, &now));
  *energy = now.energy + nsds_kinetic_energy(ds[0]) + nsds_kinetic_energy(ds[1]) - first;
  for (int k = 0; k < 14; ++k) end[k] = nsds_q(ds[k / 7])[k % 7];
  for (int k = 0; k < 3; ++k)
    assert_near(nsds_v(ds[0])[k] + 2.0 * nsds_v(ds[1])[k],
                k == 1   ? 0.3 - 0.2
                : k == 2 ? 0.3
                         : 0.0,
                1e-11);
  nsds_model_destroy(m);
}

static double off(const double *a, const double *b) {
  double most = 0.0;
  for (int k = 0; k < 14; ++k) most = worse(most, fabs(a[k] - b[k]));
  return most;
}

static void points_off_the_centres(void **state) {
  (void)state;
  double q[4][14], energy[4];
  for (int k = 0; k < 4; ++k) spinning(0.04 / (1 << k), q[k], &energy[k]);
  double order = order_of(off(q[1], q[2]), off(q[2], q[3]));
  print_message("             order %.2f, energy off by %.1e J\n", order, energy[3]);
  assert_between(order, 1.85, 2.15);
  assert_near(energy[3], 0.0, 1e-4);
  assert_true(fabs(energy[3]) < 0.5 * fabs(energy[1]));
}

/* A pendulum on a spring in the plane keeps swinging; one between points that meet rests. */
static void in_the_plane(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *bob = nsds_rigid_body_2d(m, &(nsds_rigid_body_2d_def){.mass = 1.0,
                                                                 .inertia = 0.1,
                                                                 .q0 = (double[]){0.0, -1.0, 0.0},
                                                                 .gravity = {0.0, -10.0}});
  nsds_interaction *ia =
      tie(m, &(nsds_spring_def){.ds = {bob}, .point = {0.0, -1.0}, .stiffness = 100.0});
  nsds_simulation *s = start(m, 0.002);
  nsds_spring_motion now;
  double lowest = 0.0;
  while (nsds_time(s) < 2.0 * pi / 10.0) { /* one period: between 0 and 2 m g / k */
    assert_ok(m, nsds_step(s));
    lowest = fmin(lowest, nsds_q(bob)[1]);
  }
  assert_near(lowest, -1.2, 1e-4);
  assert_near(nsds_q(bob)[1], -1.0, 1e-3);
  assert_ok(m, nsds_spring_read(ia, &now));
  assert_near(now.length, -nsds_q(bob)[1], 1e-12);
  nsds_model_destroy(m);
}

static void refused(nsds_model *m, const nsds_spring_def *def, const char *word) {
  const char *const words[] = {"nsds_spring", word};
  assert_null(nsds_spring(m, def));
  assert_words(nsds_last_message(nsds_model_context(m)), words, 2);
  nsds_error_clear(nsds_model_context(m));
}

static void what_is_refused(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL), *other = nsds_model_create(NULL);
  nsds_ds *body = mass_at(m, 1.0, 0.0, 0.0), *far = mass_at(other, 1.0, 0.0, 0.0);
  nsds_ds *point =
      nsds_lagrangian_linear(m, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){1.0}});
  nsds_ds *tank = nsds_first_order_linear(m, &(nsds_first_order_linear_def){.n = 1});
  nsds_ds *flat = nsds_rigid_body_2d(m, &(nsds_rigid_body_2d_def){.mass = 1.0, .inertia = 1.0});
  assert_sound(m);
  refused(m, &(nsds_spring_def){.stiffness = 1.0}, "ds[0] is NULL");
  refused(m, &(nsds_spring_def){.ds = {body}}, "both 0");
  refused(m, &(nsds_spring_def){.ds = {body}, .stiffness = -1.0}, "stiffness");
  refused(m, &(nsds_spring_def){.ds = {body}, .damping = NAN}, "damping");
  refused(m, &(nsds_spring_def){.ds = {body, body}, .stiffness = 1.0}, "ds[0] too");
  refused(m, &(nsds_spring_def){.ds = {body, far}, .stiffness = 1.0}, "another model");
  refused(m, &(nsds_spring_def){.ds = {body, flat}, .stiffness = 1.0}, "both in space, or");
  refused(m, &(nsds_spring_def){.ds = {point}, .stiffness = 1.0}, "not a rigid body");
  refused(m, &(nsds_spring_def){.ds = {tank}, .stiffness = 1.0}, "first order");
  refused(m, &(nsds_spring_def){.ds = {body}, .coordinates = true, .stiffness = 1.0}, "rates");
  refused(
      m,
      &(nsds_spring_def){.ds = {point}, .coordinates = true, .coordinate = {1}, .stiffness = 1.0},
      "coordinate");
  refused(m, &(nsds_spring_def){.ds = {body}, .stiffness = 1.0, .length = 1.0}, "length");
  refused(m, &(nsds_spring_def){.ds = {body}, .stiffness = 1.0, .rest = (nsds_rest)2}, "rest");
  assert_null(nsds_spring(m, NULL));
  nsds_error_clear(nsds_model_context(m));
  nsds_spring_motion now;
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      m, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_interaction *ia = nsds_connect(m, gap, nsds_equality(m), 1, &point);
  assert_int_equal(nsds_spring_read(ia, &now), NSDS_ERROR_ARGUMENT);
  nsds_error_clear(nsds_model_context(m));
  assert_int_equal(nsds_spring_read(NULL, &now), NSDS_ERROR_ARGUMENT);
  nsds_model_destroy(m);
  nsds_model_destroy(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_bodies_swing),
      cmocka_unit_test(a_damper_alone),
      cmocka_unit_test(coordinates_as_matrices),
      cmocka_unit_test(points_off_the_centres),
      cmocka_unit_test(in_the_plane),
      cmocka_unit_test(what_is_refused),
  };
  return cmocka_run_group_tests_name("kernel.springs", tests, NULL, NULL);
}
