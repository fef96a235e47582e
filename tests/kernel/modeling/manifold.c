/*
 * A free rigid body with seven coordinates and six velocities. What the scheme keeps and what it
 * does not is known: with theta = 1/2 the angular velocity follows the trapezoidal rule, a
 * symmetric top's precession is a rotation by 2 atan(h rate / 2) per step, and the attitude takes
 * one exponential of the mean velocity per step.
 */
#include "rigid_body.h"

#include <float.h>

static const double upright[7] = {0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0};

static double norm(const double *x, int n) {
  double sum = 0.0;
  for (int k = 0; k < n; ++k) sum += x[k] * x[k];
  return sqrt(sum);
}

/* One quaternion product rounds by less than 4 DBL_EPSILON in norm; nothing else touches it. */
static void unit_quaternion_stays_one(void **state) {
  (void)state;
  enum { steps = 100000 };
  for (int explicit_force = 0; explicit_force < 2; ++explicit_force) {
    rigid_body body = {.mass = 2.0, .inertia = {1.0, 2.0, 2.5}};
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = rigid_body_create(model, &body, explicit_force, upright,
                                    (double[]){0.1, 0.2, 0.3, 0.2, 1.0, -0.3});
    run(model, &(nsds_time_stepping_def){.t1 = 1e3, .h = 1e-4}, steps);
    assert_near(norm(nsds_q(ds) + 3, 4), 1.0, steps * 4.0 * DBL_EPSILON);
    for (int k = 0; k < 3; ++k)
      assert_near(nsds_q(ds)[k], upright[k] + 0.1 * (k + 1) * steps * 1e-4, 1e-10);
    nsds_model_destroy(model);
  }
}

/* Errors of angular momentum (world) and rotational energy after two seconds. */
static void drift(double h, double theta, bool explicit_force, double *momentum, double *energy) {
  rigid_body body = {.mass = 1.0, .inertia = {1.0, 2.0, 3.0}};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = rigid_body_create(model, &body, explicit_force, upright,
                                  (double[]){0.0, 0.0, 0.0, 0.5, 1.0, -0.7});
  double L0[3], L[3], e0 = rigid_body_rotation_energy(&body, ds);
  rigid_body_momentum(&body, ds, L0);
  run(model,
      &(nsds_time_stepping_def){.t1 = 2.0, .h = h, .second_order = nsds_moreau_jean(theta, 1.0)},
      0);
  rigid_body_momentum(&body, ds, L);
  for (int k = 0; k < 3; ++k) L[k] -= L0[k];
  *momentum = norm(L, 3);
  *energy = fabs(rigid_body_rotation_energy(&body, ds) - e0);
  assert_near(nsds_kinetic_energy(ds), rigid_body_rotation_energy(&body, ds), 1e-14);
  nsds_model_destroy(model);
}

static void momentum_and_energy_have_the_order_of_the_scheme(void **state) {
  (void)state;
  static const struct {
    double theta;
    bool explicit_force;
    double order;
  } row[] = {{0.5, false, 2.0}, {1.0, false, 1.0}, {0.5, true, 1.0}};
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    double p[2], e[2];
    for (int i = 0; i < 2; ++i)
      drift(0.01 / (1 << i), row[k].theta, row[k].explicit_force, &p[i], &e[i]);
    print_message("             theta %g%s: momentum order %.3f, energy order %.3f\n", row[k].theta,
                  row[k].explicit_force ? " explicit" : "", order_of(p[0], p[1]),
                  order_of(e[0], e[1]));
    assert_near(order_of(p[0], p[1]), row[k].order, 0.1);
    assert_near(order_of(e[0], e[1]), row[k].order, 0.1);
  }
}

/* J = (a, a, c): W3 stays, (W1, W2) turns at the rate r = W3 (c - a) / a. The trapezoidal rule
 * turns it by 2 atan(h r / 2) per step and keeps its length; Euler's by atan(h r), growing by
 * sqrt(1 + (h r)^2). */
