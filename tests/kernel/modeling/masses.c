/*
 * The check of mass matrices tells definite ones from singular and indefinite ones, whatever their
 * size and units: M = S Q diag(1, ..., 1, mu) Q^T S with a reflection Q and scales S is definite
 * exactly where mu > 0.
 */
#include "support.h"
#include "static_schemes.h"

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
  nsds_simulation *s = run(model,
                           &(nsds_time_stepping_def){.t1 = 1.0,
                                                     .h = 0.1,
                                                     .first_order = nsds_euler_moreau(1.0),
                                                     .second_order = nsds_moreau_jean(1.0, 1.0)},
                           0);
  assert_non_null(s);
  assert_sound(model);
  nsds_model_destroy(model);
}

/* Scaling makes no diagonal matrix singular: m_i from 1e-9 to 1e9, each falls for itself. */
static void diagonal_mass_over_18_decades_steps(void **state) {
  (void)state;
  enum { n = 19 };
  static double m[n * n], force[n], zero[n * n];
  double diagonal[n];
  int p[n + 1], row[n];
  for (int k = 0; k < n; ++k) {
    diagonal[k] = m[k + k * n] = pow(10.0, 9.0 - k);
    force[k] = -9.81 * diagonal[k];
    p[k] = row[k] = k;
  }
  p[n] = n;
  const nsds_csc csc = {.nrow = n, .ncol = n, .p = p, .i = row, .x = diagonal};
  for (int kind = 0; kind < 4; ++kind) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_lagrangian_linear_def linear = {.ndof = n, .fext = force};
    if (kind == 0) linear.mass = m;
    else linear.mass_sparse = &csc;
    if (kind == 2) linear.stiffness = zero;
    nsds_ds *ds =
        kind < 3
            ? nsds_lagrangian_linear(model, &linear)
            : nsds_lagrangian(model, &(nsds_lagrangian_def){.ndof = n, .mass = m, .fext = force});
    run(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1}, 0);
    assert_sound(model);
    for (int k = 0; k < n; ++k) assert_near(nsds_v(ds)[k], -9.81, 1e-12);
    nsds_model_destroy(model);
  }
}

/* ---- matrices on the pattern of the identity ---- */

static int shake(const nsds_arguments *in, double *f, void *user) {
  (void)user;
  for (int k = 0; k < 3; ++k) f[k] = -9.81 * (k + 1.0) + 3.0 * sin(5.0 * in->t + k);
  return 0;
}

static int drift(const nsds_arguments *in, double *v, void *user) {
  (void)user;
  v[0] = -0.3 + 0.5 * sin(4.0 * in->t);
  return 0;
}

/* Three masses, each on a spring and a damper, over a floor that the first and the last share; the
 * second one driven, or free. */
static nsds_ds *oscillators(nsds_model *model, bool diagonal, bool driven) {
  const double x[3][3] = {{2.0, 1.5, 1.0}, {0.4, 0.3, 0.2}, {40.0, 50.0, 25.0}};
  static const int p[] = {0, 1, 2, 3}, second[] = {1};
  double dense[3][9] = {{0.0}};
  nsds_csc sparse[3];
  for (int k = 0; k < 3; ++k) {
    sparse[k] = (nsds_csc){.nrow = 3, .ncol = 3, .p = p, .i = p, .x = x[k]};
    for (int j = 0; j < 3; ++j) dense[k][4 * j] = x[k][j];
  }
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 3,
                                           .q0 = (double[]){0.4, 0.35, 0.5},
                                           .v0 = (double[]){0.0, -0.5, 0.2},
                                           .mass = diagonal ? NULL : dense[0],
                                           .damping = diagonal ? NULL : dense[1],
                                           .stiffness = diagonal ? NULL : dense[2],
                                           .mass_sparse = diagonal ? &sparse[0] : NULL,
                                           .damping_sparse = diagonal ? &sparse[1] : NULL,
                                           .stiffness_sparse = diagonal ? &sparse[2] : NULL,
                                           .fext_fn = shake,
                                           .prescribed.n = driven,
                                           .prescribed.index = driven ? second : NULL,
                                           .prescribed.fn = driven ? drift : NULL});
  nsds_relation *floor = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 2, .nq = 3, .H = (double[]){1.0, 0.1, 0.0, 0.4, 0.3, 0.8}});
  nsds_connect(model, floor, nsds_newton_impact(model, 0.6), 1, &ds);
  assert_sound(model);
  return ds;
}

static void diagonal_systems_move_as_dense_ones(void **state) {
  (void)state;
  static const nsds_scheme_kind schemes[] = {NSDS_MOREAU_JEAN, NSDS_RATTLE, NSDS_SCHATZMAN_PAOLI,
                                             NSDS_D1_MINUS};
  for (int kind = 0; kind < 10; ++kind) {
    bool driven = kind >= 5, by_events = kind % 5 == 4;
    if (driven && kind > 6) continue; /* what others refuse */
    double q[2][6];
    for (int diagonal = 0; diagonal < 2; ++diagonal) {
      nsds_model *model = nsds_model_create(NULL);
      nsds_ds *ds = oscillators(model, diagonal, driven);
      nsds_simulation *s =
          by_events ? nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0})
                    : nsds_time_stepping(
                          model, &(nsds_time_stepping_def){
                                     .t1 = 1.0,
                                     .h = 1e-3,
                                     .second_order = scheme_of(schemes[kind % 5], 0.5, 1.0)});
      assert_sound(model);
      assert_status(model, nsds_run(s), NSDS_END);
      for (int k = 0; k < 3; ++k) {
        q[diagonal][k] = nsds_q(ds)[k];
        q[diagonal][3 + k] = nsds_v(ds)[k];
      }
      nsds_model_destroy(model);
    }
    for (int k = 0; k < 6; ++k) assert_near(q[1][k], q[0][k], by_events ? 1e-8 : 1e-12);
  }
}

/* Each 2 x 2 minor is 0.51, the determinant -1.4. */
static void indefinite_mass_with_positive_minors_is_refused(void **state) {
  (void)state;
  for (int n = 3; n <= most; ++n) {
    double m[most * most];
    for (int k = 0; k < n * n; ++k) m[k] = k % (n + 1) == 0 ? 1.0 : -0.7;
    assert_false(is_taken(n, m, false));
    assert_false(is_taken(n, m, true));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mass_check_is_the_sign_of_the_least_eigenvalue),
      cmocka_unit_test(mass_check_refuses_singular_ones),
      cmocka_unit_test(diagonal_mass_over_18_decades_steps),
      cmocka_unit_test(diagonal_systems_move_as_dense_ones),
      cmocka_unit_test(indefinite_mass_with_positive_minors_is_refused),
      cmocka_unit_test(singular_mass_of_first_order_stays),
  };
  return cmocka_run_group_tests_name("kernel.masses", tests, NULL, NULL);
}
