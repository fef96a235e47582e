/*
 * Differential-algebraic systems: singular M, and equality laws between first-order systems.
 */
#include "support.h"

#include <string.h>

/* ---- a circuit with an algebraic node ---- */

/*
 * A source u(t) = 10 sin(40 t) behind R1, a node of voltage v, a diode from the ground to the node
 * (v >= 0), and a capacitor of voltage w behind R2:
 *
 *     C dw/dt = (v - w)/R2,   0 = (u - v)/R1 - (v - w)/R2 + lambda,   0 <= v perp lambda >= 0
 *
 * once with M = diag(C, 0), once with v eliminated: v = G (u/R1 + w/R2 + lambda).
 */
static const double C1 = 1e-3, R1 = 50.0, R2 = 30.0;

static double source(double t) { return 10.0 * sin(40.0 * t); }

static int node_b(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[1] = source(in->t) / R1;
  return 0;
}

static int reduced_b(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = source(in->t) / R1 / (1.0 / R1 + 1.0 / R2) / R2 / C1;
  return 0;
}

static int reduced_e(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = source(in->t) / R1 / (1.0 / R1 + 1.0 / R2);
  return 0;
}

/* The one with M singular, dense or sparse; linear or declared nonlinear. */
typedef enum form { dense, sparse, nonlinear } form;

static const double mass[] = {1e-3, 0.0, 0.0, 0.0};

static void node_matrix(double *A) {
  const double a[] = {-1.0 / R2, 1.0 / R2, 1.0 / R2, -1.0 / R1 - 1.0 / R2};
  memcpy(A, a, sizeof a);
}

static int node_f(const nsds_arguments *in, double *out, void *user) {
  double A[4];
  node_matrix(A);
  node_b(in, out, user);
  for (int i = 0; i < 2; ++i) out[i] += A[i] * in->x[0] + A[i + 2] * in->x[1];
  return 0;
}

static int node_a(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  node_matrix(out);
  return 0;
}

static nsds_interaction *with_node(nsds_model *model, form how, nsds_ds **ds) {
  double A[4];
  node_matrix(A);
  const int p[] = {0, 2, 4}, i[] = {0, 1, 0, 1}, mass_p[] = {0, 1, 1}, mass_i[] = {0};
  if (how == nonlinear)
    *ds = nsds_first_order(
        model, &(nsds_first_order_def){.n = 2, .mass = mass, .f_fn = node_f, .jac_f_x_fn = node_a});
  else
    *ds = nsds_first_order_linear(
        model, &(nsds_first_order_linear_def){
                   .name = "circuit",
                   .n = 2,
                   .mass = how == dense ? mass : NULL,
                   .mass_sparse = how == sparse ? &(nsds_csc){2, 2, mass_p, mass_i, mass} : NULL,
                   .A = how == dense ? A : NULL,
                   .A_sparse = how == sparse ? &(nsds_csc){2, 2, p, i, A} : NULL,
                   .b_fn = node_b});
  nsds_relation *diode = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .ny = 1, .nx = 2, .C = (double[]){0.0, 1.0}, .B = (double[]){0.0, 1.0}});
  return nsds_connect(model, diode, nsds_complementarity(model), 1, ds);
}

static nsds_interaction *without_node(nsds_model *model, nsds_ds **ds) {
  const double G = 1.0 / (1.0 / R1 + 1.0 / R2);
  *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){
                 .n = 1, .A = (double[]){(G / R2 - 1.0) / R2 / C1}, .b_fn = reduced_b});
  nsds_relation *diode = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = 1,
                                                     .nx = 1,
                                                     .C = (double[]){G / R2},
                                                     .D = (double[]){G},
                                                     .B = (double[]){G / R2 / C1},
                                                     .e_fn = reduced_e});
  return nsds_connect(model, diode, nsds_complementarity(model), 1, ds);
}

/* With theta = 1 the algebraic row holds at the end of every step, so both forms are one scheme. */
static void algebraic_node(void **state) {
  (void)state;
  const nsds_time_stepping_def def = {.t1 = 0.5, .h = 1e-3, .first_order = nsds_euler_moreau(1.0)};
  for (form how = dense; how <= nonlinear; ++how) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds[2];
    nsds_interaction *diode = with_node(model, how, &ds[0]);
    nsds_interaction *reduced = without_node(model, &ds[1]);
    nsds_simulation *simulation = nsds_time_stepping(model, &def);
    assert_sound(model);
    double worst = 0.0;
    int conducting = 0;
    for (nsds_status status = NSDS_OK; (status = nsds_step(simulation)) != NSDS_END;) {
      assert_ok(model, status);
      worst = worse(worst, fabs(nsds_x(ds[0])[0] - nsds_x(ds[1])[0]));
      worst = worse(worst, fabs(nsds_x(ds[0])[1] - nsds_y(reduced)[0]));
      worst = worse(worst, fabs(nsds_lambda(diode)[0] - nsds_lambda(reduced)[0]));
      conducting += nsds_lambda(diode)[0] > 0.0;
    }
    print_message("             algebraic node, form %d: max diff %.2g\n", (int)how, worst);
    assert_between(worst, 0.0, 1e-11);
    assert_between(conducting, 50, 450);
    nsds_model_destroy(model);
  }
}

