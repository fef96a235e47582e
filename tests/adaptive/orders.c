/* Order of convergence of adaptive simulation, with equal steps, and its error for a tolerance. */
#include "support.h"

/* ---- linear, stiff, with an algebraic unknown ---- */

/*
 *   dx/dt = -k (x - sin t) + cos t,   x = sin t + (x0 - sin t0) exp(-k t);   0 = u - x - cos t
 */
typedef struct stiff {
  double k;
} stiff;

static int stiff_b(const nsds_arguments *in, double *out, void *user) {
  const stiff *s = user;
  out[0] = s->k * sin(in->t) + cos(in->t);
  out[1] = -cos(in->t);
  return 0;
}

static double stiff_error(double k, double h, double tolerance, long *steps) {
  stiff s = {k};
  const double M[] = {1.0, 0.0, 0.0, 0.0}, A[] = {-k, -1.0, 0.0, 1.0}, x0[] = {0.5, 0.0};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){
                 .n = 2, .x0 = x0, .mass = M, .A = A, .b_fn = stiff_b, .user = &s});
  nsds_simulation *sim = nsds_adaptive(
      model, &(nsds_adaptive_def){.t1 = 2.0, .largest_step = h, .tolerance = tolerance});
  assert_sound(model);
  assert_non_null(sim);
  assert_int_equal(nsds_run(sim), NSDS_END);
  const double *x = nsds_x(ds), right = sin(2.0) + 0.5 * exp(-2.0 * k);
  double error = fabs(x[0] - right);
  assert_near(x[1], x[0] + cos(2.0), 1e-12);
  assert_near(nsds_time(sim), 2.0, 0.0);
  *steps = nsds_simulation_adaptive(sim)->steps;
  nsds_model_destroy(model);
  return error;
}

static void linear(void **state) {
  (void)state;
  long steps;
  double last = NAN;
  for (double h = 0.1; h > 0.005; h *= 0.5) {
    double error = stiff_error(3.0, h, NSDS_EQUAL_STEPS, &steps);
    if (!isnan(last)) assert_between(order_of(last, error), 1.85, 2.15);
    last = error;
  }
  /* no transient disturbs a stiff system: L-stable */
  assert_between(stiff_error(1e6, 0.1, NSDS_EQUAL_STEPS, &steps), 0.0, 1e-6);
}

/* The error follows the tolerance, and the steps its cube root. */
static void tolerance(void **state) {
  (void)state;
  long coarse, fine;
  double error = stiff_error(3.0, 1.0, 1e-4, &coarse), less = stiff_error(3.0, 1.0, 1e-7, &fine);
  assert_between(error, 0.0, 2e-3);
  assert_between(less, 0.0, 2e-5);
  assert_true(less < 0.05 * error);
  assert_between((double)fine / (double)coarse, 4.0, 25.0);
}

/* ---- not linear ---- */

static int logistic_f(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->x[0] * (1.0 - in->x[0]);
  return 0;
}

static int logistic_a(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 1.0 - 2.0 * in->x[0];
  return 0;
}

/* 0 = y = lambda^3 - (x - x^2)^3, r = lambda: the same growth by a relation */
static int growth_h(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double x = in->x[0], g = x * (1.0 - x);
  out[0] = in->lambda[0] * in->lambda[0] * in->lambda[0] - g * g * g;
  return 0;
}

static int growth_c(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double x = in->x[0], g = x * (1.0 - x);
  out[0] = -3.0 * g * g * (1.0 - 2.0 * x);
  return 0;
}

static int growth_d(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 3.0 * in->lambda[0] * in->lambda[0];
  return 0;
}

static int growth_g(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->lambda[0];
  return 0;
}

static int growth_b(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

static double logistic_error(bool by_relation, double h) {
  const double x0 = 0.1;
  nsds_model *model = nsds_model_create(NULL);
  nsds_first_order_def def = {.n = 1, .x0 = &x0};
  if (!by_relation) def.f_fn = logistic_f, def.jac_f_x_fn = logistic_a;
  nsds_ds *ds = nsds_first_order(model, &def);
  if (by_relation) {
    nsds_relation *relation = nsds_first_order_relation(
        model, &(nsds_first_order_relation_def){.ny = 1,
                                                .nx = 1,
                                                .output_fn = growth_h,
                                                .jac_output_x_fn = growth_c,
                                                .jac_output_lambda_fn = growth_d,
                                                .input_fn = growth_g,
                                                .jac_input_lambda_fn = growth_b});
    nsds_interaction *ia = nsds_connect(model, relation, nsds_equality(model), 1, &ds);
    const double guess = 0.05;
    assert_ok(model, nsds_set_lambda(ia, &guess));
  }
  nsds_simulation *sim = nsds_adaptive(
      model, &(nsds_adaptive_def){.t1 = 3.0, .largest_step = h, .tolerance = NSDS_EQUAL_STEPS});
  assert_sound(model);
  assert_int_equal(nsds_run(sim), NSDS_END);
  double error = fabs(nsds_x(ds)[0] - 1.0 / (1.0 + 9.0 * exp(-3.0)));
  nsds_model_destroy(model);
  return error;
}

static void nonlinear(void **state) {
  (void)state;
  for (int by_relation = 0; by_relation < 2; ++by_relation) {
    double last = NAN;
    for (double h = 0.2; h > 0.01; h *= 0.5) {
      double error = logistic_error(by_relation, h);
      if (!isnan(last)) assert_between(order_of(last, error), 1.8, 2.2);
      last = error;
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(linear), cmocka_unit_test(tolerance),
                                     cmocka_unit_test(nonlinear)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
