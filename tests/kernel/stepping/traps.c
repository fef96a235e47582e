/*
 * What is easily got wrong, each trap named by its test: zeros that mean default, laws of high
 * relative degree, parameters without their number, times of lambda, matrices by rows and triplets.
 */
#include "support.h"
#include "static_schemes.h"

#include <stdio.h>

/* ---- zeros and defaults ---------------------------------------------------------------------- */

/* v and q after one step of an oscillator q'' = -k q from q = 1 with theta as given. */
static void theta_zero_is_not_the_default(void **state) {
  (void)state;
  const double h = 0.1, k = 3.0, one[] = {1.0};
  const nsds_discretisation given[] = {
      nsds_moreau_jean(0.0, 1.0), {0}, nsds_moreau_jean(0.5, 1.0), nsds_moreau_jean(1.0, 1.0)};
  static const double meant[] = {0.0, 0.5, 0.5, 1.0};
  for (int c = 0; c < 4; ++c) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.ndof = 1, .q0 = one, .mass = one, .stiffness = &k});
    run(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = h, .second_order = given[c]}, 1);
    double ht = h * meant[c], v = -h * k / (1.0 + ht * ht * k);
    assert_near(nsds_v(ds)[0], v, 1e-14);
    assert_near(nsds_q(ds)[0], 1.0 + ht * v, 1e-14);
    nsds_model_destroy(model);
  }
}

static int mass_of_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 1.0 + in->q[0] * in->q[0];
  return 0;
}

/* One step of M(q) v' = 1 from q = 1, v = 2, with M at q + h g v once. */
static void gamma_zero_is_not_the_default(void **state) {
  (void)state;
  const double h = 0.1;
  static const struct {
    double gamma, mass, meant; /* mass < 0: left out, that is gamma */
  } all[] = {{0.0, -1.0, 0.0}, {1.0, -1.0, 1.0}, {0.5, -1.0, 0.5},
             {1.0, 0.0, 0.0},  {0.0, 1.0, 1.0},  {1.0, 0.5, 0.5}};
  for (size_t c = 0; c < sizeof all / sizeof *all; ++c) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian(model, &(nsds_lagrangian_def){.ndof = 1,
                                                                .q0 = (double[]){1.0},
                                                                .v0 = (double[]){2.0},
                                                                .mass_fn = mass_of_q,
                                                                .fext = (double[]){1.0}});
    nsds_discretisation scheme = nsds_moreau_jean(0.5, all[c].gamma);
    if (all[c].mass >= 0.0) scheme = nsds_with_gamma_mass(scheme, all[c].mass);
    scheme = nsds_with_predict_once(scheme);
    run(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = h, .second_order = scheme}, 1);
    double q = 1.0 + 2.0 * h * all[c].meant;
    assert_near(nsds_v(ds)[0], 2.0 + h / (1.0 + q * q), 1e-12);
    nsds_model_destroy(model);
  }
}

/* ---- relative degree ------------------------------------------------------------------------- */

static void count_degree(nsds_log_level level, const char *message, void *user) {
  if (level == NSDS_LOG_WARNING && strstr(message, "relative degree")) ++*(int *)user;
}

/* A chain of n integrators under the law, y the first. */
static nsds_ds *integrators(nsds_model *model, int n, nsds_law *law) {
  double A[16] = {0.0}, B[4] = {0.0}, C[4] = {1.0}, x0[4] = {1.0};
  for (int i = 0; i + 1 < n; ++i) A[i + (i + 1) * n] = 1.0;
  B[n - 1] = 1.0;
  nsds_ds *ds =
      nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = n, .x0 = x0, .A = A});
  nsds_connect(
      model,
      nsds_first_order_linear_relation(
          model, &(nsds_first_order_linear_relation_def){.ny = 1, .nx = n, .C = C, .B = B}),
      law, 1, &ds);
  return ds;
}

/* A relay or a saturation bounds lambda, which then has no impulses: y = 1 - t^n / n! until it
 * changes its sign, and lambda never leaves its bounds. A relay open to one side is another law. */
