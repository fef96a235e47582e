/*
 * Motions of rigid bodies that are known in closed form: a ball slides, then rolls with 5/7 of its
 * speed; Euler's top in elliptic functions, with the flip about its middle axis; steady precession
 * of a heavy top; a hanging chain; a table on four legs on an incline.
 */
#include "support.h"

static const double g = 9.81;

static double length(const double *a) { return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

/* ---- a ball slides, then rolls ---- */

/* v = v0 - mu g t until 2 v0 / 7 mu g, then 5/7 v0: the moment of momentum about the ground stays.
 */
static void sliding_then_rolling(void **state) {
  (void)state;
  const double r = 0.3, kg = 1.5, mu = 0.2, v0 = 2.0, h = 1e-3, along[3] = {0.6, -0.8, 0.0};
  double J[9] = {0.0}, rolls = 2.0 * v0 / (7.0 * mu * g);
  for (int k = 0; k < 9; k += 4) J[k] = 0.4 * kg * r * r;
  const double q[7] = {0, 0, r, 0.5, -0.5, 0.5, 0.5}, v[6] = {v0 * along[0], v0 * along[1]};
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = nsds_rigid_body(
      m, &(nsds_rigid_body_def){.mass = kg, .inertia = J, .q0 = q, .v0 = v, .gravity = {0, 0, -g}});
  nsds_relation *floor = nsds_sphere_plane_relation(
      m, &(nsds_sphere_plane_relation_def){.radius = r, .normal = {0, 0, 1}});
  nsds_law *law = nsds_newton_impact_friction(m, &(nsds_newton_impact_friction_def){.mu = mu});
  nsds_interaction *contact = nsds_connect(m, floor, law, 1, &ds);
  nsds_simulation *s =
      nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = h, .tolerance = 1e-13});
  assert_sound(m);
  assert_true(rolls < 0.5);
  while (nsds_step(s) == NSDS_OK) {
    double t = nsds_time(s), W[3], speed = t < rolls ? v0 - mu * g * t : 5.0 / 7.0 * v0;
    bool between = fabs(t - rolls) < h;
    nsds_to_world(nsds_q(ds), nsds_v(ds) + 3, W);
    for (int k = 0; k < 2; ++k)
      assert_near(nsds_v(ds)[k], speed * along[k], between ? mu * g * h : 1e-9);
    if (t > rolls + h) {
      assert_near(W[0], -along[1] * speed / r, 1e-8); /* no slip: v = W x r n */
      assert_near(W[1], along[0] * speed / r, 1e-8);
      assert_near(nsds_lambda(contact)[1], 0.0, 1e-7);
    }
    assert_near(W[2], 0.0, 1e-9);
    assert_near(nsds_lambda(contact)[0], kg * g, 1e-7);
  }
  assert_sound(m);
  nsds_model_destroy(m);
}

/* ---- Euler's top ---- */

/* The amplitude of Jacobi's elliptic functions by arithmetic-geometric means, and K(k). Source:
 * Abramowitz, Stegun, 16.4, 17.6. */
static double amplitude(double u, double k, double *quarter) {
  enum { most = 12 };
  double a[most], c[most];
  int n = 0;
  a[0] = 1.0;
  c[0] = k;
  for (double b = sqrt(1.0 - k * k); n < most - 1 && c[n] > 1e-16; ++n) {
    a[n + 1] = 0.5 * (a[n] + b);
    c[n + 1] = 0.5 * (a[n] - b);
    b = sqrt(a[n] * b);
  }
  *quarter = 0.5 * 3.14159265358979323846 / a[n];
  double phi = ldexp(a[n] * u, n);
  for (; n > 0; --n) phi = 0.5 * (phi + asin(c[n] / a[n] * sin(phi)));
  return phi;
}

/* J_1 < J_2 < J_3 and L^2 > 2 E J_2, W_2(0) = 0. Source: Landau, Lifshitz, Mechanics, 37. */
typedef struct top {
  double J[3], W[3];
} top;

static double exact(const top *e, double t, double *W, double *quarter) {
  const double *J = e->J, *w = e->W;
  double twice_e = J[0] * w[0] * w[0] + J[2] * w[2] * w[2];
  double square = J[0] * J[0] * w[0] * w[0] + J[2] * J[2] * w[2] * w[2];
  double rate = sqrt((J[2] - J[1]) * (square - twice_e * J[0]) / (J[0] * J[1] * J[2]));
  double k =
      sqrt((J[1] - J[0]) * (twice_e * J[2] - square) / ((J[2] - J[1]) * (square - twice_e * J[0])));
  double phi = amplitude(rate * t, k, quarter);
  *quarter /= rate;
  W[0] = w[0] * cos(phi);
  W[1] = sqrt((twice_e * J[2] - square) / (J[1] * (J[2] - J[1]))) * sin(phi);
  W[2] = w[2] * sqrt(1.0 - k * k * sin(phi) * sin(phi));
  return k;
}