/* Started with v off its algebraic value, theta = 1 brings it there in the first step. */
static void inconsistent_start(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds[2];
  with_node(model, dense, &ds[0]);
  nsds_interaction *reduced = without_node(model, &ds[1]);
  assert_ok(model, nsds_set_x(ds[0], (double[]){0.0, 3.0}));
  nsds_simulation *simulation = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){.t1 = 0.5, .h = 1e-3, .first_order = nsds_euler_moreau(1.0)});
  assert_sound(model);
  for (int k = 0; k < 100; ++k) {
    assert_ok(model, nsds_step(simulation));
    assert_near(nsds_x(ds[0])[1], nsds_y(reduced)[0], 1e-12);
  }
  nsds_model_destroy(model);
}

/* ---- equality laws ---- */

/*
 * Two systems held together, x_1 = x_2: dx_1/dt = -x_1 + lambda, dx_2/dt = -3 x_2 - lambda. Both
 * follow e^(-2 t) and lambda = -e^(-2 t); the sum of both equations is the theta-scheme of dx/dt =
 * -2 x.
 */
static double held_together(double h, double theta, double *multiplier) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k)
    ds[k] = nsds_first_order_linear(
        model, &(nsds_first_order_linear_def){
                   .n = 1, .x0 = (double[]){1.0}, .A = (double[]){k == 0 ? -1.0 : -3.0}});
  nsds_relation *wire = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .ny = 1, .nx = 2, .C = (double[]){1.0, -1.0}, .B = (double[]){1.0, -1.0}});
  nsds_interaction *ia = nsds_connect(model, wire, nsds_equality(model), 2, ds);
  nsds_simulation *simulation = nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = 1.0, .h = h, .first_order = nsds_euler_moreau(theta)});
  assert_sound(model);
  double error = 0.0;
  *multiplier = 0.0;
  for (nsds_status status = NSDS_OK; (status = nsds_step(simulation)) != NSDS_END;) {
    assert_ok(model, status);
    double exact = exp(-2.0 * nsds_time(simulation));
    assert_near(nsds_x(ds[0])[0], nsds_x(ds[1])[0], 1e-14);
    error = worse(error, fabs(nsds_x(ds[0])[0] - exact));
    *multiplier = worse(*multiplier, fabs(nsds_lambda(ia)[0] + exact));
  }
  nsds_model_destroy(model);
  return error;
}

static void equality_of_states(void **state) {
  (void)state;
  const struct { double theta, x, lambda; } expected[] = {{0.5, 2.0, 1.0}, {1.0, 1.0, 1.0}};
  for (int k = 0; k < 2; ++k) {
    double l[2], e[2];
    for (int i = 0; i < 2; ++i) e[i] = held_together(ldexp(0.01, -i), expected[k].theta, &l[i]);
    print_message("             equality, theta %.1f: order %.3f in x, %.3f in lambda\n",
                  expected[k].theta, order_of(e[0], e[1]), order_of(l[0], l[1]));
    assert_between(order_of(e[0], e[1]), expected[k].x - 0.05, expected[k].x + 0.05);
    assert_between(order_of(l[0], l[1]), expected[k].lambda - 0.05, expected[k].lambda + 0.05);
  }
}

/*
 * An index-1 system through a nonlinear relation: dx/dt = lambda, 0 = lambda + lambda^3 + x, which
 * has one real root lambda(x). Compared with a fine Runge-Kutta solution.
 */
static int implicit_h(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double l = in->lambda[0];
  out[0] = l + l * l * l + in->x[0];
  return 0;
}

static int implicit_h_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 1.0 + 3.0 * in->lambda[0] * in->lambda[0];
  return 0;
}

static int identity(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

static int itself(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->lambda[0];
  return 0;
}

static double root(double x) {
  double l = 0.0;
  for (int k = 0; k < 100; ++k) l -= (l + l * l * l + x) / (1.0 + 3.0 * l * l);
  return l;
}

static double implicit_error(double h, nsds_discretisation scheme) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds =
      nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1, .x0 = (double[]){3.0}});
  nsds_relation *relation = nsds_first_order_relation(
      model, &(nsds_first_order_relation_def){.ny = 1,
                                              .nx = 1,
                                              .output_fn = implicit_h,
                                              .jac_output_x_fn = identity,
                                              .jac_output_lambda_fn = implicit_h_lambda,
                                              .input_fn = itself,
                                              .jac_input_lambda_fn = identity});
  nsds_connect(model, relation, nsds_equality(model), 1, &ds);
  run(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = h, .first_order = scheme}, 0);
  double x = 3.0, d = 1e-3;
  for (int k = 0; k < 1000; ++k) {
    double a = root(x), b = root(x + 0.5 * d * a), c = root(x + 0.5 * d * b), e = root(x + d * c);
    x += d / 6.0 * (a + 2.0 * b + 2.0 * c + e);
  }
  double error = fabs(nsds_x(ds)[0] - x);
  nsds_model_destroy(model);
  return error;
}

