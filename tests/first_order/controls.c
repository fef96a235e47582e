/*
 * Control inputs T u of systems of both orders, with the Jacobians of u and T in the iteration
 * matrix: against systems that have the same terms written as forces, and closed forms.
 */
#include "support.h"

#include <stdio.h>

typedef struct gains {
  double p, d;
} gains;

/* ---- first order ----------------------------------------------------------------------------- */

static const double A[] = {-1.0, 0.5, 0.3, -2.0}; /* column by column */

static int linear_part(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 2; ++i) out[i] += A[i + 2 * j] * in->x[j];
  return 0;
}

static int linear_jacobian(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  memcpy(out, A, sizeof A);
  return 0;
}

static int map_of_state(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 1.0 + 0.3 * in->x[1] * in->x[1];
  out[1] = 0.5 * in->x[0];
  return 0;
}

static int map_slope(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[1] = 0.5;
  out[2] = 0.6 * in->x[1];
  return 0;
}

/* u = -p (x_0 - sin t) - d tanh(dx_0/dt) */
static int feedback(const nsds_arguments *in, double *out, void *user) {
  const gains *k = user;
  out[0] = -k->p * (in->x[0] - sin(in->t));
  if (k->d != 0.0) out[0] -= k->d * tanh(in->xdot[0]);
  return 0;
}

static int feedback_x(const nsds_arguments *in, double *out, void *user) {
  (void)in;
  out[0] = -((const gains *)user)->p;
  return 0;
}

static int feedback_xdot(const nsds_arguments *in, double *out, void *user) {
  double c = cosh(in->xdot[0]);
  out[0] = -((const gains *)user)->d / (c * c);
  return 0;
}

/* The same as a right-hand side. */
static int closed_loop(const nsds_arguments *in, double *out, void *user) {
  double T[2], u = -((const gains *)user)->p * (in->x[0] - sin(in->t));
  linear_part(in, out, NULL);
  map_of_state(in, T, NULL);
  out[0] += T[0] * u;
  out[1] += T[1] * u;
  return 0;
}

static const double start[] = {0.5, -0.4};

static void check_jacobians(nsds_model *model) {
  nsds_jacobian_report report;
  assert_ok(model, nsds_check_jacobians(model, 0.3, 0.0, &report));
  assert_true(report.checked >= 1);
}

/* A gain of 1e3 at h = 0.01 converges, in as few iterations as the closed loop as one function. */
static void stiff_feedback_converges(void **state) {
  (void)state;
  gains k = {.p = 1e3};
  nsds_model *model[2] = {nsds_model_create(NULL), nsds_model_create(NULL)};
  nsds_ds *ds[2] = {
      nsds_first_order(model[0], &(nsds_first_order_def){.n = 2,
                                                         .x0 = start,
                                                         .f_fn = linear_part,
                                                         .jac_f_x_fn = linear_jacobian,
                                                         .control.n = 1,
                                                         .control.map_fn = map_of_state,
                                                         .control.fn = feedback,
                                                         .control.jac_x_fn = feedback_x,
                                                         .control.jac_map_x_fn = map_slope,
                                                         .user = &k}),
      nsds_first_order(model[1], &(nsds_first_order_def){.n = 2,
                                                         .x0 = start,
                                                         .f_fn = closed_loop,
                                                         .jac_f_x_fn = nsds_differences,
                                                         .user = &k})};
  nsds_simulation *s[2];
  for (int i = 0; i < 2; ++i)
    s[i] = nsds_time_stepping(
        model[i],
        &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.01, .first_order = nsds_euler_moreau(1)});
  check_jacobians(model[0]);
  int most = 0;
  while (nsds_time(s[0]) < 1.0) {
    for (int i = 0; i < 2; ++i) assert_ok(model[i], nsds_step(s[i]));
    int count = nsds_simulation_info(s[0])->newton_iterations;
    most = count > most ? count : most;
    for (int i = 0; i < 2; ++i) assert_near(nsds_x(ds[0])[i], nsds_x(ds[1])[i], 1e-10);
  }
  print_message("             at most %d iterations per step\n", most);
  assert_between(most, 2, 6);
  for (int i = 0; i < 2; ++i) nsds_model_destroy(model[i]);
}

/* u = -d dx/dt is a mass: the theta-scheme of (1 + d) dx/dt = f, to rounding. */
static int minus_rate(const nsds_arguments *in, double *out, void *user) {
  assert_int_equal(in->nxdot, 2);
  for (int i = 0; i < 2; ++i) out[i] = -((const gains *)user)->d * in->xdot[i];
  return 0;
}

static int minus_rate_slope(const nsds_arguments *in, double *out, void *user) {
  (void)in;
  out[0] = out[3] = -((const gains *)user)->d;
  return 0;
}

