/*
 * Roots along smooth motions: where they are known in closed form, and the cases in which methods
 * of locating roots are known to go wrong.
 */
#include "numerics/ode/advance.h"
#include "numerics/ode/ode.h"
#include "cmocka_setup.h"
#include "odes.h"

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

/* ---- closed forms ---- */

/* Falling from height h: the impact is at sqrt(2 h / a). Quadratics are exact, steps are long. */
static void test_impact_time_of_a_falling_ball(void **unused) {
  (void)unused;
  world.m = 1;
  for (double h = 1e-6; h < 1e7; h *= 10.0) {
    world.a[0] = 9.81;
    nsds_ode *ode = make(2, odes_fall, odes_heights, 1e-8);
    double time[4], exact = sqrt(2.0 * h / 9.81);
    nsds_ode_root root[4];
    int count =
        odes_roots(ode, 0.0, (double[]){h, 0.0}, NSDS_ROOT_FALLING, 2.0 * exact, 4, time, root);
    assert_int_equal(count, 1);
    assert_true(fabs(time[0] - exact) <= 1e-14 * exact);
    assert_int_equal(root[0].direction, NSDS_ROOT_FALLING);
    nsds_ode_destroy(ode);
  }
}

/* x = sin t: the k-th root is at k pi, rising and falling in turn, that at the start first. */
static void test_roots_of_a_thousand_periods(void **unused) {
  (void)unused;
  static double time[2100];
  static nsds_ode_root root[2100];
  world.m = 1;
  world.a[0] = 1.0;
  nsds_ode *ode = make(2, odes_oscillator, odes_heights, 1e-12);
  nsds_ode_affine(ode, &(nsds_ode_rows){.constant = (double[]){0.0, 0.0},
                                        .start = (int[]){0, 1, 1},
                                        .column = (int[]){0},
                                        .value = (double[]){1.0}});
  int count =
      odes_roots(ode, 0.0, (double[]){0.0, 1.0}, NSDS_ROOT_BOTH, 2000.5 * pi, 2100, time, root);
  assert_int_equal(count, 2001);
  for (int k = 0; k <= 2000; ++k) {
    assert_true(fabs(time[k] - k * pi) < 1e-12 + 1e-11 * k * pi);
    assert_int_equal(root[k].direction, k % 2 ? NSDS_ROOT_FALLING : NSDS_ROOT_RISING);
  }
  nsds_ode_counters c = *nsds_ode_count(ode);
  assert_true(c.root < 4 * c.steps + 10 * 2001);
  for (int direction = NSDS_ROOT_FALLING; direction <= NSDS_ROOT_RISING; ++direction) {
    count = odes_roots(ode, 0.1, (double[]){sin(0.1), cos(0.1)}, (nsds_root_direction)direction,
                       6.5 * pi, 2100, time, root);
    assert_int_equal(count, 3);
    for (int k = 0; k < 3; ++k)
      assert_true(fabs(time[k] - (2 * k + 1 + (direction == NSDS_ROOT_RISING)) * pi) < 1e-9);
  }
  nsds_ode_destroy(ode);
}

/* A ball that jumps for ever: each impact is a start at a function that is zero and rises. */
static void test_bouncing_on_one_contact(void **unused) {
  (void)unused;
  world.m = 1;
  world.a[0] = 10.0;
  nsds_ode *ode = make(2, odes_fall, odes_heights, 1e-8);
  double t = 0.0, x[2] = {0.2, 0.0};
  nsds_ode_watch(ode, 0, NSDS_ROOT_FALLING);
  for (int k = 0; k < 200; ++k) {
    assert_status(nsds_ode_start(ode, t, x), NSDS_OK);
    assert_int_equal(nsds_ode_advance(ode, 1e3, &t, x), NSDS_ODE_ROOT);
    assert_true(fabs(t - (0.2 + 0.4 * k)) < 1e-10);
    assert_true(x[0] <= 0.0 && fabs(x[0]) < 1e-12);
    x[1] = -x[1];
  }
  nsds_ode_destroy(ode);
}

/* ---- directions, watching ---- */

static double hump(double t) { return (t - 0.25) * (0.75 - t); }

static void test_two_crossings_within_one_step(void **unused) {
  (void)unused;
  double time[4];
  nsds_ode_root root[4];
  assert_int_equal(roots_of_time(hump, 0.0, NSDS_ROOT_BOTH, 1.0, time, root), 2);
  assert_true(fabs(time[0] - 0.25) < 1e-15 && root[0].direction == NSDS_ROOT_RISING);
  assert_true(fabs(time[1] - 0.75) < 1e-15 && root[1].direction == NSDS_ROOT_FALLING);
  assert_int_equal(roots_of_time(hump, 0.0, NSDS_ROOT_FALLING, 1.0, time, root), 1);
  assert_true(fabs(time[0] - 0.75) < 1e-15);
  assert_int_equal(roots_of_time(hump, 0.0, NSDS_ROOT_RISING, 1.0, time, root), 1);
  assert_true(fabs(time[0] - 0.25) < 1e-15);
  assert_int_equal(roots_of_time(hump, 0.0, NSDS_ROOT_OFF, 1.0, time, root), 0);
}