static void implicit_equation(void **state) {
  (void)state;
  double e[2], m[2];
  for (int i = 0; i < 2; ++i) {
    e[i] = implicit_error(ldexp(0.01, -i), nsds_euler_moreau(0.5));
    m[i] = implicit_error(ldexp(0.01, -i), nsds_full_theta_gamma(0.5, 0.5));
  }
  print_message("             implicit equation: order %.3f, at the middle of the step %.3f\n",
                order_of(e[0], e[1]), order_of(m[0], m[1]));
  assert_between(order_of(e[0], e[1]), 0.95, 1.05);
  assert_between(order_of(m[0], m[1]), 1.95, 2.05);
}

/* 0 = sin t - x_1 beside dx_0/dt = x_1: set off by d at t = 0.5, the equation is off by
 * (-(1 - theta)/theta)^k d after k steps: for ever at theta = 1/2, never at theta = 1. */
static int drive(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[1] = sin(in->t);
  return 0;
}

static void theta_below_one_rings_on_an_algebraic_equation(void **state) {
  (void)state;
  const double theta[] = {0.5, 0.75, 1.0}, d = 0.01;
  for (int k = 0; k < 3; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_first_order_linear(
        model, &(nsds_first_order_linear_def){.n = 2,
                                              .mass = (double[]){1.0, 0.0, 0.0, 0.0},
                                              .A = (double[]){0.0, 0.0, 1.0, -1.0},
                                              .b_fn = drive});
    nsds_simulation *s = nsds_time_stepping(
        model, &(nsds_time_stepping_def){
                   .t1 = 2.0, .h = 0.05, .first_order = nsds_euler_moreau(theta[k])});
    for (int i = 0; i < 10; ++i) assert_ok(model, nsds_step(s));
    assert_near(nsds_x(ds)[1], sin(nsds_time(s)), 1e-14); /* it holds from the start */
    double x[2] = {nsds_x(ds)[0], nsds_x(ds)[1] + d}, expected = d;
    assert_ok(model, nsds_set_x(ds, x));
    for (int i = 0; i < 20; ++i) {
      assert_ok(model, nsds_step(s));
      expected *= -(1.0 - theta[k]) / theta[k];
      assert_near(nsds_x(ds)[1] - sin(nsds_time(s)), expected, 1e-13);
    }
    nsds_model_destroy(model);
  }
}

static nsds_status no_mass(void *self, const nsds_arguments *in, double *M) {
  (void)self, (void)in, (void)M;
  return NSDS_OK;
}

static nsds_status no_mass_b(void *self, const nsds_arguments *in, double *b) {
  (void)self, (void)in;
  b[0] = b[1] = 1.0;
  return NSDS_OK;
}

static nsds_status no_mass_a(void *self, const nsds_arguments *in, double *A) {
  static const double values[] = {-2.0, 1.0, -1.0, 2.0};
  (void)self, (void)in;
  memcpy(A, values, sizeof values);
  return NSDS_OK;
}

static const nsds_first_order_ops no_mass_ops = {
    .type = "without mass", .mass = no_mass, .rhs = no_mass_b, .jacobian = no_mass_a};

/* Regression: a sparse M without entries is zero; it was taken for the identity. 0 = A x + b has its solution after
 * one step, whatever the start. */
static void mass_without_entries(void **state) {
  (void)state;
  static const int p[] = {0, 0, 0}, i[] = {0}, Ap[] = {0, 2, 4}, Ai[] = {0, 1, 0, 1};
  for (int adaptive = 0; adaptive < 2; ++adaptive) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_custom_first_order(
        model, &(nsds_custom_first_order_def){.ops = &no_mass_ops,
                                              .n = 2,
                                              .mass = {true, true, p, i},
                                              .jacobian = {true, true, Ap, Ai},
                                              .affine = true,
                                              .rhs_constant = true});
    nsds_simulation *simulation =
        adaptive ? nsds_adaptive(model, &(nsds_adaptive_def){.t1 = 1.0})
                 : nsds_time_stepping(
                       model, &(nsds_time_stepping_def){
                                  .t1 = 1.0, .h = 0.1, .first_order = nsds_euler_moreau(1.0)});
    assert_non_null(simulation);
    assert_int_equal(nsds_step(simulation), NSDS_OK);
    assert_float_equal(nsds_x(ds)[0], 1.0, 1e-12);
    assert_float_equal(nsds_x(ds)[1], -1.0, 1e-12);
    nsds_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(theta_below_one_rings_on_an_algebraic_equation),
      cmocka_unit_test(algebraic_node),
      cmocka_unit_test(mass_without_entries),
      cmocka_unit_test(inconsistent_start),
      cmocka_unit_test(equality_of_states),
      cmocka_unit_test(implicit_equation),
  };
  return cmocka_run_group_tests_name("first_order.dae", tests, NULL, NULL);
}
