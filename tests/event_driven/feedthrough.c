/* First-order rows y = c + C x + D lambda whose D is singular or skew: what is closed determines
 * lambda by dy/dt where it does not by y. */
#include "support.h"

typedef struct circuit {
  nsds_model *model;
  nsds_ds *ds;
  nsds_interaction *ia;
} circuit;

/* dx/dt = 1 - l1 + l2,  0 <= 1/2 - x + l2 _|_ l1 >= 0,  0 <= e + x - l1 _|_ l2 >= 0 */
static circuit skew(double e, nsds_operator e_fn) {
  circuit c = {.model = nsds_model_create(NULL)};
  double one = 1.0;
  c.ds = nsds_first_order_linear(c.model, &(nsds_first_order_linear_def){.n = 1, .b = &one});
  nsds_relation *r = nsds_first_order_linear_relation(
      c.model, &(nsds_first_order_linear_relation_def){.ny = 2,
                                                       .nx = 1,
                                                       .C = (double[]){-1, 1},
                                                       .B = (double[]){-1, 1},
                                                       .D = NSDS_ROWS(2, 2, 0, 1, -1, 0),
                                                       .e = e_fn ? NULL : (double[]){0.5, e},
                                                       .e_fn = e_fn});
  c.ia = nsds_connect(c.model, r, nsds_complementarity(c.model), 1, &c.ds);
  return c;
}

static nsds_simulation *start(nsds_model *model, double t1, double h) {
  nsds_simulation *s =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = t1, .output_period = h});
  assert_sound(model);
  return s;
}

/* One row closes with D_11 = 0, which x = 1/2 keeps; with a small e both do, and x goes on. */
static void skew_rows_close(void **state) {
  (void)state;
  double e[2] = {1.0, 0.1}, x[2] = {0.5, 1.1}, l1[2] = {1.0, 1.2}, l2[2] = {0.0, 0.6};
  for (int k = 0; k < 2; ++k) {
    circuit c = skew(e[k], NULL);
    nsds_simulation *s = start(c.model, 2.0, 0.0);
    assert_ok(c.model, nsds_step(s));
    assert_near(nsds_time(s), 0.5, 1e-12);
    assert_int_equal(nsds_run(s), NSDS_END);
    assert_near(nsds_x(c.ds)[0], x[k], 1e-9);
    assert_near(nsds_lambda(c.ia)[0], l1[k], 1e-9);
    assert_near(nsds_lambda(c.ia)[1], l2[k], 1e-9);
    nsds_model_destroy(c.model);
  }
}

static int bounds(const nsds_arguments *in, double *e, void *user) {
  (void)in, (void)user;
  e[0] = 0.5;
  e[1] = 1.0;
  return 0;
}

static void changing_coefficients_are_refused(void **state) {
  (void)state;
  circuit c = skew(1.0, bounds);
  nsds_simulation *s = start(c.model, 2.0, 0.0);
  assert_int_equal(nsds_run(s), NSDS_ERROR_UNSUPPORTED);
  assert_non_null(strstr(nsds_error_message(nsds_model_context(c.model)), "constant coefficients"));
  nsds_model_destroy(c.model);
}

static int input(const nsds_arguments *in, double *b, void *user) {
  b[0] = 3.0 * sin(in->t) - *(const double *)user;
  return 0;
}

/* dx/dt = 3 sin t + 2 u with u = -sign(x), and as u = l1 - 1, 0 <= x + l2 _|_ l1 >= 0,
 * 0 <= 2 - l1 _|_ l2 >= 0: slides at x = 0 while 3 |sin t| < 2. */
