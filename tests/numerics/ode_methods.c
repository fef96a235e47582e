/*
 * What all methods of integration share, whatever they are built on: the same roots, stops,
 * failures and memory; and what the implicit ones are there for, stiff motions.
 */
#include "numerics/ode/advance.h"
#include "numerics/ode/ode.h"
#include "cmocka_setup.h"
#include "meter.h"
#include "odes.h"

#include <stdlib.h>
#include <string.h>

static nsds_context *context;
static odes world;

static int setup(void **unused) {
  (void)unused;
  context = nsds_context_create(NULL);
  odes_clear(&world);
  world.m = 1;
  return 0;
}

static int teardown(void **unused) {
  (void)unused;
  assert_string_equal(nsds_error_message(context), "");
  nsds_context_destroy(context);
  return 0;
}

static nsds_ode *make(const char *method, nsds_ode_problem problem, double tolerance) {
  nsds_ode_options options = {.method = method,
                              .relative_tolerance = tolerance,
                              .absolute_tolerance = tolerance,
                              .max_steps = 10000000};
  nsds_ode *ode = nsds_ode_create(context, &problem, &options);
  assert_non_null(ode);
  return ode;
}

static bool implicit(const char *method) { return strcmp(method, "dormand_prince") != 0; }

static void test_methods_of_this_build(void **unused) {
  (void)unused;
  static const char *const names[] = {"auto", "dormand_prince", "esdirk", "arkode", "cvode"};
  int count = NSDS_HAVE_SUNDIALS ? 5 : 3;
  for (int k = 0; k < count; ++k) assert_string_equal(nsds_ode_method_name(k), names[k]);
  assert_null(nsds_ode_method_name(-1));
  assert_null(nsds_ode_method_name(count));
  if (NSDS_HAVE_SUNDIALS) return;
  print_message("skip: arkode and cvode are not in this build\n");
  nsds_ode_options options = {.method = "arkode"};
  assert_null(nsds_ode_create(context, &(nsds_ode_problem){0}, &options));
  assert_non_null(strstr(nsds_error_message(context), "libsundials-dev"));
  nsds_error_clear(context);
}

/* ---- the same with all ---- */

static void test_roots_of_an_oscillator(void **unused) {
  (void)unused;
  const char *method;
  for (int k = 0; (method = nsds_ode_method_name(k)); ++k)
    for (double tolerance = 1e-5; tolerance > 1e-11; tolerance *= 1e-2) {
      double time[64];
      nsds_ode_root root[64];
      world.a[0] = 1.0;
      world.c[0] = 0.5;
      nsds_ode *ode =
          make(method, (nsds_ode_problem){2, 1, &world, odes_oscillator, odes_heights, NULL, NULL},
               tolerance);
      int count = odes_roots(ode, 0.0, (double[]){0.0, 1.0}, NSDS_ROOT_BOTH, 20.0, 64, time, root);
      assert_int_equal(count, 7); /* asin(1/2) = pi/6 and 5 pi/6, and 2 pi later ... */
      for (int r = 0; r < count; ++r) {
        double exact = asin(1.0) / 3.0 * (r % 2 ? 5.0 : 1.0) + 4.0 * asin(1.0) * (r / 2);
        assert_true(fabs(time[r] - exact) < 2e3 * tolerance);
        assert_int_equal(root[r].direction, r % 2 ? NSDS_ROOT_FALLING : NSDS_ROOT_RISING);
      }
      nsds_ode_destroy(ode);
    }
}

static void test_bounces(void **unused) {
  (void)unused;
  const char *method;
  for (int k = 0; (method = nsds_ode_method_name(k)); ++k) {
    world.a[0] = 10.0;
    nsds_ode *ode =
        make(method, (nsds_ode_problem){2, 1, &world, odes_fall, odes_heights, NULL, NULL}, 1e-10);
    double t = 0.0, x[2] = {0.2, 0.0};
    nsds_ode_watch(ode, 0, NSDS_ROOT_FALLING);
    for (int bounce = 0; bounce < 50; ++bounce) {
      assert_status(nsds_ode_start(ode, t, x), NSDS_OK);
      assert_int_equal(nsds_ode_advance(ode, 1e3, &t, x), NSDS_ODE_ROOT);
      assert_true(fabs(t - (0.2 + 0.4 * bounce)) < 1e-6);
      assert_true(x[0] <= 0.0 && fabs(x[0]) < 1e-12);
      x[1] = -x[1];
    }
    assert_int_equal(nsds_ode_count(ode)->restarts, 50);
    nsds_ode_destroy(ode);
  }
}

