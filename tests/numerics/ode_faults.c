/*
 * Functions of a motion that fail or refuse at one call, at every one in turn: a failure is told with
 * its status and its cause, and the same motion from the start is as if nothing had been; a refusal
 * costs smaller steps alone.
 */
#include "base/context.h"
#include "numerics/ode/advance.h"
#include "numerics/ode/ode.h"
#include "cmocka_setup.h"
#include "odes.h"

#include <stdio.h>
#include <string.h>

enum { FUNCTION_RHS, FUNCTION_ROOT, FUNCTION_JACOBIAN, functions };

/* x' = v, v' = -x from (1, 0); g = (x^3 - 1/8, v + 1/2), which is not affine. */
typedef struct motion {
  long calls[functions];
  int function; /* the one that misbehaves, at the call number `at` */
  long at;
  int result; /* what it returns then */
  bool tells; /* it records a message of its own first */
  nsds_context *context;
} motion;

static int misbehaves(motion *m, int function) {
  if (++m->calls[function] != m->at || m->function != function) return 0;
  if (m->tells) nsds_fail(m->context, (nsds_status)m->result, "the spring is broken");
  return m->result;
}

static int rhs(void *self, double t, const double *x, double *dx) {
  (void)t;
  dx[0] = x[1];
  dx[1] = -x[0];
  return misbehaves(self, FUNCTION_RHS);
}

static int root(void *self, double t, const double *x, double *g) {
  (void)t;
  g[0] = x[0] * x[0] * x[0] - 0.125;
  g[1] = x[1] + 0.5;
  return misbehaves(self, FUNCTION_ROOT);
}

static int jacobian(void *self, double t, const double *x, double *J) {
  (void)t;
  (void)x;
  memcpy(J, (const double[4]){0.0, -1.0, 1.0, 0.0}, 4 * sizeof *J);
  return misbehaves(self, FUNCTION_JACOBIAN);
}

/* What a run has found. */
typedef struct finding {
  int result; /* of the last advance */
  int count;
  double time[8], x[2];
} finding;

static const double t_end = 6.0;

static finding run(nsds_ode *ode) {
  finding f = {.x = {1.0, 0.0}};
  double t = 0.0;
  nsds_ode_forget(ode);
  f.result = nsds_ode_start(ode, t, f.x);
  nsds_ode_watch(ode, 0, NSDS_ROOT_BOTH);
  nsds_ode_watch(ode, 1, NSDS_ROOT_BOTH);
  while (!f.result) {
    f.result = nsds_ode_advance(ode, t_end, &t, f.x);
    if (f.result != NSDS_ODE_ROOT) break;
    assert_true(f.count < 8);
    f.time[f.count++] = t;
    f.result = 0;
  }
  assert_true(isfinite(t) && isfinite(f.x[0]) && isfinite(f.x[1]));
  return f;
}

/* cos(t) = 1/2, sin(t) = 1/2. */
static void assert_right(const finding *f, double tolerance) {
  static const double times[4] = {0.52359877559829887, 1.0471975511965976, 2.6179938779914944,
                                  5.2359877559829887};
  assert_int_equal(f->result, NSDS_ODE_REACHED);
  assert_int_equal(f->count, 4);
  for (int k = 0; k < 4; ++k) assert_true(fabs(f->time[k] - times[k]) < tolerance);
  assert_true(fabs(f->x[0] - cos(t_end)) < tolerance && fabs(f->x[1] + sin(t_end)) < tolerance);
}

static nsds_ode *open(nsds_context *context, motion *m, const char *method, int panels) {
  const nsds_ode_problem problem = {
      .n = 2, .roots = 2, .self = m, .rhs = rhs, .root = root, .jacobian = jacobian};
  const nsds_ode_options options = {.method = method,
                                    .relative_tolerance = 1e-8,
                                    .absolute_tolerance = 1e-10,
                                    .root_panels = panels};
  nsds_ode *ode = nsds_ode_create(context, &problem, &options);
  assert_non_null(ode);
  return ode;
}

static const nsds_ode_cause causes[functions] = {NSDS_ODE_FAILED_RHS, NSDS_ODE_FAILED_ROOT,
                                                 NSDS_ODE_FAILED_JACOBIAN};

/* Calls 1 to 40, then every thirteenth. */
static long next_call(long at) { return at < 40 ? at + 1 : at + 13; }