static void rate_feedback_is_a_mass(void **state) {
  (void)state;
  gains k = {.d = 1e3};
  const double heavy[] = {1.0 + k.d, 0.0, 0.0, 1.0 + k.d}, unit[] = {1.0, 0.0, 0.0, 1.0};
  static const double theta[] = {0.5, 0.7, 1.0};
  for (int c = 0; c < 3; ++c) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *a =
        nsds_first_order(model, &(nsds_first_order_def){.n = 2,
                                                        .x0 = start,
                                                        .f_fn = linear_part,
                                                        .jac_f_x_fn = linear_jacobian,
                                                        .control.n = 2,
                                                        .control.map = unit,
                                                        .control.fn = minus_rate,
                                                        .control.jac_x_fn = nsds_zero,
                                                        .control.jac_xdot_fn = minus_rate_slope,
                                                        .user = &k});
    nsds_ds *b = nsds_first_order_linear(
        model, &(nsds_first_order_linear_def){.n = 2, .x0 = start, .mass = heavy, .A = A});
    check_jacobians(model);
    nsds_simulation *s = run(
        model,
        &(nsds_time_stepping_def){.t1 = 50.0, .h = 1.0, .first_order = nsds_euler_moreau(theta[c])},
        0);
    assert_true(nsds_simulation_info(s)->newton_iterations <= 2);
    for (int i = 0; i < 2; ++i) assert_near(nsds_x(a)[i], nsds_x(b)[i], 1e-11);
    nsds_model_destroy(model);
  }
}

/* x(1) under the nonlinear control of state and rate. */
static double nonlinear_rate(int steps, double theta) {
  gains k = {.p = 2.0, .d = 0.8};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds =
      nsds_first_order(model, &(nsds_first_order_def){.n = 2,
                                                      .x0 = start,
                                                      .f_fn = linear_part,
                                                      .jac_f_x_fn = linear_jacobian,
                                                      .control.n = 1,
                                                      .control.map_fn = map_of_state,
                                                      .control.fn = feedback,
                                                      .control.jac_x_fn = feedback_x,
                                                      .control.jac_xdot_fn = feedback_xdot,
                                                      .control.jac_map_x_fn = map_slope,
                                                      .user = &k});
  if (steps == 8) check_jacobians(model);
  run(model,
      &(nsds_time_stepping_def){
          .t1 = 1.0, .h = 1.0 / steps, .first_order = nsds_euler_moreau(theta)},
      0);
  double x = nsds_x(ds)[0];
  nsds_model_destroy(model);
  return x;
}

/* The same by Runge and Kutta, dx/dt at each stage by a scalar Newton iteration. */
static void rates(double t, const double *x, double *d) {
  const gains k = {.p = 2.0, .d = 0.8};
  double T[2] = {1.0 + 0.3 * x[1] * x[1], 0.5 * x[0]}, f[2];
  for (int i = 0; i < 2; ++i) f[i] = A[i] * x[0] + A[i + 2] * x[1];
  double e = 0.0, pull = -k.p * (x[0] - sin(t));
  for (int n = 0; n < 60; ++n) {
    double th = tanh(e), g = e - f[0] - T[0] * (pull - k.d * th);
    e -= g / (1.0 + T[0] * k.d * (1.0 - th * th));
  }
  d[0] = e;
  d[1] = f[1] + T[1] * (pull - k.d * tanh(e));
}

static double by_runge_kutta(int steps) {
  double x[2] = {start[0], start[1]}, h = 1.0 / steps;
  for (int n = 0; n < steps; ++n) {
    static const double at[] = {0.0, 0.5, 0.5, 1.0}, weight[] = {1.0, 2.0, 2.0, 1.0};
    double sum[2] = {0.0}, d[2] = {0.0}, stage[2];
    for (int s = 0; s < 4; ++s) {
      for (int i = 0; i < 2; ++i) stage[i] = x[i] + at[s] * h * d[i];
      rates((n + at[s]) * h, stage, d);
      for (int i = 0; i < 2; ++i) sum[i] += weight[s] * d[i];
    }
    for (int i = 0; i < 2; ++i) x[i] += h / 6.0 * sum[i];
  }
  return x[0];
}

static void nonlinear_rate_has_the_order_of_theta(void **state) {
  (void)state;
  double exact = by_runge_kutta(2000);
  for (int c = 0; c < 2; ++c) {
    double theta = c == 0 ? 0.5 : 1.0;
    double coarse = fabs(nonlinear_rate(64, theta) - exact);
    double fine = fabs(nonlinear_rate(128, theta) - exact), order = order_of(coarse, fine);
    print_message("             theta %g: error %.2e, order %.2f\n", theta, fine, order);
    assert_between(order, c == 0 ? 1.9 : 0.9, c == 0 ? 2.1 : 1.1);
  }
}

/* T u(t) of a linear system: dx/dt = -x + 2 sin t, one pass per step, order 2. */
static int sine(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = sin(in->t);
  return 0;
}

