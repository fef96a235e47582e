/*
 * Integration of smooth motions: the coefficients fulfil the conditions of their orders, errors
 * fall with these orders and follow the tolerances, failures are told, memory is taken in advance.
 */
#include "cmocka_setup.h"
#include "numerics/ode/advance.h"
#include "numerics/ode/dormand_prince.h"
#include "numerics/ode/ode.h"
#include "odes.h"

#include <string.h>

static nsds_context *context;
static odes world;

static int setup(void **unused) {
  (void)unused;
  context = nsds_context_create(NULL);
  odes_clear(&world);
  return 0;
}

static int teardown(void **unused) {
  (void)unused;
  nsds_context_destroy(context);
  return 0;
}

/* ---- coefficients ---- */

static const nsds_pair_tableau *const tableau = &nsds_dormand_prince_tableau;

static void through_a(const double v[7], double av[7]) {
  for (int s = 0; s < 7; ++s) {
    av[s] = 0.0;
    for (int r = 0; r < s; ++r) av[s] += tableau->a[s][r] * v[r];
  }
}

static void times(const double v[7], const double w[7], double vw[7]) {
  for (int s = 0; s < 7; ++s) vw[s] = v[s] * w[s];
}

static double dot(const double v[7], const double w[7]) {
  double sum = 0.0;
  for (int s = 0; s < 7; ++s) sum += v[s] * w[s];
  return sum;
}

/* Of the conditions of order 1 ... `order` (one per rooted tree; Butcher) at u: the largest
 * violation. Vectors over the stages are built from c by products and by A. */
static double violation(const double b[7], int order, double u) {
  const double *c = tableau->c;
  double one[7], c2[7], c3[7], c4[7], ac[7], ac2[7], ac3[7], aac[7], aac2[7], aaac[7], cac[7],
      c2ac[7], cac2[7], caac[7], acac[7], ac_ac[7];
  for (int s = 0; s < 7; ++s) one[s] = 1.0;
  times(c, c, c2), times(c2, c, c3), times(c3, c, c4);
  through_a(c, ac), through_a(c2, ac2), through_a(c3, ac3);
  through_a(ac, aac), through_a(ac2, aac2), through_a(aac, aaac);
  times(c, ac, cac), times(c2, ac, c2ac), times(c, ac2, cac2), times(c, aac, caac);
  through_a(cac, acac), times(ac, ac, ac_ac);
  const struct {
    int order;
    const double *v;
    double density;
  } tree[] = {{1, one, 1},   {2, c, 2},     {3, c2, 3},     {3, ac, 6},   {4, c3, 4},
              {4, cac, 8},   {4, ac2, 12},  {4, aac, 24},   {5, c4, 5},   {5, c2ac, 10},
              {5, cac2, 15}, {5, caac, 30}, {5, ac_ac, 20}, {5, ac3, 20}, {5, acac, 40},
              {5, aac2, 60}, {5, aaac, 120}};
  double worst = 0.0;
  for (size_t k = 0; k < sizeof tree / sizeof *tree; ++k)
    if (tree[k].order <= order)
      worst = fmax(worst, fabs(dot(b, tree[k].v) - pow(u, tree[k].order) / tree[k].density));
  return worst;
}

/* The weights of the dense output at u, as the formula in dormand_prince.c has them. */
static void dense_weights(double u, double w[7]) {
  double v = 1.0 - u;
  for (int s = 0; s < 7; ++s) {
    double b = s < 6 ? tableau->a[6][s] : 0.0;
    double slope0 = s == 0, slope1 = s == 6;
    double bend = slope0 - b;
    w[s] = u * (b + v * (bend + u * (b - slope1 - bend + v * tableau->d[s])));
  }
}

