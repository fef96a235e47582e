/*
 * nsds_relative_degree() on systems built to have a given degree, and what nsds_time_stepping()
 * makes of it.
 */
#include "support.h"

#include <stdio.h>

/* A chain of integrators of length n in coordinates turned by a random matrix T = I + E:
 *   dx/dt = T N T^-1 x + T e_n lambda,   y = e_1^T T^-1 x,
 * so that y is of degree n; E lower triangular, so that T^-1 follows by substitution. */
enum { most = 5 };

typedef struct chain {
  int n;
  double A[most * most], B[most], C[most];
} chain;

static chain make_chain(int n, uint64_t seed) {
  chain c = {.n = n};
  double T[most][most] = {{0}}, S[most][most] = {{0}}; /* S = T^-1 */
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) T[i][j] = i == j ? 1.0 : random_in(&seed, -1.0, 1.0);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      S[i][j] = i == j;
      for (int k = 0; k < i; ++k) S[i][j] -= T[i][k] * S[k][j];
    }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      for (int k = 0; k + 1 < n; ++k) c.A[i + j * n] += T[i][k] * S[k + 1][j];
    c.B[i] = T[i][n - 1];
    c.C[i] = S[0][i];
  }
  return c;
}

static nsds_interaction *connect_chain(nsds_model *model, const chain *c, double D,
                                       const double *mass) {
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.name = "chain", .n = c->n, .A = c->A, .mass = mass});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model,
      &(nsds_first_order_linear_relation_def){
          .name = "output", .ny = 1, .nx = c->n, .C = c->C, .B = c->B, .D = D != 0.0 ? &D : NULL});
  return nsds_connect(model, relation, nsds_complementarity(model), 1, &ds);
}

static void chains(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; ++seed)
    for (int n = 1; n <= most; ++n) {
      nsds_model *model = nsds_model_create(NULL);
      chain c = make_chain(n, seed);
      assert_int_equal(nsds_relative_degree(connect_chain(model, &c, 0.0, NULL), 0, 0.0), n);
      assert_int_equal(nsds_relative_degree(connect_chain(model, &c, 0.3, NULL), 0, 0.0), 0);
      assert_sound(model);
      nsds_model_destroy(model);
    }
}

/* Rows of several degrees in one interaction, over two systems with mass matrices. */
static void rows_over_two_systems(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  const double shift[] = {0.0, 0.0, 1.0, 0.0}; /* dx_1 = x_2 */
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k)
    ds[k] = nsds_first_order_linear(
        model, &(nsds_first_order_linear_def){
                   .n = 2, .A = shift, .mass = k == 0 ? (double[]){2.0, 0.5, 0.0, 1.0} : NULL});
  /* X = (a_1, a_2, b_1, b_2); lambda_0 drives a_2, lambda_1 drives b_2, lambda_2 nothing */
  const double B[4 * 3] = {0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0};
  double C[3 * 4] = {0};
  C[0 + 3 * 0] = 1.0; /* y_0 = a_1: degree 2 */
  C[1 + 3 * 3] = 2.0; /* y_1 = 2 b_2: degree 1 */
  C[2 + 3 * 0] = 1.0; /* y_2 = a_1, never reached by lambda_2 */
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = 3, .nx = 4, .C = C, .B = B});
  nsds_interaction *ia = nsds_connect(model, relation, nsds_equality(model), 2, ds);
  assert_sound(model);
  assert_int_equal(nsds_relative_degree(ia, 0, 0.0), 2);
  assert_int_equal(nsds_relative_degree(ia, 1, 0.0), 1);
  assert_int_equal(nsds_relative_degree(ia, 2, 0.0), 5);
  /* an off-diagonal entry of D is another row's business */
  nsds_relation *with_d = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .ny = 3, .nx = 4, .C = C, .B = B, .D = (double[]){0, 0, 0, 1, 0, 0, 0, 0, 1}});
  ia = nsds_connect(model, with_d, nsds_equality(model), 2, ds);
  assert_int_equal(nsds_relative_degree(ia, 0, 0.0), 2);
  assert_int_equal(nsds_relative_degree(ia, 2, 0.0), 0);
  assert_sound(model);
  nsds_model_destroy(model);
}

