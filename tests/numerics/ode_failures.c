/*
 * Integration that cannot go on: every cause is told, with the last accepted state; arguments are
 * checked; memory is taken in advance, and may be missing.
 */
#include "numerics/ode/advance.h"
#include "numerics/ode/ode.h"
#include "cmocka_setup.h"
#include "families.h"
#include "meter.h"
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

enum { REFUSE_LATE = 1, FAIL_LATE, NOT_A_NUMBER_LATE, REFUSE_LONG, JUMP_TO_INFINITY };

typedef struct trouble {
  int how;
  double from; /* the time behind which */
  double last; /* time of the last good call */
} trouble;

static int troubled(void *self, double t, const double *x, double *dx) {
  trouble *r = self;
  dx[0] = r->how == JUMP_TO_INFINITY ? x[0] * x[0] : 1.0;
  if (r->how == REFUSE_LONG && t > r->last + 0.01) return 1;
  if (r->how != REFUSE_LONG && t > r->from) {
    if (r->how == REFUSE_LATE) return 1;
    if (r->how == FAIL_LATE) return NSDS_ERROR_SOLVER;
    if (r->how == NOT_A_NUMBER_LATE) dx[0] = NAN;
  }
  r->last = t;
  return 0;
}

/* Integrates from 0, x = 1 to 2; checks that the state returned is an accepted one. */
static int run_trouble(trouble *r, nsds_ode_cause *cause, double *t, int64_t max_steps) {
  nsds_ode_problem problem = {.n = 1, .self = r, .rhs = troubled};
  nsds_ode_options options = {.max_steps = max_steps};
  nsds_ode *ode = nsds_ode_create(context, &problem, &options);
  double x = -1.0;
  assert_status(nsds_ode_start(ode, 0.0, (double[]){1.0}), NSDS_OK);
  int result = nsds_ode_advance(ode, 2.0, t, &x);
  *cause = nsds_ode_failure(ode);
  double exact = r->how == JUMP_TO_INFINITY ? 1.0 / (1.0 - *t) : 1.0 + *t;
  if (*t < 0.99 || r->how != JUMP_TO_INFINITY) assert_true(fabs(x - exact) <= 1e-6 * exact);
  if (result < 0) { /* no further without a start, and another start is possible */
    double again;
    assert_status(nsds_ode_advance(ode, 2.0, &again, &x), NSDS_ERROR_STATE);
    assert_status(nsds_ode_start(ode, 0.0, (double[]){1.0}), NSDS_OK);
    assert_int_equal(nsds_ode_advance(ode, 1e-3, &again, &x), NSDS_ODE_REACHED);
  }
  nsds_ode_destroy(ode);
  return result;
}

static void expect_trouble(int how, int64_t max_steps, nsds_status status, nsds_ode_cause cause,
                           double from, const char *word) {
  trouble r = {.how = how, .from = 1.0};
  nsds_ode_cause seen;
  double t;
  nsds_error_clear(context);
  assert_int_equal(run_trouble(&r, &seen, &t, max_steps), status);
  assert_int_equal(seen, cause);
  assert_true(t >= from && t <= (how == JUMP_TO_INFINITY ? 1.0 + 1e-6 : 1.0));
  assert_int_equal(nsds_error(context), status);
  assert_non_null(strstr(nsds_error_message(context), word));
}

static void test_failures_are_told(void **unused) {
  (void)unused;
  expect_trouble(REFUSE_LATE, 0, NSDS_ERROR_CALLBACK, NSDS_ODE_FAILED_RHS, 0.999,
                 "asks for smaller steps");
  expect_trouble(NOT_A_NUMBER_LATE, 0, NSDS_ERROR_VALUE, NSDS_ODE_FAILED_NOT_FINITE, 0.999,
                 "entry 0 of the right-hand side is not finite");
  expect_trouble(FAIL_LATE, 0, NSDS_ERROR_SOLVER, NSDS_ODE_FAILED_RHS, 0.0, "failed at t = ");
  expect_trouble(JUMP_TO_INFINITY, 0, NSDS_ERROR_INTEGRATION, NSDS_ODE_FAILED_STEP_SIZE, 0.999,
                 "no step is small enough");
  expect_trouble(JUMP_TO_INFINITY, 5, NSDS_ERROR_INTEGRATION, NSDS_ODE_FAILED_MAX_STEPS, 0.0,
                 "max_steps = 5");
}