static void relays_of_any_degree_are_admitted(void **state) {
  (void)state;
  const double low = -1.0, high = 1.0, open = INFINITY;
  double factorial = 1.0;
  for (int n = 1; n <= 4; ++n) {
    factorial *= n;
    for (int c = 0; c < 3; ++c) {
      int warnings = 0;
      nsds_context *context =
          nsds_context_create(&(nsds_context_def){.log = count_degree, .log_user = &warnings});
      nsds_model *model = nsds_model_create(context);
      nsds_law *law = c == 0   ? nsds_relay(model, 1, &low, &high)
                      : c == 1 ? nsds_saturation(model, 1, &low, &high, 1e6)
                               : nsds_relay(model, 1, &low, &open);
      nsds_ds *ds = integrators(model, n, law);
      nsds_simulation *s =
          nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 4.0, .h = 1e-3});
      assert_int_equal(warnings, c == 2 && n == 2);
      assert_true((s != NULL) == (c < 2 || n <= 2));
      double arrival = pow(factorial, 1.0 / n);
      while (c < 2 && nsds_step(s) == NSDS_OK) {
        double t = nsds_time(s), lambda = nsds_lambda(nsds_interaction_at(model, 0))[0];
        assert_between(lambda, -1.0, 1.0);
        if (t < arrival - 0.01) assert_near(nsds_x(ds)[0], 1.0 - pow(t, n) / factorial, 2e-3);
      }
      nsds_model_destroy(model);
      nsds_context_destroy(context);
    }
  }
}

/* ---- parameters ------------------------------------------------------------------------------ */

static void z_without_its_number_is_refused(void **state) {
  (void)state;
  const double one[] = {1.0};
  nsds_model *model = nsds_model_create(NULL);
  nsds_context *context = nsds_model_context(model);
  for (int c = 0; c < 6; ++c) {
    bool made =
        c == 0 ? nsds_lagrangian_linear(
                     model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = one, .z = one}) != NULL
        : c == 1 ? nsds_lagrangian(model,
                                   &(nsds_lagrangian_def){.ndof = 1, .mass = one, .z = one}) != NULL
        : c == 2 ? nsds_first_order_linear(model,
                                           &(nsds_first_order_linear_def){.n = 1, .z = one}) != NULL
        : c == 3 ? nsds_first_order(model, &(nsds_first_order_def){.n = 1, .z = one}) != NULL
        : c == 4 ? nsds_first_order_linear_relation(
                       model,
                       &(nsds_first_order_linear_relation_def){
                           .ny = 1, .nx = 1, .C = one, .B = one, .z = one}) != NULL
                 : nsds_mixed_linear_relation(model, &(nsds_mixed_linear_relation_def){
                                                         .ny = 1, .nq = 1, .z = one}) != NULL;
    assert_false(made);
    assert_words(nsds_error_message(context), ((const char *[]){"z is given", "is 0"}), 2);
    nsds_error_clear(context);
  }
  nsds_model_destroy(model);
}

/* ---- the time of lambda ---------------------------------------------------------------------- */

static int minus_sine(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -sin(in->t);
  return 0;
}

/* lambda = sin t at whatever time the scheme imposes it. */
static void the_scheme_tells_when_its_lambda_holds(void **state) {
  (void)state;
  const double one[] = {1.0}, h = 0.1;
  for (int scheme = NSDS_EULER_MOREAU; scheme <= NSDS_FULL_THETA_GAMMA; ++scheme) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1});
    nsds_relation *relation = nsds_first_order_linear_relation(
        model, &(nsds_first_order_linear_relation_def){
                   .ny = 1, .nx = 1, .C = (double[]){0.0}, .B = one, .D = one, .e_fn = minus_sine});
    nsds_interaction *ia = nsds_connect(model, relation, nsds_equality(model), 1, &ds);
    nsds_simulation *s = nsds_time_stepping(
        model,
        &(nsds_time_stepping_def){
            .t1 = 1.0, .h = h, .first_order = scheme_of((nsds_scheme_kind)scheme, 0.5, 0.3)});
    while (nsds_step(s) == NSDS_OK) {
      const nsds_step_info *info = nsds_simulation_info(s);
      assert_near(info->t - info->t_lambda, scheme == NSDS_FULL_THETA_GAMMA ? 0.7 * h : 0.0, 1e-14);
      assert_near(nsds_lambda(ia)[0], sin(info->t_lambda), 1e-12);
    }
    assert_sound(model);
    nsds_model_destroy(model);
  }
}