/* Errors of W and of energy and the attitude's angular momentum against those of the start. */
typedef struct errors {
  double W, energy, momentum;
  int flips;
} errors;

static errors spin(const top *e, double t1, double h, double theta) {
  double J[9] = {0.0}, W[3], quarter, L0[3], L[3], JW[3], upright = 1.0;
  const double v[6] = {0, 0, 0, e->W[0], e->W[1], e->W[2]};
  for (int k = 0; k < 3; ++k) J[4 * k] = e->J[k];
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = J, .v0 = v});
  double energy = nsds_kinetic_energy(ds);
  for (int k = 0; k < 3; ++k) JW[k] = e->J[k] * e->W[k];
  nsds_to_world(nsds_q(ds), JW, L0);
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){.t1 = t1, .h = h, .second_order = nsds_moreau_jean(theta, 1.0)});
  assert_sound(m);
  errors worst = {0};
  while (nsds_step(s) == NSDS_OK) {
    double axis[3];
    exact(e, nsds_time(s), W, &quarter);
    for (int k = 0; k < 3; ++k) worst.W = worse(worst.W, fabs(nsds_v(ds)[3 + k] - W[k]));
    for (int k = 0; k < 3; ++k) JW[k] = e->J[k] * nsds_v(ds)[3 + k];
    nsds_to_world(nsds_q(ds), JW, L);
    for (int k = 0; k < 3; ++k) worst.momentum = worse(worst.momentum, fabs(L[k] - L0[k]));
    worst.energy = worse(worst.energy, fabs(nsds_kinetic_energy(ds) - energy));
    /* the middle axis, against the angular momentum */
    nsds_to_world(nsds_q(ds), (const double[]){0.0, 1.0, 0.0}, axis);
    double along = (axis[0] * L0[0] + axis[1] * L0[1] + axis[2] * L0[2]) / length(L0);
    if (along * upright < -0.9) {
      ++worst.flips;
      upright = -upright;
    }
  }
  assert_sound(m);
  nsds_model_destroy(m);
  return worst;
}

static void an_asymmetric_top(void **state) {
  (void)state;
  const top e = {.J = {1.0, 2.0, 3.0}, .W = {1.5, 0.0, 1.0}};
  double order[2] = {2.0, 1.0};
  for (int i = 0; i < 2; ++i) {
    double theta = i ? 1.0 : 0.5;
    errors coarse = spin(&e, 5.0, 2e-3, theta), fine = spin(&e, 5.0, 1e-3, theta);
    print_message("             theta %g: W %.1e (order %.2f), energy %.1e (%.2f), momentum %.1e "
                  "(%.2f)\n",
                  theta, fine.W, order_of(coarse.W, fine.W), fine.energy,
                  order_of(coarse.energy, fine.energy), fine.momentum,
                  order_of(coarse.momentum, fine.momentum));
    assert_near(order_of(coarse.W, fine.W), order[i], 0.1);
    assert_near(order_of(coarse.energy, fine.energy), order[i], 0.1);
    assert_near(order_of(coarse.momentum, fine.momentum), order[i], 0.1);
  }
}

/* The same by event-driven simulation, to its tolerance. The quaternion is integrated like any
 * state and may be off length 1 by as much, which no rotation sees. */
static void an_asymmetric_top_integrated(void **state) {
  (void)state;
  const top e = {.J = {1.0, 2.0, 3.0}, .W = {1.5, 0.0, 1.0}};
  const double J[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3}, v[6] = {0, 0, 0, 1.5, 0.0, 1.0};
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = J, .v0 = v});
  double W[3], quarter, L0[3], L[3], energy = nsds_kinetic_energy(ds);
  nsds_to_world(nsds_q(ds), (const double[]){1.5, 0.0, 3.0}, L0);
  nsds_simulation *s =
      nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 20.0, .output_period = 0.5});
  assert_sound(m);
  while (nsds_step(s) == NSDS_OK) {
    const double *w = nsds_v(ds) + 3, momentum[3] = {w[0], 2.0 * w[1], 3.0 * w[2]};
    exact(&e, nsds_time(s), W, &quarter);
    nsds_to_world(nsds_q(ds), momentum, L);
    for (int k = 0; k < 3; ++k) assert_near(w[k], W[k], 1e-7);
    for (int k = 0; k < 3; ++k) assert_near(L[k], L0[k], 1e-7);
    assert_near(nsds_kinetic_energy(ds), energy, 1e-7);
  }
  assert_sound(m);
  nsds_model_destroy(m);
}