/* Ends of all sizes, also of a single ulp; f is not asked beyond; the dense output fits. */
static void test_stops(void **unused) {
  (void)unused;
  const char *method;
  for (int k = 0; (method = nsds_ode_method_name(k)); ++k) {
    nsds_ode *ode =
        make(method, (nsds_ode_problem){2, 0, &world, odes_oscillator, NULL, NULL, NULL}, 1e-9);
    double t = 0.1, x[2] = {0.0, 1.0};
    int within = 0;
    world.a[0] = 1.0;
    assert_status(nsds_ode_start(ode, t, x), NSDS_OK);
    for (int stop = 0; stop < 60; ++stop) {
      double before = t;
      world.rhs_end = stop % 3 ? t + 0.7 / (stop % 7 + 1) : nextafter(t, INFINITY);
      assert_int_equal(nsds_ode_advance(ode, world.rhs_end, &t, x), NSDS_ODE_REACHED);
      assert_true(t == world.rhs_end);
      assert_true(fabs(x[0] - sin(t - 0.1)) < 2e-7);
      double y[2], middle = 0.3 * before + 0.7 * t;
      if (nsds_ode_interpolate(ode, middle, y) == NSDS_OK) { /* if within the last step */
        assert_true(fabs(y[0] - sin(middle - 0.1)) < 2e-7);
        ++within;
      }
      nsds_error_clear(context);
    }
    assert_true(within > 10);
    nsds_ode_destroy(ode);
  }
}

static int waits(void *self, double t, const double *x, double *g) {
  (void)self;
  (void)x;
  g[0] = 0.25 - t;
  return 0;
}

static void test_no_states(void **unused) {
  (void)unused;
  const char *method;
  for (int k = 0; (method = nsds_ode_method_name(k)); ++k) {
    nsds_ode *ode =
        make(method, (nsds_ode_problem){0, 1, &world, odes_oscillator, waits, NULL, NULL}, 1e-9);
    double t, x[2];
    world.a[0] = 1.0;
    nsds_ode_watch(ode, 0, NSDS_ROOT_FALLING);
    for (int n = 0; n <= 2; n += 2) { /* and then two states after all */
      assert_status(nsds_ode_resize(ode, n, 1), NSDS_OK);
      assert_status(nsds_ode_start(ode, 0.0, (double[]){0.0, 1.0}), NSDS_OK);
      assert_int_equal(nsds_ode_advance(ode, 1.0, &t, x), NSDS_ODE_ROOT);
      assert_true(fabs(t - 0.25) < 1e-15);
      assert_int_equal(nsds_ode_advance(ode, 1.0, &t, x), NSDS_ODE_REACHED);
      if (n > 0) assert_true(fabs(x[0] - sin(1.0)) < 1e-6);
    }
    nsds_ode_destroy(ode);
  }
}

/* ---- failures ---- */

/* x' = 1 up to t = 1; behind it as `self` says. */
enum { REFUSES, FAILS, IS_NO_NUMBER, HAS_A_POLE };

static int ends_at_one(void *self, double t, const double *x, double *dx) {
  int how = *(const int *)self;
  dx[0] = how == HAS_A_POLE ? x[0] * x[0] : 1.0;
  if (how == HAS_A_POLE || t <= 1.0) return 0;
  if (how == IS_NO_NUMBER) dx[0] = NAN;
  return how == REFUSES ? 1 : how == FAILS ? NSDS_ERROR_SOLVER : 0;
}