/* A coupling below the tolerance counts as zero. */
static void tolerance(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  const chain c = {.n = 2, .A = {0.0, 0.0, 1.0, 0.0}, .B = {1e-7, 1.0}, .C = {1.0, 0.0}};
  nsds_interaction *ia = connect_chain(model, &c, 0.0, NULL);
  assert_int_equal(nsds_relative_degree(ia, 0, 0.0), 1);
  assert_int_equal(nsds_relative_degree(ia, 0, 1e-6), 2);
  nsds_model_destroy(model);
}

/* ---- where it is not defined ---- */

static int zero_f(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 0.0;
  return 0;
}

static void undefined(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_context *context = nsds_model_context(model);
  nsds_ds *nonlinear = nsds_first_order(
      model, &(nsds_first_order_def){.n = 1, .f_fn = zero_f, .jac_f_x_fn = nsds_zero});
  const chain c = {.n = 1, .B = {1.0}, .C = {1.0}};
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = 1, .nx = 1, .C = c.C, .B = c.B});
  nsds_interaction *ia = nsds_connect(model, relation, nsds_equality(model), 1, &nonlinear);
  assert_sound(model);
  assert_int_equal(nsds_relative_degree(ia, 0, 0.0), -1);
  assert_int_equal(nsds_error(context), NSDS_ERROR_UNSUPPORTED);
  assert_words(nsds_error_message(context), ((const char *[]){"#0", "linear"}), 2);
  nsds_error_clear(context);
  nsds_interaction *singular = connect_chain(model, &c, 0.0, (double[]){0.0});
  assert_int_equal(nsds_relative_degree(singular, 0, 0.0), -1);
  assert_int_equal(nsds_error(context), NSDS_ERROR_SINGULAR);
  assert_words(nsds_error_message(context), ((const char *[]){"#1", "singular M"}), 2);
  nsds_error_clear(context);
  for (int row = -1; row <= 1; row += 2) {
    assert_int_equal(nsds_relative_degree(singular, row, 0.0), -1);
    assert_int_equal(nsds_error(context), NSDS_ERROR_ARGUMENT);
    nsds_error_clear(context);
  }
  assert_int_equal(nsds_relative_degree(NULL, 0, 0.0), -1);
  nsds_model_destroy(model);
}

/* ---- at the start of a simulation ---- */

static void count_warning(nsds_log_level level, const char *message, void *user) {
  if (level == NSDS_LOG_WARNING && strstr(message, "relative degree 2")) ++*(int *)user;
}

/* Degrees 0 and 1 run, 2 runs with a warning, higher ones are refused. */
static void at_the_start(void **state) {
  (void)state;
  for (int degree = 0; degree <= 4; ++degree) {
    int warnings = 0;
    nsds_context *context =
        nsds_context_create(&(nsds_context_def){.log = count_warning, .log_user = &warnings});
    nsds_model *model = nsds_model_create(context);
    chain c = make_chain(degree > 0 ? degree : 1, 3);
    connect_chain(model, &c, degree == 0 ? 1.0 : 0.0, NULL);
    assert_sound(model);
    nsds_simulation *simulation =
        nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1});
    assert_true((simulation != NULL) == (degree <= 2));
    assert_int_equal(warnings, degree == 2);
    if (degree > 2) {
      char words[32];
      snprintf(words, sizeof words, "relative degree %d", degree);
      assert_int_equal(nsds_error(context), NSDS_ERROR_UNSUPPORTED);
      assert_words(nsds_error_message(context), ((const char *[]){words, "#0", "output"}), 3);
    }
    nsds_model_destroy(model);
    nsds_context_destroy(context);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chains),       cmocka_unit_test(rows_over_two_systems),
      cmocka_unit_test(tolerance),    cmocka_unit_test(undefined),
      cmocka_unit_test(at_the_start),
  };
  return cmocka_run_group_tests_name("first_order.relative_degree", tests, NULL, NULL);
}
