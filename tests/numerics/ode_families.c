/*
 * Random motions with known roots: polynomials of degree 4, which the integration follows exactly,
 * so that every root inside a step has to be found and none invented; and functions that are not
 * polynomials, against their closed form.
 */
#include "numerics/ode/advance.h"
#include "numerics/ode/ode.h"
#include "cmocka_setup.h"
#include "families.h"
#include "odes.h"

#include <stdlib.h>

enum { most_functions = 6, most_roots = 4 * most_functions };

static nsds_context *context;
static odes world;

static int setup(void **unused) {
  (void)unused;
  context = nsds_context_create(NULL);
  odes_clear(&world);
  random_seed(7);
  return 0;
}

static int teardown(void **unused) {
  (void)unused;
  assert_string_equal(nsds_error_message(context), "");
  nsds_context_destroy(context);
  return 0;
}

typedef struct expected {
  double t;
  nsds_ode_root root;
  double error; /* of t, by rounding */
} expected;

static int by_time(const void *a, const void *b) {
  double s = ((const expected *)a)->t, t = ((const expected *)b)->t;
  return (s > t) - (s < t);
}

/* a[0..4] of scale * product of (t - root_k). */
static void expand(double a[5], double scale, int count, const double *root) {
  for (int k = 0; k < 5; ++k) a[k] = k == 0 ? scale : 0.0;
  for (int r = 0; r < count; ++r)
    for (int k = r + 1; k >= 0; --k) a[k] = (k > 0 ? a[k - 1] : 0.0) - root[r] * a[k];
}

/* Roots in (0, 1) no closer than `apart`, also to those there are. */
static double new_root(const expected *list, int count, double apart) {
  for (;;) {
    double t = uniform(0.01, 0.99);
    bool good = true;
    for (int k = 0; k < count; ++k) good = good && fabs(t - list[k].t) > apart;
    if (good) return t;
  }
}

/* The direction of the root, and how far rounding may move it: that of the polynomial, 1e-14 of its
 * coefficients, over the slope. */
static void describe(expected *e, const double a[5]) {
  double t = e->t, slope = a[1] + t * (2.0 * a[2] + t * (3.0 * a[3] + t * 4.0 * a[4])), size = 0.0;
  for (int k = 0; k < 5; ++k) size += fabs(a[k]);
  e->root.direction = slope > 0.0 ? NSDS_ROOT_RISING : NSDS_ROOT_FALLING;
  e->error = 1e-14 * size / fabs(slope);
}

/* A polynomial for function i with `inside` roots in (0, 1), others outside; its roots go to the
 * list. x_i = polynomial + c_i. */
static int plant(int i, int inside, expected *list, int count, double apart) {
  double root[4], scale = random_number() < 0.0 ? -1.0 : 1.0;
  scale *= pow(10.0, uniform(-6.0, 6.0));
  int degree = inside + (int)uniform(0.0, 4.999 - inside);
  for (int k = 0; k < degree; ++k) {
    bool in = k < inside;
    root[k] = in                        ? new_root(list, count, apart)
              : uniform(0.0, 1.0) < 0.5 ? uniform(-1.0, -0.05)
                                        : uniform(1.05, 2.0);
    if (in) list[count++] = (expected){.t = root[k], .root.index = i};
  }
  expand(world.a + 5 * i, scale, degree, root);
  for (int k = count - inside; k < count; ++k) describe(&list[k], world.a + 5 * i);
  return count;
}

static int keep_watched(expected *list, int count, const nsds_root_direction *watch) {
  int kept = 0;
  for (int k = 0; k < count; ++k)
    if (list[k].root.direction & watch[list[k].root.index]) list[kept++] = list[k];
  return kept;
}

/* All roots of the motion, against the list. */
static void follow(nsds_ode *ode, const nsds_root_direction *watch, const expected *list,
                   int count) {
  double t = 0.0, x[most_functions];
  for (int i = 0; i < world.m; ++i) {
    world.c[i] = 0.0;
    x[i] = world.a[5 * i];
    nsds_ode_watch(ode, i, watch[i]);
  }
  assert_status(nsds_ode_start(ode, 0.0, x), NSDS_OK);
  for (int k = 0; k < count; ++k) {
    assert_int_equal(nsds_ode_advance(ode, 1.0, &t, x), NSDS_ODE_ROOT);
    assert_int_equal(nsds_ode_root_count(ode), 1);
    assert_int_equal(nsds_ode_root_at(ode, 0).index, list[k].root.index);
    assert_int_equal(nsds_ode_root_at(ode, 0).direction, list[k].root.direction);
    assert_true(fabs(t - list[k].t) <= list[k].error);
  }
  assert_int_equal(nsds_ode_advance(ode, 1.0, &t, x), NSDS_ODE_REACHED);
}

static void test_no_root_missed_none_invented(void **unused) {
  (void)unused;
  int total = 0;
  for (int k = 0; k < 10000; ++k) {
    nsds_root_direction watch[most_functions];
    expected list[most_roots];
    int count = 0;
    double apart = k % 2 ? 1e-2 : 1e-3;
    world.m = 1 + k % most_functions;
    for (int i = 0; i < world.m; ++i) {
      watch[i] = (nsds_root_direction)(int)uniform(0.0, 3.999);
      count = plant(i, (int)uniform(0.0, 4.999), list, count, apart);
    }
    qsort(list, (size_t)count, sizeof *list, by_time);
    count = keep_watched(list, count, watch);
    total += count;
    nsds_ode_problem problem = {.n = world.m,
                                .roots = world.m,
                                .self = &world,
                                .rhs = odes_polynomials,
                                .root = odes_levels};
    nsds_ode_options options = {.root_panels = 1 + k % 3};
    if (k % 5 == 0) options.largest_step = uniform(0.05, 1.0);
    nsds_ode *ode = nsds_ode_create(context, &problem, &options);
    follow(ode, watch, list, count);
    nsds_ode_destroy(ode);
  }
  assert_true(total > 20000);
}