static void test_order_conditions(void **unused) {
  (void)unused;
  double b[7] = {0.0}, other[7], sum[7], one[7];
  for (int s = 0; s < 7; ++s) one[s] = 1.0;
  through_a(one, sum);
  for (int s = 0; s < 7; ++s) assert_true(fabs(sum[s] - tableau->c[s]) < 1e-14);
  memcpy(b, tableau->a[6], sizeof tableau->a[6]);
  assert_true(violation(b, 5, 1.0) < 1e-15);
  for (int s = 0; s < 7; ++s) other[s] = b[s] - tableau->e[s];
  assert_true(violation(other, 4, 1.0) < 1e-15);
  assert_true(violation(other, 5, 1.0) > 1e-4); /* a lower order, or it would estimate nothing */
  for (int k = 0; k <= 20; ++k) {
    double w[7];
    dense_weights(0.05 * k, w);
    assert_true(violation(w, 4, 0.05 * k) < 1e-14);
  }
}

/* ---- orders and tolerances ---- */

/* x' = x (1 - x), y' = y cos t: x = 1 / (1 + e^-t), y = e^(sin t), from t = 0. */
static int curves(void *self, double t, const double *x, double *dx) {
  (void)self;
  dx[0] = x[0] * (1.0 - x[0]);
  dx[1] = x[1] * cos(t);
  return 0;
}

static double curves_error(double t, const double *x) {
  return fmax(fabs(x[0] - 1.0 / (1.0 + exp(-t))), fabs(x[1] - exp(sin(t))));
}

/* Steps of h: tolerances that nothing violates, and a largest step. */
static nsds_ode *curves_ode(double h, double tolerance) {
  nsds_ode_problem problem = {.n = 2, .rhs = curves};
  nsds_ode_options options = {.relative_tolerance = tolerance, .absolute_tolerance = tolerance};
  if (h > 0.0) options.first_step = options.largest_step = h;
  nsds_ode *ode = nsds_ode_create(context, &problem, &options);
  assert_non_null(ode);
  assert_status(nsds_ode_start(ode, 0.0, (double[]){0.5, 1.0}), NSDS_OK);
  return ode;
}

static double end_error(double h) {
  double t, x[2];
  nsds_ode *ode = curves_ode(h, 1e3);
  assert_int_equal(nsds_ode_advance(ode, 4.0, &t, x), NSDS_ODE_REACHED);
  assert_int_equal(nsds_ode_count(ode)->steps, lround(4.0 / h));
  nsds_ode_destroy(ode);
  return curves_error(4.0, x);
}

/* Largest error within one step of h. */
static double dense_error(double h) {
  double t, x[2], worst = 0.0;
  nsds_ode *ode = curves_ode(h, 1e3);
  assert_int_equal(nsds_ode_advance(ode, h, &t, x), NSDS_ODE_REACHED);
  assert_int_equal(nsds_ode_count(ode)->steps, 1);
  for (int k = 0; k <= 16; ++k) {
    assert_status(nsds_ode_interpolate(ode, h * k / 16.0, x), NSDS_OK);
    worst = fmax(worst, curves_error(h * k / 16.0, x));
  }
  nsds_ode_destroy(ode);
  return worst;
}

static void test_orders_of_convergence(void **unused) {
  (void)unused;
  double order = log2(end_error(0.125) / end_error(0.0625));
  assert_true(order > 4.7 && order < 5.5);
  order = log2(dense_error(0.25) / dense_error(0.125)) - 1.0; /* local error: one more */
  assert_true(order > 3.8 && order < 4.5);
}

static void test_errors_follow_the_tolerances(void **unused) {
  (void)unused;
  for (double tolerance = 1e-4; tolerance > 1e-12; tolerance *= 0.1) {
    double t, x[2];
    nsds_ode *ode = curves_ode(0.0, tolerance);
    assert_int_equal(nsds_ode_advance(ode, 6.0, &t, x), NSDS_ODE_REACHED);
    assert_true(t == 6.0 && curves_error(t, x) < 30.0 * tolerance);
    nsds_ode_counters count = *nsds_ode_count(ode);
    assert_true(count.rhs <= 6 * (count.steps + count.rejected) + 2);
    assert_true(!count.stiff);
    nsds_ode_destroy(ode);
  }
}