static void relay_as_complementarity(void **state) {
  (void)state;
  double x0 = 1.0, time[2][3], shift[2] = {0.0, 2.0}, half = asin(2.0 / 3.0), pi = acos(-1.0);
  for (int k = 0; k < 2; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_first_order_linear(
        model, &(nsds_first_order_linear_def){.n = 1, .x0 = &x0, .b_fn = input, .user = &shift[k]});
    nsds_relation *r =
        k == 0 ? nsds_first_order_linear_relation(
                     model,
                     &(nsds_first_order_linear_relation_def){
                         .ny = 1, .nx = 1, .C = (double[]){1}, .B = (double[]){2}})
               : nsds_first_order_linear_relation(model, &(nsds_first_order_linear_relation_def){
                                                             .ny = 2,
                                                             .nx = 1,
                                                             .C = (double[]){1, 0},
                                                             .B = (double[]){2, 0},
                                                             .D = NSDS_ROWS(2, 2, 0, 1, -1, 0),
                                                             .e = (double[]){0, 2}});
    nsds_law *law =
        k == 0 ? nsds_relay(model, 1, (double[]){-1}, (double[]){1}) : nsds_complementarity(model);
    nsds_connect(model, r, law, 1, &ds);
    nsds_simulation *s = start(model, 7.0, 0.0);
    for (int i = 0; i < 3; ++i) {
      assert_ok(model, nsds_step(s));
      time[k][i] = nsds_time(s);
    }
    assert_int_equal(nsds_run(s), NSDS_END);
    assert_near(nsds_x(ds)[0], 0.0, 1e-10);
    nsds_model_destroy(model);
  }
  assert_near(time[0][1], pi + half, 1e-9);
  for (int i = 0; i < 3; ++i) assert_near(time[1][i], time[0][i], 1e-9);
}

/* ---- random passive circuits ----------------------------------------------------------------- */

enum { most = 3 };

static uint64_t seed;

static double random_unit(void) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(seed >> 11) * 0x1p-52 - 1.0;
}

typedef struct source {
  int n;
  double constant[most], amplitude[most], frequency;
} source;

static int drive(const nsds_arguments *in, double *b, void *user) {
  const source *d = user;
  for (int i = 0; i < d->n; ++i)
    b[i] = d->constant[i] + d->amplitude[i] * sin(d->frequency * in->t);
  return 0;
}

/* -G G^T and something skew; D of rank 1, skew, or both; C = B^T. */
static nsds_interaction *random_circuit(nsds_model *model, bool relay, source *d) {
  int n = d->n = 2 + (random_unit() > 0.0), m = 2 + (random_unit() > 0.0);
  int kind = 1 + (int)(1.4999 * (random_unit() + 1.0));
  double A[9] = {0}, B[9], C[9], D[9] = {0}, e[3], g[9];
  for (int i = 0; i < n; ++i) d->constant[i] = random_unit(), d->amplitude[i] = 2.0 * random_unit();
  d->frequency = 2.5 + 1.5 * random_unit();
  for (int k = 0; k < n * n; ++k) g[k] = random_unit();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) A[i + j * n] -= 0.3 * g[i + k * n] * g[j + k * n];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      double turn = 2.0 * random_unit();
      A[i + j * n] += turn;
      A[j + i * n] -= turn;
    }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) B[i + j * n] = C[j + i * m] = random_unit();
  for (int i = 0; i < m; ++i) g[i] = kind & 1 ? random_unit() : 0.0, e[i] = fabs(random_unit());
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) D[i + j * m] = g[i] * g[j];
  for (int i = 0; i < m; ++i)
    for (int j = 0; kind & 2 && j < i; ++j) {
      double turn = random_unit();
      D[i + j * m] += turn;
      D[j + i * m] -= turn;
    }
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = n, .A = A, .b_fn = drive, .user = d});
  nsds_relation *r = nsds_first_order_linear_relation(
      model,
      &(nsds_first_order_linear_relation_def){.ny = m, .nx = n, .C = C, .B = B, .D = D, .e = e});
  nsds_law *law = relay ? nsds_relay(model, m, (double[]){-1, -1, -1}, (double[]){1, 1, 1})
                        : nsds_complementarity(model);
  return nsds_connect(model, r, law, 1, &ds);
}

/* -y in N_C(lambda), which in a passive circuit holds along one motion alone. */
static void assert_law(bool relay, double y, double lambda) {
  const double tolerance = 1e-7;
  double lower = relay ? -1.0 : 0.0, upper = relay ? 1.0 : INFINITY;
  assert_true(lambda >= lower - tolerance && lambda <= upper + tolerance);
  if (y > tolerance) assert_near(lambda, lower, tolerance);
  if (y < -tolerance) assert_near(lambda, upper, tolerance);
}