static void fail_at_each_call(const char *method, int panels) {
  motion m = {.at = 0};
  nsds_context *context = m.context = nsds_context_create(NULL);
  nsds_ode *ode = open(context, &m, method, panels);
  finding undisturbed = run(ode);
  assert_right(&undisturbed, 1e-6);
  long most[functions];
  memcpy(most, m.calls, sizeof most);
  assert_true(most[FUNCTION_RHS] > 50 && most[FUNCTION_ROOT] > 50);
  for (int function = 0; function < functions; ++function)
    for (long at = 1; at <= most[function]; at = next_call(at)) {
      static const int results[3] = {NSDS_ERROR_ABORTED, -1000, NSDS_ERROR_CALLBACK};
      int kind = (int)(at % 3);
      m = (motion){.function = function,
                   .at = at,
                   .result = results[kind],
                   .tells = kind == 2,
                   .context = context};
      finding f = run(ode);
      nsds_status expected = kind == 0 ? NSDS_ERROR_ABORTED : NSDS_ERROR_CALLBACK;
      if (f.result != (int)expected || nsds_error(context) != expected)
        fail_msg("%s, function %d, call %ld: %d", method, function, at, f.result);
      assert_int_equal(nsds_ode_failure(ode), causes[function]);
      if (kind == 2) assert_string_equal(nsds_error_message(context), "the spring is broken");
      else assert_non_null(strstr(nsds_error_message(context), "failed at t = "));
      for (int k = 0; k < f.count; ++k) assert_true(f.time[k] == undisturbed.time[k]);
      nsds_error_clear(context);
      m = (motion){.at = 0, .context = context};
      f = run(ode);
      assert_memory_equal(&f, &undisturbed, sizeof f);
    }
  nsds_ode_destroy(ode);
  nsds_context_destroy(context);
}

/* "Not defined here, try a smaller step." Where the present state itself is asked for there is none;
 * arkode asks for it often. */
static void refuse_at_each_call(const char *method, int panels) {
  motion m = {.at = 0};
  nsds_context *context = m.context = nsds_context_create(NULL);
  nsds_ode *ode = open(context, &m, method, panels);
  run(ode);
  long most[functions], refused = 0, runs = 0;
  memcpy(most, m.calls, sizeof most);
  for (int function = 0; function < FUNCTION_JACOBIAN; ++function)
    for (long at = 1; at <= most[function]; at = next_call(at), ++runs) {
      m = (motion){.function = function, .at = at, .result = 1, .context = context};
      finding f = run(ode);
      if (f.result < 0) { /* at the present state itself there are no smaller steps */
        ++refused;
        assert_int_equal(nsds_error(context), f.result);
        nsds_error_clear(context);
        continue;
      }
      assert_right(&f, 1e-6);
    }
  if ((strcmp(method, "arkode") == 0 ? 2 : 20) * refused > runs)
    fail_msg("%s: %ld of %ld runs failed", method, refused, runs);
  nsds_ode_destroy(ode);
  nsds_context_destroy(context);
}

static void every_call_may_fail(void **unused) {
  (void)unused;
  const char *method;
  for (int k = 0; (method = nsds_ode_method_name(k)); ++k)
    for (int panels = 1; panels <= 3; panels += 2) fail_at_each_call(method, panels);
}

static void every_call_may_refuse(void **unused) {
  (void)unused;
  const char *method;
  for (int k = 0; (method = nsds_ode_method_name(k)); ++k) refuse_at_each_call(method, 1);
}