static void test_failures(void **unused) {
  (void)unused;
  static const struct {
    nsds_status status;
    nsds_ode_cause cause;
  } expected[] = {{NSDS_ERROR_CALLBACK, NSDS_ODE_FAILED_RHS},
                  {NSDS_ERROR_SOLVER, NSDS_ODE_FAILED_RHS},
                  {NSDS_ERROR_VALUE, NSDS_ODE_FAILED_NOT_FINITE},
                  {NSDS_ERROR_INTEGRATION, NSDS_ODE_FAILED_STEP_SIZE}};
  const char *method;
  for (int k = 0; (method = nsds_ode_method_name(k)); ++k)
    for (int how = REFUSES; how <= HAS_A_POLE; ++how) {
      double t, x;
      nsds_ode *ode =
          make(method, (nsds_ode_problem){1, 0, &how, ends_at_one, NULL, NULL, NULL}, 1e-8);
      assert_status(nsds_ode_start(ode, 0.0, (double[]){1.0}), NSDS_OK);
      assert_status(nsds_ode_advance(ode, 2.0, &t, &x), expected[how].status);
      assert_int_equal(nsds_ode_failure(ode), expected[how].cause);
      assert_int_equal(nsds_error(context), expected[how].status);
      assert_true(t > (how == FAILS ? -1.0 : 0.9) && t < 1.0 + 1e-6 && isfinite(x));
      if (how != HAS_A_POLE) assert_true(fabs(x - (1.0 + t)) < 1e-6);
      nsds_error_clear(context);
      assert_status(nsds_ode_start(ode, 0.0, (double[]){1.0}), NSDS_OK);
      assert_int_equal(nsds_ode_advance(ode, 0.5, &t, &x), NSDS_ODE_REACHED);
      nsds_ode_destroy(ode);
    }
}

/* ---- memory: what goes through the context ---- */

static void test_memory(void **unused) {
  (void)unused;
  const char *method;
  for (int k = 0; (method = nsds_ode_method_name(k)); ++k)
    for (long fail_at = 2, failing = 1; failing; ++fail_at) {
      meter m = {.fail_at = fail_at};
      nsds_context *metered = metered_context(&m);
      nsds_ode_problem problem = {2, 1, &world, odes_oscillator, odes_heights, NULL, NULL};
      nsds_ode_options options = {.method = method};
      nsds_ode *ode = nsds_ode_create(metered, &problem, &options);
      failing = m.count >= fail_at;
      assert_true((ode == NULL) == (failing != 0));
      if (failing) assert_status(nsds_error(metered), NSDS_ERROR_MEMORY);
      if (ode) {
        double time[1];
        nsds_ode_root root[1];
        long before = m.count;
        world.a[0] = 1.0;
        odes_roots(ode, 0.0, (double[]){0.5, 1.0}, NSDS_ROOT_BOTH, 20.0, 1, time, root);
        assert_int_equal(m.count, before);
      }
      nsds_ode_destroy(ode);
      nsds_context_destroy(metered);
      assert_int_equal(m.live, 0);
    }
}

/* ---- stiff motions ---- */

/* Van der Pol, x'' = 1000 (1 - x^2) x' - x, on its slow branch. */
static int van_der_pol(void *self, double t, const double *x, double *dx) {
  (void)self;
  (void)t;
  dx[0] = x[1];
  dx[1] = 1e3 * (1.0 - x[0] * x[0]) * x[1] - x[0];
  return 0;
}

static int van_der_pol_jacobian(void *self, double t, const double *x, double *J) {
  ++((odes *)self)->calls;
  (void)t;
  J[0] = 0.0;
  J[1] = -2e3 * x[0] * x[1] - 1.0;
  J[2] = 1.0;
  J[3] = 1e3 * (1.0 - x[0] * x[0]);
  return 0;
}

/* On the slow branch x' (1 - x^2) 1000 = x up to 1e-6: from 2 to c at 1000 (log(x) - x^2 / 2). The
 * time, and what it took. */