/* A racket thrown about its middle axis turns over, twice in each period, at the times of the
 * closed form: here k is near 1 and W_2 stays near its ends for most of the time. */
static void a_tennis_racket_flips(void **state) {
  (void)state;
  /* W_3 less than 1e-3 above the separatrix J_3 (J_3 - J_2) W_3^2 = J_1 (J_2 - J_1) W_1^2 */
  const top e = {.J = {1.0, 2.0, 3.0}, .W = {2.0, 0.0, 2.0 / sqrt(3.0) * 1.0005}};
  double W[3], quarter, k = exact(&e, 0.0, W, &quarter);
  const double periods = 3.0;
  errors found = spin(&e, periods * 4.0 * quarter, 2e-4, 0.5);
  print_message("             k = %.6f, period %.4f s, %d flips, W off by %.1e\n", k, 4.0 * quarter,
                found.flips, found.W);
  assert_true(k > 0.99 && k < 1.0);
  /* the first half period turns the axis to the momentum, each of the others turns it over */
  assert_int_equal(found.flips, (int)(2.0 * periods) - 1);
  assert_between(found.W, 0.0, 1e-2);
}

/* ---- a heavy top ---- */

/* Steady precession of a symmetric top on a pivot: A p^2 cos a - C W_3 p + m g l = 0, A the moment
 * about the pivot across the axis, W_3 the whole rate about it. */
static void a_heavy_top(void **state) {
  (void)state;
  const double kg = 0.5, l = 0.06, C = 4e-4, across = 5e-4, tilt = 0.5, W3 = 300.0;
  const double J[9] = {across, 0, 0, 0, across, 0, 0, 0, C};
  double A = across + kg * l * l, c = cos(tilt);
  double p = 2.0 * kg * g * l / (C * W3 + sqrt(C * C * W3 * W3 - 4.0 * A * c * kg * g * l));
  assert_near(p, kg * g * l / (C * W3), 0.1 * p); /* a fast one */
  /* tilted about y: the axis is (sin, 0, cos); W = p e_z + (W3 - p cos) axis */
  const double q[7] = {l * sin(tilt), 0, l * c, cos(0.5 * tilt), 0, sin(0.5 * tilt), 0};
  const double v[6] = {0, p * l * sin(tilt), 0, -p * sin(tilt), 0, W3};
  double error[2];
  for (int i = 0; i < 2; ++i) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = nsds_rigid_body(
        m,
        &(nsds_rigid_body_def){.mass = kg, .inertia = J, .q0 = q, .v0 = v, .gravity = {0, 0, -g}});
    nsds_joint_def def = {.kind = NSDS_JOINT_BALL, .ds = {ds}};
    nsds_connect(m, nsds_joint(m, &def), nsds_equality(m), 1, &ds);
    nsds_simulation *s =
        nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = i ? 5e-5 : 1e-4});
    assert_sound(m);
    error[i] = 0.0;
    while (nsds_step(s) == NSDS_OK) {
      double axis[3], azimuth = p * nsds_time(s);
      nsds_to_world(nsds_q(ds), (const double[]){0.0, 0.0, 1.0}, axis);
      error[i] = worse(error[i], fabs(axis[0] - sin(tilt) * cos(azimuth)));
      error[i] = worse(error[i], fabs(axis[1] - sin(tilt) * sin(azimuth)));
      error[i] = worse(error[i], fabs(axis[2] - c));
    }
    assert_sound(m);
    nsds_model_destroy(m);
  }
  print_message("             precession of %.3f rad/s, axis off by %.1e, order %.2f\n", p,
                error[1], order_of(error[0], error[1]));
  assert_between(error[1], 0.0, 2e-2);
  assert_between(order_of(error[0], error[1]), 0.9, 2.5);
}

/* ---- forces at rest ---- */

/* Links of different weights hang from each other by ball joints and hinges: each joint carries
 * what is below it. */
