/*
 * Roots where methods of locating them are known to go wrong: at the ends of steps and of the
 * motion, touches, tiny ones, several at once, after a long rest; and functions that are not
 * continuous, not finite, not defined.
 */
#include "numerics/ode/advance.h"
#include "numerics/ode/ode.h"
#include "cmocka_setup.h"
#include "odes.h"

#include <float.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

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
  assert_string_equal(nsds_error_message(context), "");
  nsds_context_destroy(context);
  return 0;
}

static nsds_ode *make(int n, int (*rhs)(void *, double, const double *, double *),
                      int (*root)(void *, double, const double *, double *), double tolerance) {
  nsds_ode_problem problem = {.n = n, .roots = world.m, .self = &world, .rhs = rhs, .root = root};
  nsds_ode_options options = {.relative_tolerance = tolerance, .absolute_tolerance = tolerance};
  nsds_ode *ode = nsds_ode_create(context, &problem, &options);
  assert_non_null(ode);
  return ode;
}

static int roots_of_time(double (*g)(double), double largest_step, nsds_root_direction direction,
                         double t_stop, double time[4], nsds_ode_root root[4]) {
  return odes_roots_of_time(context, &world, g, largest_step, direction, t_stop, time, root);
}

/* ---- special places ---- */

static double at_half(double t) { return 0.5 - t; }

static void test_root_exactly_at_t_stop(void **unused) {
  (void)unused;
  double time[4];
  nsds_ode_root root[4];
  assert_int_equal(roots_of_time(at_half, 0.0, NSDS_ROOT_BOTH, 0.5, time, root), 1);
  assert_true(time[0] == 0.5 && root[0].direction == NSDS_ROOT_FALLING);
  for (double stop = 0.1; stop < 1e4; stop *= 3.7) { /* within rounding of t_stop */
    world.m = 1;
    world.a[0] = 0.0;
    nsds_ode *ode = make(2, odes_fall, odes_heights, 1e-8);
    assert_int_equal(
        odes_roots(ode, 0.0, (double[]){3.0 * stop, -3.0}, NSDS_ROOT_BOTH, stop, 4, time, root), 1);
    assert_true(fabs(time[0] - stop) <= 4.0 * DBL_EPSILON * stop);
    nsds_ode_destroy(ode);
  }
}

static void test_root_exactly_at_the_end_of_a_step(void **unused) {
  (void)unused;
  for (int k = 1; k <= 8; ++k) { /* steps of 1/2, 1/4, ... end at 1/2 */
    double time[4];
    nsds_ode_root root[4];
    assert_int_equal(roots_of_time(at_half, ldexp(1.0, -k), NSDS_ROOT_BOTH, 1.0, time, root), 1);
    assert_true(time[0] == 0.5);
  }
}

static double touch(double t) { return (t - 0.5) * (t - 0.5); }
static double touch_third(double t) { return (t - 1.0 / 3.0) * (t - 1.0 / 3.0); }
static double flat_crossing(double t) { return -(t - 0.5) * (t - 0.5) * (t - 0.5); }

static void test_a_touch_is_no_root(void **unused) {
  (void)unused;
  double time[4];
  nsds_ode_root root[4];
  for (int k = 0; k <= 6; ++k) { /* inside a step, and at the end of one */
    assert_int_equal(roots_of_time(touch, ldexp(1.0, -k), NSDS_ROOT_BOTH, 1.0, time, root), 0);
    assert_int_equal(roots_of_time(touch_third, ldexp(1.0, -k), NSDS_ROOT_BOTH, 1.0, time, root),
                     0);
    assert_int_equal(roots_of_time(flat_crossing, ldexp(1.0, -k), NSDS_ROOT_BOTH, 1.0, time, root),
                     1);
    assert_true(fabs(time[0] - 0.5) < 1e-5);
  }
}

/* y = (x - 1)^2 - depth while x = cos t, not affine: a dip of `depth` around t = 0, 2 pi, ... */
static int graze(void *self, double t, const double *x, double *g) {
  const odes *o = self;
  (void)t;
  g[0] = (1.0 - x[0]) - o->c[0];
  return 0;
}

static void test_grazing_of_known_depth(void **unused) {
  (void)unused;
  double time[4];
  nsds_ode_root root[4];
  world.m = 1;
  world.a[0] = 1.0;
  for (double depth = 1e-2; depth > 1e-9; depth *= 0.1) {
    nsds_ode *ode = make(2, odes_oscillator, graze, 1e-13);
    world.c[0] = depth; /* zero where cos t = 1 - depth */
    double x[2] = {-1.0, 0.0}, angle = 2.0 * asin(sqrt(0.5 * depth));
    assert_int_equal(odes_roots(ode, 0.0, x, NSDS_ROOT_BOTH, 5.0, 4, time, root), 2);
    assert_true(fabs(time[0] - (pi - angle)) < 1e-11 / angle);
    assert_true(fabs(time[1] - (pi + angle)) < 1e-11 / angle);
    world.c[0] = -depth;
    assert_int_equal(odes_roots(ode, 0.0, x, NSDS_ROOT_BOTH, 5.0, 4, time, root), 0);
    nsds_ode_destroy(ode);
  }
}