/* The step found before an event is the first guess behind it, and no more than a guess. */
static void test_restart_keeps_the_step(void **unused) {
  (void)unused;
  nsds_ode_problem problem = {.n = 2, .self = &world, .rhs = odes_oscillator};
  nsds_ode *ode = nsds_ode_create(context, &problem, NULL);
  double t, x[2];
  world.a[0] = 1.0;
  assert_status(nsds_ode_start(ode, 0.0, (double[]){0.0, 1.0}), NSDS_OK);
  assert_int_equal(nsds_ode_advance(ode, 10.0, &t, x), NSDS_ODE_REACHED);
  int64_t first = nsds_ode_count(ode)->steps;
  for (int k = 1; k <= 10; ++k) {
    assert_status(nsds_ode_start(ode, t, x), NSDS_OK);
    assert_int_equal(nsds_ode_advance(ode, 10.0 + k, &t, x), NSDS_ODE_REACHED);
  }
  assert_true(nsds_ode_count(ode)->steps <= 2 * first + 10);
  assert_true(fabs(x[0] - sin(20.0)) < 1e-6);
  world.a[0] = 1000.0; /* a thousand times as fast */
  assert_status(nsds_ode_start(ode, 0.0, (double[]){0.0, 1000.0}), NSDS_OK);
  assert_int_equal(nsds_ode_advance(ode, 0.01, &t, x), NSDS_ODE_REACHED);
  assert_true(fabs(x[0] - sin(10.0)) < 1e-6);
  nsds_ode_destroy(ode);
}

static void test_never_beyond_t_stop(void **unused) {
  (void)unused;
  nsds_ode_problem problem = {.n = 2, .self = &world, .rhs = odes_oscillator};
  nsds_ode *ode = nsds_ode_create(context, &problem, NULL);
  double t = 0.1, x[2] = {0.0, 1.0};
  world.a[0] = 1.0;
  assert_status(nsds_ode_start(ode, t, x), NSDS_OK);
  for (int k = 0; k < 200; ++k) { /* ends of all sizes, also of a single ulp */
    world.rhs_end = k % 3 ? t + 0.7 / (k % 7 + 1) : nextafter(t, INFINITY);
    assert_int_equal(nsds_ode_advance(ode, world.rhs_end, &t, x), NSDS_ODE_REACHED);
    assert_true(t == world.rhs_end && world.latest == t);
  }
  assert_int_equal(nsds_ode_advance(ode, t, &t, x), NSDS_ODE_REACHED);
  assert_int_equal(nsds_ode_advance(ode, t - 1.0, &t, x), NSDS_ODE_REACHED);
  assert_true(t == world.rhs_end);
  assert_true(fabs(x[0] - sin(t - 0.1)) < 1e-6);
  nsds_ode_destroy(ode);
}

/* x' = -1e5 (x - cos t): stability bounds the steps. */
static int stiff(void *self, double t, const double *x, double *dx) {
  (void)self;
  dx[0] = -1e5 * (x[0] - cos(t));
  return 0;
}

static void test_stiffness_is_noticed(void **unused) {
  (void)unused;
  nsds_ode_problem problem = {.n = 1, .rhs = stiff};
  nsds_ode_options options = {.method = "dormand_prince"};
  nsds_ode *ode = nsds_ode_create(context, &problem, &options);
  double t, x;
  assert_status(nsds_ode_start(ode, 0.0, (double[]){1.0}), NSDS_OK);
  assert_int_equal(nsds_ode_advance(ode, 0.1, &t, &x), NSDS_ODE_REACHED);
  assert_true(nsds_ode_count(ode)->stiff);
  nsds_ode_destroy(ode);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(test_order_conditions),
      TEST(test_orders_of_convergence),
      TEST(test_errors_follow_the_tolerances),
      TEST(test_restart_keeps_the_step),
      TEST(test_never_beyond_t_stop),
      TEST(test_stiffness_is_noticed),
  };
#undef TEST
  return cmocka_run_group_tests_name("numerics.ode", tests, NULL, NULL);
}