static double linear_error(int steps) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds =
      nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1,
                                                                    .A = (double[]){-1.0},
                                                                    .control.n = 1,
                                                                    .control.map = (double[]){2.0},
                                                                    .control.fn = sine});
  nsds_simulation *s = run(model, &(nsds_time_stepping_def){.t1 = 3.0, .h = 3.0 / steps}, 0);
  assert_int_equal(nsds_simulation_info(s)->newton_iterations, 1);
  double error = fabs(nsds_x(ds)[0] - (sin(3.0) - cos(3.0) + exp(-3.0)));
  nsds_model_destroy(model);
  return error;
}

static void control_of_time_in_a_linear_system(void **state) {
  (void)state;
  double fine = linear_error(200), order = order_of(linear_error(100), fine);
  print_message("             error %.2e, order %.2f\n", fine, order);
  assert_between(order, 1.9, 2.1);
  assert_between(fine, 1e-7, 1e-4);
}

/* Who cannot give a rate says so. */
static void rates_are_refused_where_there_are_none(void **state) {
  (void)state;
  gains k = {.d = 1.0};
  const double unit[] = {1.0, 0.0, 0.0, 1.0};
  for (int c = 0; c < 2; ++c) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_first_order(model, &(nsds_first_order_def){.name = "loop",
                                                    .n = 2,
                                                    .control.n = 2,
                                                    .control.map = unit,
                                                    .control.fn = minus_rate,
                                                    .control.jac_x_fn = nsds_zero,
                                                    .control.jac_xdot_fn = minus_rate_slope,
                                                    .user = &k});
    nsds_simulation *s =
        c == 0 ? nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0, .output_period = 0.1})
               : nsds_time_stepping(
                     model, &(nsds_time_stepping_def){
                                .t1 = 1.0, .h = 0.1, .first_order = nsds_zero_order_hold()});
    assert_null(s);
    assert_words(nsds_error_message(nsds_model_context(model)), ((const char *[]){"loop"}), 1);
    nsds_model_destroy(model);
  }
}

/* ---- second order ---------------------------------------------------------------------------- */

static int servo(const nsds_arguments *in, double *out, void *user) {
  const gains *k = user;
  out[0] = -k->p * (in->q[0] - in->q[1]) - k->d * in->v[0];
  return 0;
}

static int servo_q(const nsds_arguments *in, double *out, void *user) {
  const gains *k = user;
  (void)in;
  out[0] = -k->p;
  out[1] = k->p;
  return 0;
}

static int servo_v(const nsds_arguments *in, double *out, void *user) {
  (void)in;
  out[0] = -((const gains *)user)->d;
  return 0;
}

/* A PD control of gain 1e5 and 1e3 at h = 0.01 is the linear system with the same C and K. It comes
 * to rest where q is not zero: the rounding of its forces there is above 1e-10 of what is left of
 * them, and Newton's method once went on for ever. */
static void stiff_servo_is_a_spring_and_damper(void **state) {
  (void)state;
  gains k = {.p = 1e5, .d = 1e3};
  const double T[] = {1.0, -0.5}, M[] = {2.0, 0.0, 0.0, 1.0}, q0[] = {0.1, -0.2};
  double K[4], C[4];
  for (int i = 0; i < 2; ++i) {
    K[i] = T[i] * k.p;
    K[i + 2] = -T[i] * k.p;
    C[i] = T[i] * k.d;
    C[i + 2] = 0.0;
  }
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *a = nsds_lagrangian(model, &(nsds_lagrangian_def){.ndof = 2,
                                                             .q0 = q0,
                                                             .mass = M,
                                                             .control.n = 1,
                                                             .control.map = T,
                                                             .control.fn = servo,
                                                             .control.jac_q_fn = servo_q,
                                                             .control.jac_v_fn = servo_v,
                                                             .user = &k});
  nsds_ds *b = nsds_lagrangian_linear(
      model,
      &(nsds_lagrangian_linear_def){.ndof = 2, .q0 = q0, .mass = M, .damping = C, .stiffness = K});
  check_jacobians(model);
  nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.01});
  while (nsds_step(s) == NSDS_OK) {
    assert_true(nsds_simulation_info(s)->newton_iterations <= 3);
    for (int i = 0; i < 2; ++i) assert_near(nsds_v(a)[i], nsds_v(b)[i], 1e-9 * 20.0);
  }
  assert_sound(model);
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(stiff_feedback_converges),
                                     cmocka_unit_test(rate_feedback_is_a_mass),
                                     cmocka_unit_test(nonlinear_rate_has_the_order_of_theta),
                                     cmocka_unit_test(control_of_time_in_a_linear_system),
                                     cmocka_unit_test(rates_are_refused_where_there_are_none),
                                     cmocka_unit_test(stiff_servo_is_a_spring_and_damper)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
