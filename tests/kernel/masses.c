/*
 * The check of mass matrices tells definite ones from singular and indefinite ones, whatever their
 * size and units: M = S Q diag(1, ..., 1, mu) Q^T S with a reflection Q and scales S is definite
 * exactly where mu > 0.
 */
#include "support.h"

enum { most = 12 };

static void make(uint64_t *seed, int n, double mu, double decades, double *m) {
  double u[most], s[most], norm = 0.0;
  for (int i = 0; i < n; ++i) {
    u[i] = random_in(seed, 0.5, 1.0); /* every entry of M is filled */
    s[i] = pow(10.0, random_in(seed, -decades, decades));
    norm += u[i] * u[i];
  }
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      m[i + j * n] = s[i] * s[j] * ((i == j) - (1.0 - mu) * u[i] * u[j] / norm);
}

static bool is_taken(int n, const double *m, bool sparse) {
  int p[most + 1], row[most * most];
  for (int k = 0; k <= n; ++k) p[k] = k * n;
  for (int k = 0; k < n * n; ++k) row[k] = k % n;
  const nsds_csc csc = {.nrow = n, .ncol = n, .p = p, .i = row, .x = m};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .ndof = n, .mass = sparse ? NULL : m, .mass_sparse = sparse ? &csc : NULL});
  if (!ds) assert_int_equal(nsds_error(nsds_model_context(model)), NSDS_ERROR_SINGULAR);
  nsds_model_destroy(model);
  return ds != NULL;
}

static void mass_check_is_the_sign_of_the_least_eigenvalue(void **state) {
  (void)state;
  uint64_t seed = 7;
  double m[most * most];
  for (int sparse = 0; sparse < 2; ++sparse)
    for (int n = 3; n <= most; ++n)
      for (int decades = 0; decades <= 6; decades += 3)
        for (int k = 0; k < 4; ++k) {
          const double mu[] = {-0.2, -1e-9, 1e-9, 1.0};
          make(&seed, n, mu[k], decades, m);
          assert_int_equal(is_taken(n, m, sparse), mu[k] > 0.0);
        }
}

static void mass_check_refuses_singular_ones(void **state) {
  (void)state;
  uint64_t seed = 11;
  double m[most * most];
  for (int n = 3; n <= most; ++n) {
    make(&seed, n, 0.0, 2.0, m);
    assert_false(is_taken(n, m, false));
    assert_false(is_taken(n, m, true));
  }
}

/* M may be singular in first-order systems: the last row is the algebraic equation x_0 = x_2. */
static void singular_mass_of_first_order_stays(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  const double mass[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0};
  const double A[9] = {-1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0};
  assert_non_null(
      nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 3, .mass = mass, .A = A}));
  nsds_simulation *s = run(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1, .theta = 1.0}, 0);
  assert_non_null(s);
  assert_sound(model);
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mass_check_is_the_sign_of_the_least_eigenvalue),
      cmocka_unit_test(mass_check_refuses_singular_ones),
      cmocka_unit_test(singular_mass_of_first_order_stays),
  };
  return cmocka_run_group_tests_name("kernel.masses", tests, NULL, NULL);
}