static double denormal(double t) { return 1e-310 * (0.3 - t); }
static double denormal_dip(double t) { return 1e-300 * (t - 0.3) * (t - 0.7); }

static void test_extremely_small_crossings(void **unused) {
  (void)unused;
  double time[4];
  nsds_ode_root root[4];
  assert_int_equal(roots_of_time(denormal, 0.0, NSDS_ROOT_FALLING, 1.0, time, root), 1);
  assert_true(fabs(time[0] - 0.3) < 1e-12);
  assert_int_equal(roots_of_time(denormal_dip, 0.0, NSDS_ROOT_BOTH, 1.0, time, root), 2);
  assert_true(fabs(time[0] - 0.3) < 1e-12 && fabs(time[1] - 0.7) < 1e-12);
}

/* Functions with a common root and one an ulp off, one shortly after. */
static int together(void *self, double t, const double *x, double *g) {
  (void)self;
  (void)x;
  g[0] = 0.7 - t;
  g[1] = 3.0 * (t - 0.7);
  g[2] = nextafter(0.7, 1.0) - t;
  g[3] = 0.7 + 1e-12 - t;
  return 0;
}

static void test_roots_of_several_functions_at_once(void **unused) {
  (void)unused;
  nsds_ode_problem problem = {.roots = 4, .root = together};
  nsds_ode *ode = nsds_ode_create(context, &problem, NULL);
  double t;
  for (int i = 0; i < 4; ++i) nsds_ode_watch(ode, i, NSDS_ROOT_BOTH);
  assert_status(nsds_ode_start(ode, 0.0, NULL), NSDS_OK);
  assert_int_equal(nsds_ode_advance(ode, 1.0, &t, NULL), NSDS_ODE_ROOT);
  assert_true(fabs(t - 0.7) < 1e-15);
  assert_int_equal(nsds_ode_root_count(ode), 3);
  for (int k = 0; k < 3; ++k) {
    nsds_ode_root root = nsds_ode_root_at(ode, k);
    assert_int_equal(root.index, k);
    assert_int_equal(root.direction, k == 1 ? NSDS_ROOT_RISING : NSDS_ROOT_FALLING);
  }
  assert_int_equal(nsds_ode_advance(ode, 1.0, &t, NULL), NSDS_ODE_ROOT);
  assert_true(fabs(t - 0.7 - 1e-12) < 1e-15);
  assert_int_equal(nsds_ode_root_count(ode), 1);
  assert_int_equal(nsds_ode_root_at(ode, 0).index, 3);
  assert_int_equal(nsds_ode_advance(ode, 1.0, &t, NULL), NSDS_ODE_REACHED);
  assert_int_equal(nsds_ode_root_count(ode), 0);
  assert_int_equal(nsds_ode_root_at(ode, 0).index, -1);
  nsds_ode_destroy(ode);
}

/* Nothing moves for long; then there is a push up, and what goes up comes down. */
static void test_a_root_after_a_long_rest(void **unused) {
  (void)unused;
  world.m = 1;
  for (int far = 0; far < 2; ++far) { /* zero while at rest; or far from it */
    nsds_ode *ode = make(2, odes_fall, odes_heights, 1e-8);
    double t, x[2] = {0.0, 0.0};
    world.c[0] = far ? 2.0 : 0.0;
    nsds_ode_watch(ode, 0, NSDS_ROOT_FALLING);
    world.a[0] = 0.0;
    assert_status(nsds_ode_start(ode, 0.0, x), NSDS_OK);
    assert_int_equal(nsds_ode_advance(ode, 100.0, &t, x), NSDS_ODE_REACHED);
    world.a[0] = -4.0;
    assert_status(nsds_ode_start(ode, t, x), NSDS_OK);
    assert_int_equal(nsds_ode_advance(ode, 101.0, &t, x), NSDS_ODE_REACHED);
    world.a[0] = 4.0; /* at 2 with velocity 4 */
    assert_status(nsds_ode_start(ode, t, x), NSDS_OK);
    assert_int_equal(nsds_ode_advance(ode, 110.0, &t, x), NSDS_ODE_ROOT);
    assert_true(fabs(t - (102.0 + (far ? 1.0 : sqrt(2.0)))) < 1e-12);
    assert_int_equal(nsds_ode_advance(ode, 110.0, &t, x), NSDS_ODE_REACHED);
    nsds_ode_destroy(ode);
  }
}

static double late_hump(double t) { return t < 100.0 ? 0.0 : (t - 100.0) * (100.75 - t); }

static void test_a_root_after_a_long_rest_in_one_motion(void **unused) {
  (void)unused;
  double time[4];
  nsds_ode_root root[4];
  assert_int_equal(roots_of_time(late_hump, 1.0, NSDS_ROOT_FALLING, 110.0, time, root), 1);
  assert_true(fabs(time[0] - 100.75) < 1e-12);
}

/* ---- functions that are not continuous, not finite, not defined ---- */

