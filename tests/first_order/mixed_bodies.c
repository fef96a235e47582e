/*
 * A spring and a damper between the centres of two bodies, as a mixed relation: with spherical inertia
 * or not, with forces taken at the start of the step or not. The distance is the damped oscillator of
 * the reduced mass. And a stiff torsion spring between bodies that are turned differently.
 */
#include "support.h"

static const double stiffness = 100.0, damping = 0.8, length = 1.0;
static const double way[3] = {2.0 / 3.0, -2.0 / 3.0, 1.0 / 3.0};

static double apart(const double *q, double *n) {
  double square = 0.0;
  for (int k = 0; k < 3; ++k) {
    n[k] = q[7 + k] - q[k];
    square += n[k] * n[k];
  }
  for (int k = 0; k < 3; ++k) n[k] /= sqrt(square);
  return sqrt(square);
}

/* lambda - k (|d| - l) - c d|d|/dt */
static int law(const nsds_arguments *in, double *out, void *user) {
  double n[3], distance = apart(in->q, n), rate = 0.0;
  (void)user;
  for (int k = 0; k < 3; ++k) rate += n[k] * (in->v[6 + k] - in->v[k]);
  out[0] = in->lambda[0] - stiffness * (distance - length) - damping * rate;
  return 0;
}

static int law_q(const nsds_arguments *in, double *out, void *user) {
  double n[3], distance = apart(in->q, n), rate = 0.0;
  (void)user;
  for (int k = 0; k < 3; ++k) rate += n[k] * (in->v[6 + k] - in->v[k]);
  for (int k = 0; k < 3; ++k) {
    double turn = (in->v[6 + k] - in->v[k] - rate * n[k]) / distance;
    out[7 + k] = -stiffness * n[k] - damping * turn;
    out[k] = -out[7 + k];
  }
  return 0;
}

static int law_v(const nsds_arguments *in, double *out, void *user) {
  double n[3];
  (void)user;
  apart(in->q, n);
  for (int k = 0; k < 3; ++k) {
    out[6 + k] = -damping * n[k];
    out[k] = damping * n[k];
  }
  return 0;
}

static int law_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

static int pull_lambda(const nsds_arguments *in, double *out, void *user) {
  double n[3];
  (void)user;
  apart(in->q, n);
  for (int k = 0; k < 3; ++k) {
    out[k] = n[k];
    out[6 + k] = -n[k];
  }
  return 0;
}

static int pull(const nsds_arguments *in, double *out, void *user) {
  pull_lambda(in, out, user);
  for (int k = 0; k < 12; ++k) out[k] *= in->lambda[0];
  return 0;
}

/* The error of the distance at the end, from that of the oscillator. */
static double oscillate(double h, bool spherical, bool early) {
  const double J[] = {0.1, 0, 0, 0, spherical ? 0.1 : 0.15, 0, 0, 0, 0.1}, end = 1.0;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k) {
    double q[7] = {0, 0, 0, 1, 0, 0, 0};
    for (int i = 0; i < 3; ++i) q[i] = k ? 1.3 * way[i] : 0.0;
    ds[k] = nsds_rigid_body(
        m, &(nsds_rigid_body_def){
               .mass = 2.0 + k, .inertia = J, .q0 = q, .explicit_gyroscopic = early});
  }
  nsds_relation *relation =
      nsds_mixed_relation(m, &(nsds_mixed_relation_def){.ny = 1,
                                                        .nq = 14,
                                                        .nv = 12,
                                                        .output_fn = law,
                                                        .jac_output_q_fn = law_q,
                                                        .jac_output_v_fn = law_v,
                                                        .jac_output_lambda_fn = law_lambda,
                                                        .input_fn = pull,
                                                        .jac_input_lambda_fn = pull_lambda});
  nsds_connect(m, relation, nsds_equality(m), 2, ds);
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){.t1 = end,
                                   .h = h,
                                   .first_order = nsds_full_theta_gamma(0.5, 0.5),
                                   .second_order = nsds_moreau_jean(0.5, 0.5)});
  assert_sound(m);
  assert_status(m, nsds_run(s), NSDS_END);
  double square = 0.0;
  for (int i = 0; i < 3; ++i) square += pow(nsds_q(ds[1])[i] - nsds_q(ds[0])[i], 2.0);
  double mass = 2.0 * 3.0 / 5.0, decay = 0.5 * damping / mass;
  double w = sqrt(stiffness / mass - decay * decay);
  double right = length + 0.3 * exp(-decay * end) * (cos(w * end) + decay / w * sin(w * end));
  nsds_model_destroy(m);
  return fabs(sqrt(square) - right);
}