/* Between two samples at the quarters: only the shape of the quartic tells. */
static double dip(double t) { return (t - 0.6) * (t - 0.601); }

static void test_a_fast_dip_and_back(void **unused) {
  (void)unused;
  double time[4];
  nsds_ode_root root[4];
  assert_int_equal(roots_of_time(dip, 0.0, NSDS_ROOT_BOTH, 1.0, time, root), 2);
  assert_true(fabs(time[0] - 0.6) < 1e-12 && root[0].direction == NSDS_ROOT_FALLING);
  assert_true(fabs(time[1] - 0.601) < 1e-12 && root[1].direction == NSDS_ROOT_RISING);
}

static void test_directions_changed_on_the_way(void **unused) {
  (void)unused;
  nsds_ode *ode = odes_of_time(context, &world, hump, 0.0);
  double t;
  assert_status(nsds_ode_start(ode, 0.0, NULL), NSDS_OK);
  nsds_ode_watch(ode, 0, NSDS_ROOT_FALLING);
  assert_int_equal(nsds_ode_advance(ode, 0.1, &t, NULL), NSDS_ODE_REACHED);
  nsds_ode_watch(ode, 0, NSDS_ROOT_RISING);
  assert_int_equal(nsds_ode_advance(ode, 1.0, &t, NULL), NSDS_ODE_ROOT);
  assert_true(fabs(t - 0.25) < 1e-15);
  nsds_ode_watch(ode, 0, NSDS_ROOT_OFF);
  assert_int_equal(nsds_ode_advance(ode, 0.5, &t, NULL), NSDS_ODE_REACHED);
  nsds_ode_watch(ode, 0, NSDS_ROOT_FALLING); /* switched on within the step */
  assert_int_equal(nsds_ode_advance(ode, 1.0, &t, NULL), NSDS_ODE_ROOT);
  assert_true(fabs(t - 0.75) < 1e-15);
  assert_int_equal(nsds_ode_advance(ode, 1.0, &t, NULL), NSDS_ODE_REACHED);
  nsds_ode_destroy(ode);
}

/* ---- zero at the start ---- */

static double falls(double t) { return -t; }
static double rises(double t) { return t; }
static double rests(double t) { return 0.0 * t; }
static double rests_and_falls(double t) { return t < 0.5 ? 0.0 : 0.5 - t; }
static double flat_and_falls(double t) { return -t * t; }
static double leaves_and_returns(double t) { return t * t * (0.8 - t); }

static void test_zero_at_the_start(void **unused) {
  (void)unused;
  double time[4];
  nsds_ode_root root[4];
  assert_int_equal(roots_of_time(falls, 0.0, NSDS_ROOT_FALLING, 1.0, time, root), 1);
  assert_true(time[0] == 0.0 && root[0].direction == NSDS_ROOT_FALLING);
  assert_int_equal(roots_of_time(rises, 0.0, NSDS_ROOT_FALLING, 1.0, time, root), 0);
  assert_int_equal(roots_of_time(falls, 0.0, NSDS_ROOT_RISING, 1.0, time, root), 0);
  assert_int_equal(roots_of_time(rises, 0.0, NSDS_ROOT_BOTH, 1.0, time, root), 1);
  assert_true(time[0] == 0.0 && root[0].direction == NSDS_ROOT_RISING);
}

/* Zero up to the rounding of the state, on either side. */
static void test_zero_up_to_rounding_at_the_start(void **unused) {
  (void)unused;
  double time[4];
  nsds_ode_root root[4];
  world.m = 1;
  world.c[0] = 1e3;
  for (int side = -1; side <= 1; ++side)
    for (int velocity = -1; velocity <= 1; velocity += 2) {
      nsds_ode *ode = make(2, odes_fall, odes_heights, 1e-8);
      double x[2] = {1e3 + side * 1.2e-13, velocity};
      int count = odes_roots(ode, 0.0, x, NSDS_ROOT_FALLING, 1.0, 4, time, root);
      assert_int_equal(count, velocity < 0);
      if (count) assert_true(time[0] == 0.0);
      nsds_ode_destroy(ode);
    }
}

static void test_at_rest_at_zero(void **unused) {
  (void)unused;
  double time[4];
  nsds_ode_root root[4];
  assert_int_equal(roots_of_time(rests, 0.1, NSDS_ROOT_BOTH, 1.0, time, root), 0);
  assert_int_equal(roots_of_time(flat_and_falls, 0.0, NSDS_ROOT_BOTH, 1.0, time, root), 0);
  assert_int_equal(roots_of_time(rests_and_falls, 0.1, NSDS_ROOT_BOTH, 1.0, time, root), 0);
  assert_int_equal(roots_of_time(leaves_and_returns, 0.0, NSDS_ROOT_BOTH, 1.0, time, root), 1);
  assert_true(fabs(time[0] - 0.8) < 1e-15 && root[0].direction == NSDS_ROOT_FALLING);
}