/* The same motion stopped at many times on the way has the same roots. */
static void test_stops_on_the_way_change_nothing(void **unused) {
  (void)unused;
  world.m = most_functions;
  nsds_ode_problem problem = {
      .n = world.m, .roots = world.m, .self = &world, .rhs = odes_polynomials, .root = odes_levels};
  nsds_ode *ode = nsds_ode_create(context, &problem, NULL);
  for (int k = 0; k < 500; ++k) {
    expected list[most_roots];
    int count = 0, seen = 0, result;
    double t, x[most_functions];
    for (int i = 0; i < world.m; ++i) {
      count = plant(i, (int)uniform(0.0, 4.999), list, count, 1e-3);
      x[i] = world.a[5 * i];
      nsds_ode_watch(ode, i, NSDS_ROOT_BOTH);
    }
    qsort(list, (size_t)count, sizeof *list, by_time);
    assert_status(nsds_ode_start(ode, 0.0, x), NSDS_OK);
    for (int stop = 1; stop <= 40; ++stop)
      while ((result = nsds_ode_advance(ode, stop / 40.0, &t, x)) == NSDS_ODE_ROOT) {
        assert_true(seen < count && fabs(t - list[seen].t) <= list[seen].error);
        ++seen;
      }
    assert_int_equal(result, NSDS_ODE_REACHED);
    assert_int_equal(seen, count);
  }
  nsds_ode_destroy(ode);
}

/* g_i = sin(a_i t + c_i) - level in a motion without states: none missed where a step is no longer
 * than a third of the shortest period. */
static int waves(void *self, double t, const double *x, double *g) {
  const odes *o = self;
  (void)x;
  for (int i = 0; i < o->m; ++i) g[i] = sin(o->a[i] * t + o->c[i]);
  return 0;
}

static void test_waves(void **unused) {
  (void)unused;
  const double pi = 3.14159265358979323846;
  for (int k = 0; k < 300; ++k) {
    world.m = most_functions;
    int count = 0;
    double fastest = 0.0;
    for (int i = 0; i < world.m; ++i) {
      world.a[i] = pow(10.0, uniform(-1.0, 2.0));
      world.c[i] = uniform(0.1, 3.0);
      fastest = fmax(fastest, world.a[i]);
      count += (int)floor((world.a[i] + world.c[i]) / pi);
    }
    nsds_ode_problem problem = {.roots = world.m, .self = &world, .root = waves};
    nsds_ode_options options = {.largest_step = 2.0 * pi / 3.0 / fastest};
    nsds_ode *ode = nsds_ode_create(context, &problem, &options);
    static double time[1000];
    static nsds_ode_root root[1000];
    assert_true(count < 1000);
    assert_int_equal(odes_roots(ode, 0.0, NULL, NSDS_ROOT_BOTH, 1.0, 1000, time, root), count);
    for (int r = 0; r < count; ++r) {
      int i = root[r].index;
      double turns = (world.a[i] * time[r] + world.c[i]) / pi;
      assert_true(fabs(turns - round(turns)) < 1e-13);
      assert_int_equal(root[r].direction, lround(turns) % 2 ? NSDS_ROOT_FALLING : NSDS_ROOT_RISING);
    }
    nsds_ode_destroy(ode);
  }
}

/* g = T_k(x) with x = cos t, which is cos(k t): roots of a function that is far from affine. The
 * quartic is a model only, and its root a guess: six calls for a root beside the four for a panel.
 */
static int chebyshev(void *self, double t, const double *x, double *g) {
  const odes *o = self;
  (void)t;
  double last = 1.0;
  g[0] = x[0];
  for (int k = 1; k < (int)o->c[0]; ++k) {
    double next = 2.0 * x[0] * g[0] - last;
    last = g[0];
    g[0] = next;
  }
  return 0;
}

static void test_functions_far_from_affine(void **unused) {
  (void)unused;
  const double pi = 3.14159265358979323846;
  static double time[200];
  static nsds_ode_root root[200];
  world.m = 1;
  world.a[0] = 1.0;
  for (int k = 1; k <= 8; ++k)
    for (double tolerance = 1e-4; tolerance > 1e-11; tolerance *= 1e-2) {
      nsds_ode_problem problem = {
          .n = 2, .roots = 1, .self = &world, .rhs = odes_oscillator, .root = chebyshev};
      nsds_ode_options options = {.relative_tolerance = tolerance, .absolute_tolerance = tolerance};
      nsds_ode *ode = nsds_ode_create(context, &problem, &options);
      world.c[0] = k;
      int count = odes_roots(ode, 0.1, (double[]){cos(0.1), -sin(0.1)}, NSDS_ROOT_BOTH, 50.0, 200,
                             time, root);
      assert_int_equal(count, (int)floor(k * 50.0 / pi + 0.5));
      for (int r = 0; r < count; ++r)
        assert_true(fabs(time[r] - (r + 0.5) * pi / k) < 100.0 * tolerance);
      nsds_ode_counters c = *nsds_ode_count(ode);
      assert_true(c.root <= 6 * c.steps + (k > 1 ? 30 : 7) * count); /* about 3 parts a root */
      nsds_ode_destroy(ode);
    }
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(test_no_root_missed_none_invented),
      TEST(test_stops_on_the_way_change_nothing),
      TEST(test_waves),
      TEST(test_functions_far_from_affine),
  };
#undef TEST
  return cmocka_run_group_tests_name("numerics.ode_families", tests, NULL, NULL);
}