static void a_hanging_chain(void **state) {
  (void)state;
  enum { links = 12 };
  const double l = 0.2, J[9] = {0.01, 0, 0, 0, 0.012, 0, 0, 0, 0.004};
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[links + 1];
  nsds_interaction *joint[links];
  nsds_law *equality = nsds_equality(m);
  double below = 0.0;
  for (int k = 0; k < links; ++k) {
    const double q[7] = {0, 0, -l * (k + 0.5), 1, 0, 0, 0};
    double kg = 1.0 + 0.3 * k;
    ds[k] = nsds_rigid_body(
        m, &(nsds_rigid_body_def){.mass = kg, .inertia = J, .q0 = q, .gravity = {0, 0, -g}});
    nsds_joint_def def = {.kind = k % 3 ? NSDS_JOINT_BALL : NSDS_JOINT_HINGE,
                          .ds = {ds[k], k > 0 ? ds[k - 1] : NULL},
                          .point = {0, 0, -l * k},
                          .axis = {k % 2, 1 - k % 2, 0}};
    joint[k] = nsds_connect(m, nsds_joint(m, &def), equality, k > 0 ? 2 : 1, def.ds);
  }
  run(m, &(nsds_time_stepping_def){.t1 = 0.5, .h = 1e-3, .tolerance = 1e-13}, 0);
  for (int k = links - 1; k >= 0; --k) {
    below += (1.0 + 0.3 * k) * g;
    assert_near(nsds_lambda(joint[k])[2], below, 1e-7);
    for (int i = 0; i < nsds_interaction_size(joint[k]); ++i)
      if (i != 2) assert_near(nsds_lambda(joint[k])[i], 0.0, 1e-7);
    assert_near(nsds_q(ds[k])[2], -l * (k + 0.5), 1e-9);
  }
  nsds_model_destroy(m);
}

/* A table on four legs, three rows each: which leg carries how much is open, their sums are not. */
static void a_table_on_an_incline(void **state) {
  (void)state;
  const double kg = 3.0, slope = 0.4, J[9] = {0.1, 0, 0, 0, 0.12, 0, 0, 0, 0.2};
  for (int slides = 0; slides < 2; ++slides) {
    double mu = slides ? 0.25 : 0.6, a = slides ? g * (sin(slope) - mu * cos(slope)) : 0.0;
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = nsds_rigid_body(
        m, &(nsds_rigid_body_def){.mass = kg,
                                  .inertia = J,
                                  .q0 = (const double[]){0, 0, 0.1 - 1e-9, 1, 0, 0, 0},
                                  .gravity = {g * sin(slope), 0, -g * cos(slope)}});
    nsds_law *law = nsds_newton_impact_friction(m, &(nsds_newton_impact_friction_def){.mu = mu});
    nsds_interaction *leg[4];
    for (int k = 0; k < 4; ++k) {
      nsds_relation *foot = nsds_sphere_plane_relation(
          m, &(nsds_sphere_plane_relation_def){
                 .center = {k & 1 ? 0.5 : -0.5, k & 2 ? 0.4 : -0.4, -0.1}, .normal = {0, 0, 1}});
      leg[k] = nsds_connect(m, foot, law, 1, &ds);
    }
    nsds_simulation *s =
        nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 0.5, .h = 1e-3, .tolerance = 1e-10});
    assert_sound(m);
    while (nsds_step(s) == NSDS_OK) {
      double sum[3] = {0.0};
      for (int k = 0; k < 4; ++k) {
        const double *F = nsds_lambda(leg[k]);
        for (int i = 0; i < 3; ++i) sum[i] += F[i];
        assert_between(F[0], -1e-4, INFINITY);
        assert_between(hypot(F[1], F[2]), 0.0, mu * F[0] + 1e-4);
      }
      assert_near(sum[0], kg * g * cos(slope), 1e-4);
      assert_near(sum[1], kg * (a - g * sin(slope)), 1e-4);
      assert_near(sum[2], 0.0, 1e-4);
      assert_near(nsds_v(ds)[0], a * nsds_time(s), 1e-6);
      assert_near(length(nsds_v(ds) + 3), 0.0, 1e-6);
    }
    assert_sound(m);
    nsds_model_destroy(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sliding_then_rolling),  cmocka_unit_test(an_asymmetric_top_integrated),
      cmocka_unit_test(an_asymmetric_top),     cmocka_unit_test(a_tennis_racket_flips),
      cmocka_unit_test(a_heavy_top),           cmocka_unit_test(a_hanging_chain),
      cmocka_unit_test(a_table_on_an_incline),
  };
  return cmocka_run_group_tests_name("kernel.body_motions", tests, NULL, NULL);
}