static void springs(void **state) {
  (void)state;
  for (int k = 0; k < 4; ++k) {
    double coarse = oscillate(4e-3, k & 1, k & 2), fine = oscillate(1e-3, k & 1, k & 2);
    assert_true(fine < 1e-5);
    assert_true(coarse / fine > 15.0);
  }
}

static const double twist = 1e5, untwisted = 4.2;

static double angle(const double *q) { return 2.0 * atan2(q[6], q[3]); }

/* lambda - k (angle_1 - angle_0 - rest) */
static int torsion(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->lambda[0] - twist * (angle(in->q + 7) - angle(in->q) - untwisted);
  return 0;
}

static int torsion_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  for (int body = 0; body < 2; ++body) {
    const double *q = in->q + 7 * body;
    double k = (body ? -2.0 : 2.0) * twist / (q[3] * q[3] + q[6] * q[6]);
    out[7 * body + 3] = -k * q[6];
    out[7 * body + 6] = k * q[3];
  }
  return 0;
}

static int none_of_v(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)out, (void)user; /* zeros stand there */
  return 0;
}

static int turn_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[5] = 1.0;
  out[11] = -1.0;
  return 0;
}

static int turn(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[5] = in->lambda[0];
  out[11] = -in->lambda[0];
  return 0;
}

/* (h w / 2)^2 is 4: Newton's method needs the Jacobian of each body at its own attitude. The steps
 * turn the oscillator by 2 atan(h w / 2). */
static void stiff_torsion_of_turned_bodies(void **state) {
  (void)state;
  const double J[] = {0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1}, start = 0.3;
  const double w = sqrt(2.0 * twist / 0.1), h = 4.0 / w;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k) {
    double half = k ? 0.5 * (untwisted + start) : 0.0;
    double q[7] = {0, 0, 0, cos(half), 0, 0, sin(half)};
    ds[k] = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = J, .q0 = q});
  }
  nsds_relation *relation =
      nsds_mixed_relation(m, &(nsds_mixed_relation_def){.ny = 1,
                                                        .nq = 14,
                                                        .nv = 12,
                                                        .output_fn = torsion,
                                                        .jac_output_q_fn = torsion_q,
                                                        .jac_output_v_fn = none_of_v,
                                                        .jac_output_lambda_fn = law_lambda,
                                                        .input_fn = turn,
                                                        .jac_input_lambda_fn = turn_lambda});
  nsds_connect(m, relation, nsds_equality(m), 2, ds);
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){.t1 = 20.0 * h,
                                   .h = h,
                                   .max_halvings = NSDS_HALVE_NEVER,
                                   .first_order = nsds_full_theta_gamma(0.5, 0.5),
                                   .second_order = nsds_moreau_jean(0.5, 0.5)});
  assert_sound(m);
  for (int k = 1; k <= 20; ++k) {
    assert_ok(m, nsds_step(s));
    double apart = angle(nsds_q(ds[1])) - angle(nsds_q(ds[0])) - untwisted;
    assert_near(apart, start * cos(2.0 * k * atan(0.5 * h * w)), 1e-9);
  }
  nsds_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(springs),
                                     cmocka_unit_test(stiff_torsion_of_turned_bodies)};
  return cmocka_run_group_tests_name("first_order.mixed_bodies", tests, NULL, NULL);
}