static void random_circuits(void **state) {
  (void)state;
  int gone = 0;
  for (int run = 0; run < 100; ++run) { /* run 87: lambda beyond its bound at an event */
    seed = 7919 * (uint64_t)run + 13;
    for (int k = 0; k < 10; ++k) random_unit();
    nsds_model *model = nsds_model_create(NULL);
    source d;
    nsds_interaction *ia = random_circuit(model, run % 2, &d);
    nsds_simulation *s = start(model, 6.0, 0.05);
    nsds_status status = NSDS_OK;
    while (status == NSDS_OK) {
      status = nsds_step(s);
      for (int i = 0; i < nsds_interaction_size(ia); ++i)
        assert_law(run % 2, nsds_y(ia)[i], nsds_lambda(ia)[i]);
    }
    gone += status == NSDS_END;
    nsds_model_destroy(model);
  }
  assert_int_equal(gone, 100);
}

/* ---- D that changes -------------------------------------------------------------------------- */

static int resistance(const nsds_arguments *in, double *D, void *user) {
  (void)user;
  D[0] = in->z[0];
  return 0;
}

typedef struct change {
  nsds_relation *relation;
  double z;
} change;

static int set_resistance(nsds_simulation *s, void *user) {
  (void)s;
  change *c = user;
  return nsds_relation_set_z(c->relation, 1, &c->z);
}

/* dx/dt = -x - 1 + lambda, 0 <= x + R lambda _|_ lambda >= 0: with R = 0 x is kept at zero, with R
 * = 1 x = (e^-2t - 1) / 2. */
static void resistance_comes_and_goes(void **state) {
  (void)state;
  for (int k = 0; k < 2; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    double one = 1.0, minus = -1.0, R = k, turned = 0.5 * (exp(-2.0) - 1.0);
    nsds_ds *ds = nsds_first_order_linear(
        model, &(nsds_first_order_linear_def){.n = 1, .A = &minus, .b = &minus});
    change c = {.z = 1.0 - k};
    c.relation = nsds_first_order_linear_relation(
        model, &(nsds_first_order_linear_relation_def){
                   .ny = 1, .nx = 1, .C = &one, .B = &one, .D_fn = resistance, .nz = 1, .z = &R});
    nsds_interaction *ia = nsds_connect(model, c.relation, nsds_complementarity(model), 1, &ds);
    nsds_simulation *s = start(model, 2.0, 0.0);
    nsds_simulation_at(s, &(nsds_event_def){.time = 1.0, .call = set_resistance, .user = &c});
    assert_ok(model, nsds_step(s));
    assert_near(nsds_x(ds)[0], k ? turned : 0.0, 1e-9);
    assert_int_equal(nsds_run(s), NSDS_END);
    assert_near(nsds_x(ds)[0], k ? 0.0 : turned, 1e-9);
    assert_near(nsds_lambda(ia)[0], k ? 1.0 : -turned, 1e-9);
    assert_near(nsds_y(ia)[0], 0.0, 1e-9);
    nsds_model_destroy(model);
  }
}

static int ramp(const nsds_arguments *in, double *D, void *user) {
  (void)user;
  D[0] = fmax(0.0, in->t - 1.0);
  return 0;
}

static void resistance_that_appears_is_refused(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  double one = 1.0, minus = -1.0;
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 1, .A = &minus, .b = &minus});
  nsds_relation *r = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .ny = 1, .nx = 1, .C = &one, .B = &one, .D_fn = ramp});
  nsds_connect(model, r, nsds_complementarity(model), 1, &ds);
  nsds_simulation *s = start(model, 2.0, 0.0);
  assert_int_equal(nsds_run(s), NSDS_ERROR_UNSUPPORTED);
  assert_non_null(strstr(nsds_error_message(nsds_model_context(model)), "row 0 of D"));
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(skew_rows_close),
                                     cmocka_unit_test(changing_coefficients_are_refused),
                                     cmocka_unit_test(relay_as_complementarity),
                                     cmocka_unit_test(random_circuits),
                                     cmocka_unit_test(resistance_comes_and_goes),
                                     cmocka_unit_test(resistance_that_appears_is_refused)};
  return cmocka_run_group_tests_name("event_driven.feedthrough", tests, NULL, NULL);
}