/* ---- matrices as they are written ------------------------------------------------------------ */

static void rows_are_not_columns(void **state) {
  (void)state;
  const double *A = NSDS_ROWS(2, 3, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
  static const double columns[] = {1.0, 4.0, 2.0, 5.0, 3.0, 6.0};
  assert_memory_equal(A, columns, sizeof columns);
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 2,
                                            .x0 = (double[]){1.0, 0.0},
                                            .A = NSDS_ROWS(2, 2, 0.0, 0.0, //
                                                           7.0, 0.0)});
  run(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1.0}, 1);
  assert_near(nsds_x(ds)[1], 7.0, 1e-12); /* dx_1/dt = 7 x_0 */
  nsds_model_destroy(model);
}

static void triplets_in_any_order(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (int round = 0; round < 200; ++round) {
    enum { most = 300, size = 12 };
    int m = 1 + round % size, n = 1 + (round / 3) % size, count = round == 0 ? 0 : round + 90;
    double dense[size * size] = {0.0}, x[most];
    nsds_triplet t[most];
    for (int k = 0; k < count; ++k) {
      t[k] = (nsds_triplet){(int)random_in(&seed, 0.0, m), (int)random_in(&seed, 0.0, n),
                            random_in(&seed, -1.0, 1.0)};
      dense[t[k].row + t[k].col * m] += t[k].value;
    }
    int p[size + 1], i[most];
    nsds_csc A;
    assert_int_equal(nsds_triplets_to_csc(m, n, count, t, p, i, x, &A), NSDS_OK);
    assert_true(A.nrow == m && A.ncol == n && A.p[0] == 0);
    for (int j = 0; j < n; ++j)
      for (int k = A.p[j]; k < A.p[j + 1]; ++k) {
        assert_true(k == A.p[j] || A.i[k] > A.i[k - 1]);
        dense[A.i[k] + j * m] -= A.x[k];
      }
    for (int k = 0; k < m * n; ++k) assert_near(dense[k], 0.0, 1e-13);
  }
  nsds_csc A = {.nrow = 7};
  int p[3], i[1];
  double x[1];
  const nsds_triplet outside = {2, 0, 1.0};
  assert_int_equal(nsds_triplets_to_csc(2, 2, 1, &outside, p, i, x, &A), NSDS_ERROR_SIZE);
  assert_words(nsds_error_message(NULL), ((const char *[]){"triplet[0]", "(2, 0)"}), 2);
  assert_int_equal(nsds_triplets_to_csc(2, 2, -1, &outside, p, i, x, &A), NSDS_ERROR_SIZE);
  assert_int_equal(nsds_triplets_to_csc(2, 2, 1, &outside, NULL, i, x, &A), NSDS_ERROR_ARGUMENT);
  assert_int_equal(A.nrow, 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(theta_zero_is_not_the_default),
                                     cmocka_unit_test(gamma_zero_is_not_the_default),
                                     cmocka_unit_test(relays_of_any_degree_are_admitted),
                                     cmocka_unit_test(z_without_its_number_is_refused),
                                     cmocka_unit_test(the_scheme_tells_when_its_lambda_holds),
                                     cmocka_unit_test(rows_are_not_columns),
                                     cmocka_unit_test(triplets_in_any_order)};
  return cmocka_run_group_tests_name("kernel.traps", tests, NULL, NULL);
}