static double jump(double t) { return t < 0.3 ? 2.0 : -1.0; }
static double scatter(double t) { return sin(1e14 * t * t + 3.0 * t) > 0.0 ? 1.0 : -1.0; }
static double plateau(double t) { return t < 0.4 ? 0.4 - t : t < 0.6 ? 0.0 : 0.6 - t; }

static void test_functions_with_jumps_end(void **unused) {
  (void)unused;
  double time[4];
  nsds_ode_root root[4];
  assert_int_equal(roots_of_time(jump, 0.0, NSDS_ROOT_BOTH, 1.0, time, root), 1);
  assert_true(time[0] >= 0.3 && time[0] < 0.3 + 1e-15);
  for (int k = 0; k < 5; ++k) {
    world.calls = 0;
    roots_of_time(scatter, ldexp(1.0, -k), NSDS_ROOT_BOTH, 1.0, time, root);
    assert_true(world.calls < 60000 << k); /* at most 32 parts of a step, a few changes each */
  }
  assert_int_equal(roots_of_time(plateau, 0.05, NSDS_ROOT_BOTH, 1.0, time, root), 1);
  assert_true(time[0] > 0.4 - 1e-14 && time[0] <= 0.6 + 1e-14);
}

static double ends(double t) { return t < 0.5 ? 1.0 : NAN; }

static void test_functions_not_finite(void **unused) {
  (void)unused;
  nsds_ode *ode = odes_of_time(context, &world, ends, 0.0);
  double t;
  nsds_ode_watch(ode, 0, NSDS_ROOT_OFF); /* of a function that is off nothing is asked */
  assert_status(nsds_ode_start(ode, 0.0, NULL), NSDS_OK);
  assert_int_equal(nsds_ode_advance(ode, 1.0, &t, NULL), NSDS_ODE_REACHED);
  nsds_ode_watch(ode, 0, NSDS_ROOT_BOTH);
  assert_status(nsds_ode_start(ode, 0.0, NULL), NSDS_OK);
  assert_status(nsds_ode_advance(ode, 1.0, &t, NULL), NSDS_ERROR_VALUE);
  assert_int_equal(nsds_ode_failure(ode), NSDS_ODE_FAILED_NOT_FINITE);
  assert_true(t == 0.0);
  assert_non_null(strstr(nsds_error_message(context), "root function 0 is "));
  nsds_error_clear(context);
  nsds_ode_destroy(ode);
}

/* Defined to 0.5 + what the step still has to learn; failing from c0 on. */
static int refused(void *self, double t, const double *x, double *g) {
  const odes *o = self;
  g[0] = 0.37 - x[0];
  if (o->c[1] < 0.0 && t > o->c[0]) return NSDS_ERROR_SOLVER;
  return t > o->c[0] || x[0] > 0.5 ? 1 : 0;
}

static int unit_speed(void *self, double t, const double *x, double *dx) {
  (void)self;
  (void)t;
  (void)x;
  dx[0] = 1.0;
  return 0;
}

static void test_functions_that_ask_for_smaller_steps(void **unused) {
  (void)unused;
  world.m = 1;
  world.c[0] = 2.0;
  nsds_ode *ode = make(1, unit_speed, refused, 1e-8);
  double t, x[1] = {0.0};
  nsds_ode_watch(ode, 0, NSDS_ROOT_FALLING);
  assert_status(nsds_ode_start(ode, 0.0, x), NSDS_OK);
  assert_int_equal(nsds_ode_advance(ode, 2.0, &t, x), NSDS_ODE_ROOT);
  assert_true(fabs(t - 0.37) < 1e-15 && fabs(x[0] - 0.37) < 1e-15);
  assert_status(nsds_ode_advance(ode, 2.0, &t, x), NSDS_ERROR_CALLBACK);
  assert_int_equal(nsds_ode_failure(ode), NSDS_ODE_FAILED_ROOT);
  assert_true(fabs(t - 0.5) < 1e-12 && fabs(x[0] - 0.5) < 1e-12);
  nsds_error_clear(context);
  world.c[1] = -1.0;
  world.c[0] = 0.1;
  assert_status(nsds_ode_start(ode, 0.0, (double[]){0.0}), NSDS_OK);
  assert_status(nsds_ode_advance(ode, 0.4, &t, x), NSDS_ERROR_SOLVER);
  assert_int_equal(nsds_ode_failure(ode), NSDS_ODE_FAILED_ROOT);
  nsds_error_clear(context);
  nsds_ode_destroy(ode);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(test_root_exactly_at_t_stop),
      TEST(test_root_exactly_at_the_end_of_a_step),
      TEST(test_a_touch_is_no_root),
      TEST(test_grazing_of_known_depth),
      TEST(test_extremely_small_crossings),
      TEST(test_roots_of_several_functions_at_once),
      TEST(test_a_root_after_a_long_rest),
      TEST(test_a_root_after_a_long_rest_in_one_motion),
      TEST(test_functions_with_jumps_end),
      TEST(test_functions_not_finite),
      TEST(test_functions_that_ask_for_smaller_steps),
  };
#undef TEST
  return cmocka_run_group_tests_name("numerics.ode_places", tests, NULL, NULL);
}