static void symmetric_top_precesses(void **state) {
  (void)state;
  const double a = 2.0, c = 3.0, spin = 1.5, h = 0.02, rate = spin * (c - a) / a;
  enum { steps = 1000 };
  for (int explicit_force = 0; explicit_force < 2; ++explicit_force) {
    rigid_body body = {.mass = 1.0, .inertia = {a, a, c}};
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = rigid_body_create(model, &body, explicit_force, upright,
                                    (double[]){0.0, 0.0, 0.0, 0.4, 0.0, spin});
    nsds_simulation *simulation = run(model, &(nsds_time_stepping_def){.t1 = 100.0, .h = h}, steps);
    double turn = explicit_force ? atan(h * rate) : 2.0 * atan(0.5 * h * rate);
    double length = 0.4 * (explicit_force ? pow(1.0 + h * rate * h * rate, 0.5 * steps) : 1.0);
    const double *W = nsds_v(ds) + 3;
    /* Newton stops at 1e-10 of the momentum per step; what it leaves is quadratically less */
    assert_near(W[0], length * cos(turn * steps), 1e-12);
    assert_near(W[1], length * sin(turn * steps), 1e-12);
    assert_near(W[2], spin, 1e-12);
    if (explicit_force) assert_int_equal(nsds_simulation_info(simulation)->newton_iterations, 1);
    nsds_model_destroy(model);
  }
}

/* The attitude of a body that spins about one axis is exact, whatever h. */
static void attitude_is_the_exponential(void **state) {
  (void)state;
  for (int explicit_force = 0; explicit_force < 2; ++explicit_force) {
    rigid_body body = {.mass = 1.0, .inertia = {1.0, 2.0, 3.0}, .gravity = 9.81};
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = rigid_body_create(model, &body, explicit_force, upright,
                                    (double[]){1.0, 0.0, 2.0, 0.0, 1.7, 0.0});
    nsds_simulation *simulation = run(
        model,
        &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.05, .second_order = nsds_moreau_jean(0.5, 1.0)},
        0);
    double t = nsds_time(simulation);
    assert_near(nsds_q(ds)[3], cos(0.5 * 1.7 * t), 1e-14);
    assert_near(nsds_q(ds)[5], sin(0.5 * 1.7 * t), 1e-14);
    assert_near(nsds_q(ds)[0], t, 1e-14);
    assert_near(nsds_q(ds)[2], 1.0 + 2.0 * t - 0.5 * 9.81 * t * t, 1e-13);
    assert_near(nsds_v(ds)[2], 2.0 - 9.81 * t, 1e-13);
    nsds_model_destroy(model);
  }
}

/* A body tied to the world by a stiff spring: K belongs to the move along T. Its columns are those
 * of differences along advance, Newton's method takes few iterations with it (h^2 k / m = 1), and
 * the motion is of second order. */
static void stiffness_belongs_to_the_move(void **state) {
  (void)state;
  rigid_body body = {.mass = 1.0,
                     .inertia = {0.1, 0.2, 0.3},
                     .spring = 1e4,
                     .tied = {0.3, -0.2, 0.5},
                     .anchor = {0.3, -0.25, 1.55}};
  const double v[6] = {0.1, 0.2, 0.0, 1.0, -2.0, 0.5};
  static const double h[] = {1e-2, 4e-4, 2e-4, 1e-4};
  double end[4][7], apart[2][7], drift = 0.0;
  for (int i = 0; i < 4; ++i) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = rigid_body_create(model, &body, false, upright, v);
    double energy = nsds_kinetic_energy(ds) + rigid_body_spring_energy(&body, ds);
    nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 0.5, .h = h[i]});
    assert_non_null(s);
    int most = 0;
    while (nsds_step(s) == NSDS_OK)
      if (nsds_simulation_info(s)->newton_iterations > most)
        most = nsds_simulation_info(s)->newton_iterations;
    assert_sound(model);
    assert_true(most <= 6); /* linear convergence would take some thirty */
    energy -= nsds_kinetic_energy(ds) + rigid_body_spring_energy(&body, ds);
    if (i == 3) drift = energy;
    memcpy(end[i], nsds_q(ds), sizeof end[i]);

    nsds_ds_operators ops = nsds_ds_describe(ds);
    nsds_arguments at = nsds_ds_point(ds, 0.0, nsds_q(ds), nsds_v(ds));
    double K[36], q[7], F[2][6], scale = 1e4;
    assert_int_equal(ops.second->stiffness(ops.self, &at, K), NSDS_OK);
    for (int j = 0; j < 6; ++j) {
      for (int side = 0; side < 2; ++side) {
        double step[6] = {0.0};
        step[j] = side ? 1e-5 : -1e-5;
        assert_int_equal(ops.second->advance(ops.self, &at, step, q), NSDS_OK);
        nsds_arguments moved = nsds_ds_point(ds, 0.0, q, nsds_v(ds));
        assert_int_equal(ops.second->force(ops.self, &moved, F[side]), NSDS_OK);
      }
      for (int k = 0; k < 6; ++k)
        assert_near(K[k + 6 * j], -(F[1][k] - F[0][k]) / 2e-5, 1e-7 * scale);
    }
    nsds_model_destroy(model);
  }
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 7; ++k) apart[i][k] = end[i + 1][k] - end[i + 2][k];
  double order = order_of(norm(apart[0], 7), norm(apart[1], 7));
  print_message("             order %.3f, %g J lost\n", order, drift);
  assert_near(order, 2.0, 0.05);
  assert_near(drift, 0.0, 1e-4);
}