static double to_the_knee(const char *method, bool given, nsds_ode_counters *count) {
  nsds_ode_problem problem = {2, 1, &world, van_der_pol, odes_heights, NULL, NULL};
  if (given) problem.jacobian = van_der_pol_jacobian;
  nsds_ode *ode = make(method, problem, 1e-7);
  double t, x[2];
  world.calls = 0;
  nsds_ode_watch(ode, 0, NSDS_ROOT_FALLING);
  assert_status(nsds_ode_start(ode, 0.0, (double[]){2.0, 0.0}), NSDS_OK);
  assert_int_equal(nsds_ode_advance(ode, 1e3, &t, x), NSDS_ODE_ROOT);
  double slow = 1e3 * ((log(1.9) - 0.5 * 1.9 * 1.9) - (log(2.0) - 2.0));
  assert_true(fabs(t - slow) < 1e-2 && fabs(x[0] - 1.9) < 1e-12);
  assert_true(given == (world.calls > 0));
  *count = *nsds_ode_count(ode);
  nsds_ode_destroy(ode);
  return t;
}

static void test_stiff_motion(void **unused) {
  (void)unused;
  const char *method;
  nsds_ode_counters explicit_count, count;
  world.c[0] = 1.9;
  double explicit_time = to_the_knee("dormand_prince", false, &explicit_count);
  assert_true(explicit_count.stiff);
  for (int k = 0; (method = nsds_ode_method_name(k)); ++k)
    for (int given = 0; implicit(method) && given <= 1; ++given) {
      double t = to_the_knee(method, given, &count);
      assert_true(!count.stiff && count.rhs < explicit_count.rhs / 100);
      assert_true(fabs(t - explicit_time) < 1e-2);
    }
}

/* Heat in a rod of 40 cells, rates to 1e6: implicit methods go with the slow part. */
enum { cells = 40 };

static int rod(void *self, double t, const double *x, double *dx) {
  (void)self;
  (void)t;
  for (int i = 0; i < cells; ++i)
    dx[i] = 2.5e5 * ((i > 0 ? x[i - 1] : 0.0) - 2.0 * x[i] + (i < cells - 1 ? x[i + 1] : 0.0));
  return 0;
}

static int middle(void *self, double t, const double *x, double *g) {
  (void)self;
  (void)t;
  g[0] = x[cells / 2] - 0.25;
  return 0;
}

static void test_stiff_chain(void **unused) {
  (void)unused;
  const char *method;
  const double pi = 3.14159265358979323846;
  double rate = 1e6 * pow(sin(0.5 * pi / (cells + 1)), 2.0), start[cells];
  for (int i = 0; i < cells; ++i) start[i] = sin(pi * (i + 1) / (cells + 1));
  for (int k = 0; (method = nsds_ode_method_name(k)); ++k) {
    if (!implicit(method)) continue;
    nsds_ode *ode = make(method, (nsds_ode_problem){cells, 1, NULL, rod, middle, NULL, NULL}, 1e-9);
    double t, x[cells], exact = log(4.0 * start[cells / 2]) / rate;
    nsds_ode_watch(ode, 0, NSDS_ROOT_BOTH);
    assert_status(nsds_ode_start(ode, 0.0, start), NSDS_OK);
    assert_int_equal(nsds_ode_advance(ode, 10.0 * exact, &t, x), NSDS_ODE_ROOT);
    assert_true(fabs(t - exact) < 1e-6 * exact);
    assert_int_equal(nsds_ode_root_at(ode, 0).direction, NSDS_ROOT_FALLING);
    assert_int_equal(nsds_ode_advance(ode, 1e3 * exact, &t, x), NSDS_ODE_REACHED);
    nsds_ode_destroy(ode);
  }
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(test_methods_of_this_build),
      TEST(test_roots_of_an_oscillator),
      TEST(test_bounces),
      TEST(test_stops),
      TEST(test_no_states),
      TEST(test_failures),
      TEST(test_memory),
      TEST(test_stiff_motion),
      TEST(test_stiff_chain),
  };
#undef TEST
  return cmocka_run_group_tests_name("numerics.ode_methods", tests, NULL, NULL);
}