/* A state at rest, up to rounding, that is watched from within its rounding. */
static void test_at_rest_up_to_rounding(void **unused) {
  (void)unused;
  double time[4];
  nsds_ode_root root[4];
  world.m = 1;
  world.a[0] = 1.0;
  world.c[0] = 1e3;
  nsds_ode *ode = make(2, odes_oscillator, odes_heights, 1e-8);
  double size[] = {0.0, 1e-13, -1e-13}; /* an oscillation of so much around 1000 - c, shifted */
  for (int k = 0; k < 3; ++k) {
    world.a[0] = 0.0; /* free: x stays where it is */
    double x[2] = {1e3 + size[k], 0.0};
    assert_int_equal(odes_roots(ode, 0.0, x, NSDS_ROOT_BOTH, 50.0, 4, time, root), 0);
  }
  nsds_ode_destroy(ode);
}

/* What was found counts as zero where the motion starts anew, however coarse the tolerance: it is a
 * root again where it still falls, and none where it turns. */
static void test_start_at_a_root(void **unused) {
  (void)unused;
  world.m = 1;
  world.a[0] = 10.0;
  for (double tolerance = 1e-3; tolerance > 1e-17; tolerance *= 0.1) {
    nsds_ode_problem problem = {2, 1, &world, odes_fall, odes_heights, NULL, NULL};
    nsds_ode_options options = {.root_tolerance = tolerance};
    nsds_ode *ode = nsds_ode_create(context, &problem, &options);
    double t, found, x[2];
    nsds_ode_watch(ode, 0, NSDS_ROOT_FALLING);
    assert_status(nsds_ode_start(ode, 0.0, (double[]){0.3, 0.1}), NSDS_OK);
    assert_int_equal(nsds_ode_advance(ode, 1.0, &found, x), NSDS_ODE_ROOT);
    assert_true(x[0] <= 0.0 && x[0] >= -4.0 * tolerance - 1e-14);
    for (int again = 0; again < 3; ++again) {
      assert_status(nsds_ode_start(ode, found, x), NSDS_OK);
      assert_int_equal(nsds_ode_advance(ode, 1.0, &t, x), NSDS_ODE_ROOT);
      assert_true(t == found);
    }
    x[1] = -x[1];
    assert_status(nsds_ode_start(ode, found, x), NSDS_OK);
    assert_int_equal(nsds_ode_advance(ode, found + 0.1, &t, x), NSDS_ODE_REACHED);
    assert_int_equal(nsds_ode_advance(ode, found + 1.0, &t, x), NSDS_ODE_ROOT);
    assert_true(t > found + 0.1);
    nsds_ode_destroy(ode);
  }
}

/* Two that move alike: their distance less what it is is rounding, which no panel however short
 * makes smooth. Beside it a function that jumps, and one with a root. */
static int alike(void *self, double t, const double *x, double *g) {
  (void)self, (void)t;
  g[0] = x[1] - x[0] - 0.1;
  g[1] = floor(7.0 * x[0]) + 0.5;
  g[2] = x[0] - 0.8;
  return 0;
}

static int swing_alike(void *self, double t, const double *x, double *dx) {
  (void)self, (void)x;
  dx[0] = dx[1] = cos(t);
  return 0;
}

/* A step is cut into no more panels where it ends than where it begins. */
static void test_rounding_is_not_looked_at_ever_closer(void **unused) {
  (void)unused;
  world.m = 3;
  nsds_ode *ode = make(2, swing_alike, alike, 1e-8);
  double t, x[2];
  nsds_ode_watch(ode, 0, NSDS_ROOT_FALLING);
  nsds_ode_side(ode, 0, 1);
  nsds_ode_watch(ode, 1, NSDS_ROOT_FALLING);
  nsds_ode_watch(ode, 2, NSDS_ROOT_RISING);
  assert_status(nsds_ode_start(ode, 0.0, (double[]){0.0, 0.1}), NSDS_OK);
  assert_int_equal(nsds_ode_advance(ode, 1.4, &t, x), NSDS_ODE_ROOT);
  assert_true(fabs(t - asin(0.8)) <= 1e-7);
  const nsds_ode_counters *count = nsds_ode_count(ode);
  print_message("             %d steps, %d calls of the functions\n", (int)count->steps,
                (int)count->root);
  assert_true(count->root < 1000 * count->steps);
  nsds_ode_destroy(ode);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(test_impact_time_of_a_falling_ball),    TEST(test_roots_of_a_thousand_periods),
      TEST(test_bouncing_on_one_contact),          TEST(test_start_at_a_root),
      TEST(test_two_crossings_within_one_step),    TEST(test_a_fast_dip_and_back),
      TEST(test_directions_changed_on_the_way),    TEST(test_zero_at_the_start),
      TEST(test_zero_up_to_rounding_at_the_start), TEST(test_at_rest_at_zero),
      TEST(test_at_rest_up_to_rounding),           TEST(test_rounding_is_not_looked_at_ever_closer),
  };
#undef TEST
  return cmocka_run_group_tests_name("numerics.ode_roots", tests, NULL, NULL);
}