/* T v is the derivative of the move along v, and the checker sees Jacobians in q and in v. */
static void jacobians_are_checked(void **state) {
  (void)state;
  rigid_body body = {.mass = 1.0, .inertia = {1.0, 2.0, 3.0}};
  floor_point point = {.c = {0.3, -0.2, 0.5}};
  const double q[7] = {0.1, 0.2, 0.9, 0.5, 0.5, -0.5, 0.5}, v[6] = {0.3, -0.1, 0.2, 1.0, -2.0, 0.4};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = rigid_body_create(model, &body, false, q, v);
  nsds_relation *relation = floor_relation(model, &point, FLOOR_JACOBIAN_Q);
  assert_non_null(nsds_connect(model, relation, nsds_newton_impact(model, 0.0), 1, &ds));
  nsds_jacobian_report report;
  assert_ok(model, nsds_check_jacobians(model, 0.0, 1e-9, &report));
  assert_int_equal(report.checked, 2);

  nsds_ds_operators ops = nsds_ds_describe(ds);
  nsds_arguments at = nsds_ds_point(ds, 0.0, q, v);
  assert_int_equal(at.nq, 7);
  assert_int_equal(at.nv, 6);
  double T[42], forth[7], back[7], step[6];
  assert_int_equal(ops.second->velocity_map(ops.self, &at, T), NSDS_OK);
  for (int s = -1; s <= 1; s += 2) {
    for (int k = 0; k < 6; ++k) step[k] = s * 1e-5 * v[k];
    assert_int_equal(ops.second->advance(ops.self, &at, step, s > 0 ? forth : back), NSDS_OK);
  }
  for (int i = 0; i < 7; ++i) {
    double rate = 0.0;
    for (int k = 0; k < 6; ++k) rate += T[i + 7 * k] * v[k];
    assert_near((forth[i] - back[i]) / 2e-5, rate, 1e-9);
  }
  nsds_model_destroy(model);
}

/* ---- definitions that do not go together ---- */

static void refuse(nsds_second_order_ops ops, nsds_custom_second_order_def def, const char *word) {
  rigid_body body = {.mass = 1.0, .inertia = {1.0, 1.0, 1.0}};
  nsds_model *model = nsds_model_create(NULL);
  def.ops = &ops;
  def.self = &body;
  assert_null(nsds_custom_second_order(model, &def));
  assert_int_equal(nsds_error(nsds_model_context(model)), NSDS_ERROR_ARGUMENT);
  assert_words(nsds_error_message(nsds_model_context(model)), &word, 1);
  assert_int_equal(nsds_ds_count(model), 0);
  nsds_model_destroy(model);
}

static void definitions_that_do_not_fit_are_refused(void **state) {
  (void)state;
  nsds_second_order_ops none = rigid_body_ops, half = rigid_body_ops, other = rigid_body_ops;
  none.velocity_map = NULL;
  none.advance = NULL;
  half.advance = NULL;
  other.velocity_map = NULL;
  const nsds_custom_second_order_def body = {.nq = 7, .ndof = 6};
  refuse(none, body, "velocity_map");
  refuse(half, body, "advance");
  refuse(other, body, "velocity_map");
  refuse(half, (nsds_custom_second_order_def){.ndof = 6}, "advance");
  refuse(rigid_body_ops, (nsds_custom_second_order_def){.nq = 7, .ndof = 6, .affine = true},
         "affine");
  refuse(rigid_body_ops,
         (nsds_custom_second_order_def){
             .nq = 7, .ndof = 6, .explicit_force = true, .damping = {.present = true}},
         "explicit_force");
  refuse(none, (nsds_custom_second_order_def){.ndof = 6, .explicit_force = true, .affine = true},
         "explicit_force");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unit_quaternion_stays_one),
      cmocka_unit_test(momentum_and_energy_have_the_order_of_the_scheme),
      cmocka_unit_test(symmetric_top_precesses),
      cmocka_unit_test(attitude_is_the_exponential),
      cmocka_unit_test(stiffness_belongs_to_the_move),
      cmocka_unit_test(jacobians_are_checked),
      cmocka_unit_test(definitions_that_do_not_fit_are_refused),
  };
  return cmocka_run_group_tests_name("kernel.manifold", tests, NULL, NULL);
}