static void calls_out_of_range(void **unused) {
  (void)unused;
  motion m = {.at = 0};
  nsds_context *context = m.context = nsds_context_create(NULL);
  assert_null(nsds_ode_create(context, NULL, NULL));
  assert_string_equal(nsds_error_message(context), "nsds_ode_create: problem is NULL");
  nsds_error_clear(context);
  nsds_ode *ode = open(context, &m, NULL, 1);
  for (int i = -1; i <= 2; i += 3) { /* there are functions 0 and 1 */
    nsds_ode_watch(ode, i, NSDS_ROOT_BOTH);
    nsds_ode_side(ode, i, 1);
  }
  nsds_ode_limit(ode, -INFINITY);
  nsds_ode_quadratic(ode, NULL);
  finding f = run(ode);
  assert_right(&f, 1e-6);
  nsds_ode_root none = nsds_ode_root_at(ode, -1);
  assert_true(none.index == -1 && none.direction == NSDS_ROOT_OFF);
  none = nsds_ode_root_at(ode, nsds_ode_root_count(ode));
  assert_true(none.index == -1 && none.direction == NSDS_ROOT_OFF);
  nsds_ode_destroy(ode);
  const nsds_ode_problem problem = {.n = 2, .self = &m, .rhs = rhs};
  static const struct {
    nsds_ode_options options;
    const char *words;
  } cases[] = {
      {{.relative_tolerance = -1.0}, "relative_tolerance is -1; it has to be finite and > 0"},
      {{.absolute_tolerance = -1e-9}, "absolute_tolerance is -1e-09; it has to be finite and > 0"},
      {{.first_step = NAN}, "first_step is nan; it has to be finite and >= 0"},
      {{.largest_step = INFINITY}, "largest_step is inf"},
      {{.root_tolerance = -1e-9}, "root_tolerance is -1e-09"},
      {{.root_panels = -1}, "root_panels is -1; at least 1 is needed"},
      {{.max_steps = -1}, "max_steps is -1; at least 1 is needed"},
      {{.method = "euler"},
       "method \"euler\" is not known; this build has auto, dormand_prince, esdirk"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    assert_null(nsds_ode_create(context, &problem, &cases[k].options));
    if (!strstr(nsds_error_message(context), cases[k].words))
      fail_msg("\"%s\" does not say \"%s\"", nsds_error_message(context), cases[k].words);
    nsds_error_clear(context);
  }
  nsds_context_destroy(context);
}

/* x = (q, v) with a known dv/dt: the right-hand side is not called, so it may fail. Steps are exact
 * however long they are, and a number that is not finite ends the integration. */
static int fall_rhs(void *self, double t, const double *x, double *dx) {
  (void)t;
  dx[0] = x[1];
  dx[1] = -2.0;
  return misbehaves(self, FUNCTION_RHS);
}

static void quadratic_motions(void **unused) {
  (void)unused;
  motion m = {.at = 0};
  nsds_context *context = m.context = nsds_context_create(NULL);
  const nsds_ode_problem problem = {.n = 2, .self = &m, .rhs = fall_rhs};
  const double rate = -2.0, none = NAN;
  nsds_ode *ode = nsds_ode_create(context, &problem, NULL);
  for (int length = -3; length <= 3; ++length) {
    double x[2] = {0.0, 3.0}, t, end = pow(10.0, length);
    m = (motion){.at = 1, .result = NSDS_ERROR_ABORTED, .context = context};
    nsds_ode_quadratic(ode, &rate);
    nsds_ode_forget(ode);
    assert_int_equal(nsds_ode_start(ode, 0.0, x), NSDS_OK);
    assert_int_equal(nsds_ode_advance(ode, end, &t, x), NSDS_ODE_REACHED);
    double far = 3.0 * end + end * end;
    assert_true(fabs(x[0] - (3.0 - end) * end) < 1e-14 * (far + 1.0));
    assert_true(fabs(x[1] - (3.0 - 2.0 * end)) < 1e-14 * (2.0 * end + 3.0));
    assert_int_equal(m.calls[FUNCTION_RHS], 0);
  }
  double x[2] = {0.0, 3.0}, t;
  nsds_ode_quadratic(ode, &none);
  assert_int_equal(nsds_ode_start(ode, 0.0, x), NSDS_OK);
  assert_int_equal(nsds_ode_advance(ode, 1.0, &t, x), NSDS_ERROR_VALUE);
  nsds_error_clear(context);
  m = (motion){.at = 1, .result = NSDS_ERROR_ABORTED, .context = context};
  nsds_ode_quadratic(ode, NULL); /* the right-hand side counts again */
  assert_int_equal(nsds_ode_start(ode, 0.0, x), NSDS_OK);
  assert_int_equal(nsds_ode_advance(ode, 1.0, &t, x), NSDS_ERROR_ABORTED);
  nsds_ode_destroy(ode);
  nsds_context_destroy(context);
}

/* A state that grows beyond all numbers within a step: x' = x^2 from 1e200. */
static int explode(void *self, double t, const double *x, double *dx) {
  (void)self;
  (void)t;
  dx[0] = x[0] * x[0];
  return 0;
}

static void a_state_beyond_all_numbers(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  const nsds_ode_problem problem = {.n = 1, .rhs = explode};
  static const double starts[] = {1e100, 1e150, 1e154, 1e200};
  const char *method;
  for (int k = 0; (method = nsds_ode_method_name(k)); ++k)
    for (int s = 0; s < 4; ++s) {
      nsds_ode *ode = nsds_ode_create(context, &problem, &(nsds_ode_options){.method = method});
      double x[1] = {starts[s]}, t;
      int result = nsds_ode_start(ode, 0.0, x);
      if (!result) result = nsds_ode_advance(ode, 1.0, &t, x); /* infinite at t = 1 / x */
      assert_true(result < 0);
      assert_true(isfinite(x[0]));
      assert_int_equal(nsds_error(context), result);
      nsds_error_clear(context);
      nsds_ode_destroy(ode);
    }
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_call_may_fail),        cmocka_unit_test(every_call_may_refuse),
      cmocka_unit_test(calls_out_of_range),         cmocka_unit_test(quadratic_motions),
      cmocka_unit_test(a_state_beyond_all_numbers),
  };
  return cmocka_run_group_tests_name("numerics.ode_faults", tests, NULL, NULL);
}