/* Too long a step is refused, and the way is gone in shorter ones. */
static void test_refused_steps_get_shorter(void **unused) {
  (void)unused;
  trouble r = {.how = REFUSE_LONG};
  nsds_ode_cause cause;
  double t;
  assert_int_equal(run_trouble(&r, &cause, &t, 0), NSDS_ODE_REACHED);
  assert_true(t == 2.0);
  assert_int_equal(cause, NSDS_ODE_FAILED_NOT);
  assert_status(nsds_error(context), NSDS_OK);
}

static int still(void *self, double t, const double *x, double *dx) {
  (void)self, (void)t, (void)x;
  dx[0] = 0.0;
  return 0;
}

static void test_bad_arguments(void **unused) {
  (void)unused;
  nsds_ode_problem good = {.n = 1, .rhs = still};
  const nsds_ode_problem bad[] = {{.n = -1, .rhs = still}, {.roots = -1}, {.n = 1}, {.roots = 1}};
  for (int k = 0; k < 4; ++k) {
    nsds_error_clear(context);
    assert_null(nsds_ode_create(context, &bad[k], NULL));
    assert_status(nsds_error(context), NSDS_ERROR_ARGUMENT);
  }
  const nsds_ode_options wrong[] = {{.method = "euler"},         {.relative_tolerance = -1.0},
                                    {.absolute_tolerance = NAN}, {.first_step = INFINITY},
                                    {.largest_step = -1.0},      {.root_tolerance = -1e-9},
                                    {.root_panels = -1},         {.max_steps = -1}};
  for (int k = 0; k < 8; ++k) {
    nsds_error_clear(context);
    assert_null(nsds_ode_create(context, &good, &wrong[k]));
    assert_status(nsds_error(context), NSDS_ERROR_ARGUMENT);
  }
  nsds_ode *ode = nsds_ode_create(context, &good, NULL);
  double t, x = NAN;
  assert_status(nsds_ode_advance(ode, 1.0, &t, &x), NSDS_ERROR_STATE);
  assert_status(nsds_ode_start(ode, 0.0, &x), NSDS_ERROR_ARGUMENT);
  assert_status(nsds_ode_start(ode, INFINITY, (double[]){1.0}), NSDS_ERROR_ARGUMENT);
  assert_status(nsds_ode_start(ode, 0.0, (double[]){1.0}), NSDS_OK);
  assert_status(nsds_ode_advance(ode, NAN, &t, &x), NSDS_ERROR_ARGUMENT);
  assert_status(nsds_ode_interpolate(ode, 5.0, &x), NSDS_ERROR_ARGUMENT);
  nsds_ode_destroy(ode);
  nsds_ode_destroy(NULL);
}

/* ---- memory ---- */

static nsds_ode *large_ode(nsds_context *of) {
  nsds_ode_problem problem = {
      .n = 4, .roots = 4, .self = &world, .rhs = odes_polynomials, .root = odes_levels};
  return nsds_ode_create(of, &problem, NULL);
}

static void test_no_allocation_after_creation(void **unused) {
  (void)unused;
  meter m = {0};
  nsds_context *metered = metered_context(&m);
  nsds_ode *ode = large_ode(metered);
  random_seed(3);
  for (int k = 0; k < 20; ++k) world.a[k] = random_number();
  for (int k = 0; k < 4; ++k) world.c[k] = 0.1 * random_number();
  long before = m.count;
  for (int size = 4; size > 0; --size) {
    double time[1], zero[4] = {0.0};
    nsds_ode_root root[1];
    world.m = size;
    assert_status(nsds_ode_resize(ode, size, size), NSDS_OK);
    odes_roots(ode, -2.0, zero, NSDS_ROOT_BOTH, 2.0, 1, time, root);
  }
  assert_int_equal(m.count, before);
  nsds_ode_destroy(ode);
  nsds_context_destroy(metered);
  assert_int_equal(m.live, 0);
}

static void test_every_allocation_may_fail(void **unused) {
  (void)unused;
  for (long k = 2; k < 100; ++k) {
    meter m = {.fail_at = k};
    nsds_context *metered = metered_context(&m);
    nsds_ode *ode = large_ode(metered);
    bool failed = m.count >= k;
    assert_true(failed == !ode);
    if (failed) assert_status(nsds_error(metered), NSDS_ERROR_MEMORY);
    nsds_ode_destroy(ode);
    nsds_context_destroy(metered);
    assert_int_equal(m.live, 0);
    if (!failed) {
      assert_true(k > 4);
      return;
    }
  }
  fail();
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(test_failures_are_told),
      TEST(test_refused_steps_get_shorter),
      TEST(test_bad_arguments),
      TEST(test_no_allocation_after_creation),
      TEST(test_every_allocation_may_fail),
  };
#undef TEST
  return cmocka_run_group_tests_name("numerics.ode_failures", tests, NULL, NULL);
}
