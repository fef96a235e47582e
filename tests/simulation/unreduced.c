/*
 * A line of diode cells with dense A takes the reduced one-step problem, with sparse A the
 * unreduced one: both must give the same trajectory, for complementarity and relays, for every
 * scheme, and after a change of the step.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <nsds/nsds.h>

#include <math.h>
#include <stdlib.h>

enum { cells = 24, n = 2 * cells, steps = 300 };

typedef struct line {
  nsds_model *model;
  nsds_ds *ds;
  nsds_interaction *diode[cells];
  nsds_simulation *simulation;
} line;

/* Inductors i_k and capacitors v_k: L di_k/dt = v_{k-1} - v_k - r i_k, C dv_k/dt = i_k - i_{k+1} +
 * lambda_k, with a diode (y = v_k) or a relay across every capacitor. */
static void coefficients(double *A) {
  const double L = 1e-3, C = 1e-6, r = 0.5;
  for (int k = 0; k < n * n; ++k) A[k] = 0.0;
  for (int k = 0; k < cells; ++k) {
    int i = 2 * k, v = i + 1;
    A[i + i * n] = -r / L;
    A[i + v * n] = -1.0 / L;
    A[v + i * n] = 1.0 / C;
    if (k > 0) A[i + (v - 2) * n] = 1.0 / L;
    if (k + 1 < cells) A[v + (i + 2) * n] = -1.0 / C;
  }
}

static line build(bool sparse, bool relay, nsds_discretisation scheme) {
  static double A[n * n], x[n * n];
  static int p[n + 1], i[n * n];
  coefficients(A);
  for (int j = 0, count = 0; j < n; ++j) {
    for (int k = 0; k < n; ++k)
      if (A[k + j * n] != 0.0) {
        i[count] = k;
        x[count++] = A[k + j * n];
      }
    p[j + 1] = count;
  }
  double x0[n];
  for (int k = 0; k < n; ++k) x0[k] = k % 2 ? 10.0 * sin(0.3 * k) : 0.0;
  line l = {.model = nsds_model_create(NULL)};
  l.ds =
      nsds_first_order_linear(l.model, &(nsds_first_order_linear_def){
                                           .n = n,
                                           .x0 = x0,
                                           .A = sparse ? NULL : A,
                                           .A_sparse = sparse ? &(nsds_csc){n, n, p, i, x} : NULL,
                                       });
  nsds_law *law = relay ? nsds_relay(l.model, 1, (double[]){-1e-3}, (double[]){1e-3})
                        : nsds_complementarity(l.model);
  for (int k = 0; k < cells; ++k) {
    double C[n] = {0}, B[n] = {0};
    C[2 * k + 1] = 1.0;
    B[2 * k + 1] = 1e6;
    nsds_relation *relation = nsds_first_order_linear_relation(
        l.model, &(nsds_first_order_linear_relation_def){
                     .ny = 1, .nx = n, .C = C, .B = B, .D = (double[]){relay ? 0.0 : 0.1}});
    l.diode[k] = nsds_connect(l.model, relation, law, 1, &l.ds);
  }
  l.simulation = nsds_time_stepping(
      l.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 2e-6, .first_order = scheme});
  assert_non_null(l.simulation);
  return l;
}

/* Both run side by side; the largest difference relative to the largest value must be rounding. */
static void compare(bool relay, nsds_discretisation scheme) {
  line dense = build(false, relay, scheme), sparse = build(true, relay, scheme);
  int switched = 0, conducting = -1;
  for (int s = 0; s < steps; ++s) {
    if (s == steps / 2) {
      assert_int_equal(nsds_simulation_set_h(dense.simulation, 1e-6), NSDS_OK);
      assert_int_equal(nsds_simulation_set_h(sparse.simulation, 1e-6), NSDS_OK);
    }
    assert_int_equal(nsds_step(dense.simulation), NSDS_OK);
    assert_int_equal(nsds_step(sparse.simulation), NSDS_OK);
    const double *a = nsds_x(dense.ds), *b = nsds_x(sparse.ds);
    double error = 0.0, size = 0.0;
    for (int k = 0; k < n; ++k) {
      error = fmax(error, fabs(a[k] - b[k]));
      size = fmax(size, fabs(a[k]));
    }
    assert_true(error <= 1e-9 * size);
    const double *r = nsds_r(dense.ds), *t = nsds_r(sparse.ds);
    for (int k = 0; k < n; ++k) assert_true(fabs(r[k] - t[k]) <= 1e-6 * (1.0 + fabs(r[k])));
    int now = 0;
    for (int k = 0; k < cells; ++k) {
      double y = nsds_y(dense.diode[k])[0], z = nsds_y(sparse.diode[k])[0];
      assert_true(fabs(y - z) <= 1e-9 * (size + fabs(y)));
      now += nsds_lambda(sparse.diode[k])[0] > 0.0;
    }
    switched += conducting >= 0 && now != conducting;
    conducting = now;
  }
  assert_int_equal(nsds_simulation_info(sparse.simulation)->active, cells);
  assert_true(switched > 3);
  nsds_model_destroy(dense.model);
  nsds_model_destroy(sparse.model);
}

static void diodes_euler_moreau(void **state) {
  (void)state;
  compare(false, nsds_euler_moreau(0.5));
}

static void diodes_theta_gamma(void **state) {
  (void)state;
  compare(false, nsds_theta_gamma(0.5, 0.7));
}

static void diodes_full_theta_gamma(void **state) {
  (void)state;
  compare(false, nsds_full_theta_gamma(0.5, 0.7));
}

static void relays(void **state) {
  (void)state;
  compare(true, nsds_euler_moreau(0.5));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(diodes_euler_moreau), cmocka_unit_test(diodes_theta_gamma),
      cmocka_unit_test(diodes_full_theta_gamma), cmocka_unit_test(relays)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
