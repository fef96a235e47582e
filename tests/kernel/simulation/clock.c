/*
 * The clock, samplers and events: what is called when, what equal times are, where steps end.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

enum { most = 4000 };

/* Calls in their order. */
typedef struct diary {
  int count, fail_from, fail_to; /* calls that fail */
  double t[most];
  int who[most];
} diary;

typedef struct caller {
  diary *d;
  int who;
  double add; /* > 0: adds an event that much later; < 0: at the same time */
  double h;   /* > 0: sets it */
  struct caller *added;
} caller;

static int call(nsds_simulation *s, void *user) {
  caller *c = user;
  diary *d = c->d;
  assert_true(d->count < most);
  d->t[d->count] = nsds_time(s);
  d->who[d->count++] = c->who;
  if (d->count > d->fail_from && d->count <= d->fail_to) return c->who;
  if (c->h > 0.0 && nsds_simulation_set_h(s, c->h) != NSDS_OK) return 1;
  double time = nsds_time(s) + (c->add > 0.0 ? c->add : 0.0);
  if (c->add != 0.0 &&
      nsds_simulation_at(s, &(nsds_event_def){.time = time, .call = call, .user = c->added}))
    return 1;
  return 0;
}

static nsds_simulation *start(nsds_model **model, double t0, double t1, double h) {
  *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      *model,
      &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){1.0}, .v0 = (double[]){1.0}});
  nsds_simulation *s =
      nsds_time_stepping(*model, &(nsds_time_stepping_def){.t0 = t0, .t1 = t1, .h = h});
  assert_sound(*model);
  assert_non_null(ds);
  return s;
}

static void at(nsds_model *model, nsds_simulation *s, double time, caller *c) {
  assert_ok(model, nsds_simulation_at(s, &(nsds_event_def){.time = time, .call = call, .user = c}));
}

static void every(nsds_model *model, nsds_simulation *s, double period, double phase, caller *c) {
  assert_ok(model, nsds_simulation_sample(
                       s, &(nsds_sampler_def){
                              .period = period, .phase = phase, .sample = call, .user = c}));
}

/* The time is that of the simulation and of its report; the free body has moved on by it. */
static void check_report(nsds_model *model, nsds_simulation *s, double t0) {
  assert_true(nsds_simulation_info(s)->t == nsds_time(s));
  assert_near(nsds_q(nsds_ds_at(model, 0))[0], nsds_time(s) - t0, 1e-12);
}

/* ---- samplers ---- */

static void a_period_that_is_not_a_multiple_of_the_step(void **state) {
  (void)state;
  static const double period[] = {0.0237, 0.001, 0.1, 0.01 / 3.0, 0.31, 0.010001};
  const double h = 0.01, t0 = 5.0, t1 = 7.0;
  for (size_t k = 0; k < sizeof period / sizeof *period; ++k) {
    diary d = {0};
    caller c = {.d = &d, .who = 1};
    nsds_model *model;
    nsds_simulation *s = start(&model, t0, t1, h);
    every(model, s, period[k], 0.004, &c);
    assert_int_equal(d.count, 0);
    long grid = 0;
    while (nsds_step(s) == NSDS_OK) {
      check_report(model, s, t0);
      assert_true(nsds_simulation_info(s)->h <= h);
      double steps = (nsds_time(s) - t0) / h; /* the grid goes on where it was */
      if (fabs(steps - rint(steps)) < 1e-7) {
        ++grid;
        assert_near(nsds_time(s), t0 + h * rint(steps), 2e-15);
      }
    }
    assert_sound(model);
    assert_int_equal(grid, 200);
    int expected = 0;
    while (t0 + 0.004 + expected * period[k] <= t1 + 1e-9) ++expected;
    assert_int_equal(d.count, expected);
    /* its own times; the grid's where they are the same to h / 2^21 */
    for (int n = 0; n < d.count; ++n)
      assert_near(d.t[n], t0 + 0.004 + n * period[k], h / (1 << 21));
    nsds_model_destroy(model);
  }
}

/* Off the grid the time is exactly first + n period, no rounded sum. */
static void times_are_not_rounded_to_ticks(void **state) {
  (void)state;
  diary d = {0};
  caller c = {.d = &d, .who = 1};
  nsds_model *model;
  nsds_simulation *s = start(&model, 0.0, 3.0, 0.01);
  every(model, s, 0.02370001, 0.0051, &c);
  assert_status(model, nsds_run(s), NSDS_END);
  assert_true(d.count > 100);
  for (int n = 0; n < d.count; ++n) assert_near(d.t[n], 0.0051 + n * 0.02370001, 0.0);
  nsds_model_destroy(model);
}

static void at_once_and_joining_later(void **state) {
  (void)state;
  diary d = {0};
  caller first = {.d = &d, .who = 1}, second = {.d = &d, .who = 2};
  nsds_model *model;
  nsds_simulation *s = start(&model, 0.0, 1.0, 0.1);
  every(model, s, 0.25, 0.0, &first);
  assert_int_equal(d.count, 1); /* due at t0 */
  while (nsds_time(s) < 0.45) assert_ok(model, nsds_step(s));
  every(model, s, 0.2, 0.0, &second); /* 0.6 is its next: 0.0, 0.2, 0.4 are past */
  assert_int_equal(d.count, 3);
  assert_status(model, nsds_run(s), NSDS_END);
  const double expected[] = {0.0, 0.25, 0.5, 0.6, 0.75, 0.8, 1.0, 1.0};
  const int who[] = {1, 1, 1, 2, 1, 2, 1, 2};
  assert_int_equal(d.count, 8);
  for (int k = 0; k < 8; ++k) {
    assert_near(d.t[k], expected[k], 1e-15);
    assert_int_equal(d.who[k], who[k]);
  }
  nsds_model_destroy(model);
}

/* After set_h() the samplers are called at the times that they have, not at the grid's. */
static void another_step_does_not_delay_samplers(void **state) {
  (void)state;
  for (int inside = 0; inside < 2; ++inside) {
    diary d = {0};
    caller c = {.d = &d, .who = 1, .h = inside ? 0.07 : 0.0}, other = {.d = &d, .who = 2};
    nsds_model *model;
    nsds_simulation *s = start(&model, 0.0, 4.0, 0.01);
    every(model, s, 0.2, 0.03, &c);
    every(model, s, 0.5, 0.5, &other);
    for (int k = 0; nsds_step(s) == NSDS_OK; ++k) {
      check_report(model, s, 0.0);
      if (!inside && k % 3 == 0) assert_ok(model, nsds_simulation_set_h(s, 0.013 + 0.03 * (k % 5)));
    }
    assert_sound(model);
    int seen[3] = {0};
    for (int k = 0; k < d.count; ++k) {
      double time = d.who[k] == 1 ? 0.03 + 0.2 * seen[1] : 0.5 + 0.5 * seen[2];
      assert_near(d.t[k], time, 1e-7); /* within a tick of the coarsest grid */
      ++seen[d.who[k]];
    }
    assert_int_equal(seen[1], 20);
    assert_int_equal(seen[2], 8);
    nsds_model_destroy(model);
  }
}

static void periods_below_a_tick_are_refused(void **state) {
  (void)state;
  diary d = {0};
  caller c = {.d = &d, .who = 1};
  const char *const words[] = {"period", "h"};
  nsds_model *model;
  nsds_simulation *s = start(&model, 0.0, 1.0, 0.1);
  const double least = 0.1 / (1 << 20);
  assert_status(model,
                nsds_simulation_sample(
                    s, &(nsds_sampler_def){.period = 0.9 * least, .sample = call, .user = &c}),
                NSDS_ERROR_VALUE);
  assert_words(nsds_last_message(nsds_model_context(model)), words, 2);
  nsds_error_clear(nsds_model_context(model));
  every(model, s, 0.05, 0.0, &c);
  assert_status(model, nsds_simulation_set_h(s, 1e5), NSDS_ERROR_VALUE);
  assert_words(nsds_last_message(nsds_model_context(model)), words, 2);
  assert_near(nsds_simulation_info(s)->h, 0.0, 0.0);
  nsds_error_clear(nsds_model_context(model));
  assert_ok(model, nsds_step(s));
  assert_near(nsds_time(s), 0.05, 1e-16); /* h is as it was */
  assert_ok(model, nsds_step(s));
  assert_near(nsds_time(s), 0.1, 1e-16);
  nsds_model_destroy(model);
}

/* ---- events ---- */

/* Times computed in different ways are one: one step ends there, calls in order of creation. */
static void equal_times_are_one(void **state) {
  (void)state;
  diary d = {0};
  caller c[6];
  for (int k = 0; k < 6; ++k) c[k] = (caller){.d = &d, .who = k + 1};
  nsds_model *model;
  nsds_simulation *s = start(&model, 0.0, 1.0, 0.1);
  double tenths = 0.0;
  for (int k = 0; k < 3; ++k) tenths += 0.1;
  at(model, s, 0.3, &c[0]);
  at(model, s, 0.1 + 0.2, &c[1]);
  at(model, s, 0.25, &c[2]);
  at(model, s, 3 * 0.1, &c[3]);
  at(model, s, tenths, &c[4]);
  at(model, s, 1.0 - 0.7, &c[5]);
  assert_status(model, nsds_run(s), NSDS_END);
  assert_int_equal(nsds_step_count(s), 11); /* the grid and 0.25 */
  const int order[] = {3, 1, 2, 4, 5, 6};
  for (int k = 0; k < 6; ++k) {
    assert_int_equal(d.who[k], order[k]);
    assert_near(d.t[k], k == 0 ? 0.25 : 3 * 0.1, 0.0);
  }
  nsds_model_destroy(model);
}

static void events_off_the_grid_at_the_end_and_added_by_events(void **state) {
  (void)state;
  diary d = {0};
  caller last = {.d = &d, .who = 9}, same = {.d = &d, .who = 8},
         adds = {.d = &d, .who = 1, .add = 0.033, .added = &last},
         adds_now = {.d = &d, .who = 2, .add = -1.0, .added = &same}, end = {.d = &d, .who = 3},
         after = {.d = &d, .who = 4}, begin = {.d = &d, .who = 5};
  nsds_model *model;
  nsds_simulation *s = start(&model, 0.0, 0.55, 0.1);
  at(model, s, 0.55, &end); /* t1, off the grid */
  at(model, s, 0.6, &after);
  at(model, s, 0.1234567, &adds);
  at(model, s, 0.1234567, &adds_now);
  at(model, s, 0.0, &begin);
  assert_int_equal(d.count, 0); /* by the next step */
  assert_status(model, nsds_run(s), NSDS_END);
  const int who[] = {5, 1, 2, 8, 9, 3};
  const double t[] = {0.0, 0.1234567, 0.1234567, 0.1234567, 0.1234567 + 0.033, 0.55};
  assert_int_equal(d.count, 6);
  for (int k = 0; k < 6; ++k) {
    assert_int_equal(d.who[k], who[k]);
    assert_near(d.t[k], t[k], 0.0);
  }
  assert_true(nsds_time(s) == 0.55);
  assert_ok(model, nsds_simulation_set_end(s, 0.8));
  assert_status(model, nsds_run(s), NSDS_END);
  assert_int_equal(d.count, 7);
  assert_near(d.t[6], 0.6, 0.0);
  check_report(model, s, 0.0);
  nsds_model_destroy(model);
}

/* A failing event keeps its place: the step before it is made, the call comes again. */
static void a_failing_event_stays_due(void **state) {
  (void)state;
  diary d = {.fail_from = 1, .fail_to = 3};
  caller a = {.d = &d, .who = 1}, b = {.d = &d, .who = 2}, c = {.d = &d, .who = 3};
  nsds_model *model;
  nsds_simulation *s = start(&model, 0.0, 1.0, 0.1);
  at(model, s, 0.17, &a);
  assert_ok(model,
            nsds_simulation_at(
                s, &(nsds_event_def){.name = "gate", .time = 0.17, .call = call, .user = &b}));
  at(model, s, 0.17, &c);
  assert_ok(model, nsds_step(s));
  for (int again = 0; again < 2; ++again) {
    assert_status(model, nsds_step(s), NSDS_ERROR_CALLBACK);
    assert_words(nsds_last_message(nsds_model_context(model)), ((const char *[]){"gate", "2"}), 2);
    assert_near(nsds_time(s), 0.17, 0.0);
    assert_int_equal(nsds_step_count(s), 2);
    nsds_error_clear(nsds_model_context(model));
  }
  assert_ok(model, nsds_step(s)); /* b, c and the step */
  assert_near(nsds_time(s), 0.2, 1e-16);
  const int who[] = {1, 2, 2, 2, 3};
  assert_int_equal(d.count, 5);
  for (int k = 0; k < 5; ++k) assert_int_equal(d.who[k], who[k]);
  assert_status(model, nsds_run(s), NSDS_END);
  assert_int_equal(d.count, 5);
  nsds_model_destroy(model);
}

static void events_in_the_past_are_refused(void **state) {
  (void)state;
  diary d = {0};
  caller c = {.d = &d, .who = 1};
  nsds_model *model;
  nsds_simulation *s = start(&model, 0.0, 1.0, 0.1);
  assert_ok(model, nsds_step(s));
  static const double time[] = {0.05, -1.0, NAN, INFINITY};
  for (int k = 0; k < 4; ++k) {
    assert_status(
        model, nsds_simulation_at(s, &(nsds_event_def){.time = time[k], .call = call, .user = &c}),
        NSDS_ERROR_VALUE);
    nsds_error_clear(nsds_model_context(model));
  }
  at(model, s, 0.1, &c);
  assert_ok(model, nsds_step(s));
  assert_int_equal(d.count, 1);
  assert_near(d.t[0], 0.1, 0.0);
  nsds_model_destroy(model);
}

/* 10^5 events in any order are called in theirs. */
static void many_events(void **state) {
  (void)state;
  enum { count = 100000, times = 2000 };
  diary d = {0};
  caller *c = malloc(count * sizeof *c);
  assert_non_null(c);
  nsds_model *model;
  nsds_simulation *s = start(&model, 0.0, 1.0, 1e-3);
  uint64_t seed = 9;
  for (int k = 0; k < count; ++k) {
    c[k] = (caller){.d = &d, .who = k + 1};
    at(model, s, 5e-4 * (1 + (int)random_in(&seed, 0.0, times)), &c[k]);
  }
  long calls = 0;
  while (nsds_step(s) == NSDS_OK) {
    for (int k = 1; k < d.count; ++k) assert_true(d.who[k] > d.who[k - 1]);
    for (int k = 0; k < d.count; ++k) assert_true(d.t[k] == nsds_time(s));
    calls += d.count;
    d.count = 0;
  }
  assert_sound(model);
  assert_int_equal(calls, count);
  assert_int_equal(nsds_step_count(s), times);
  free(c);
  nsds_model_destroy(model);
}

/* Seconds since 1970, where ticks are finer than times are known: samples of every third step lie
 * on the grid, and no step has the length 0. */
static void samples_on_the_grid_at_large_times(void **state) {
  (void)state;
  const double t0 = 1.7e9, h = 0.01;
  nsds_model *model;
  diary d = {.fail_from = most};
  caller c = {.d = &d};
  nsds_simulation *s = start(&model, t0, t0 + 100 * h, h);
  every(model, s, 3 * h, 0.0, &c);
  assert_int_equal(nsds_run(s), NSDS_END);
  assert_int_equal(nsds_step_count(s), 100);
  assert_int_equal(d.count, 34);
  nsds_model_destroy(model);
}

/* 3 h is 0.30000000000000004 in the clock: 0.3 is now. */
static void a_time_of_rounding_ago_is_now(void **state) {
  (void)state;
  nsds_model *model;
  diary d = {.fail_from = most};
  caller c = {.d = &d};
  nsds_simulation *s = start(&model, 0.0, 1.0, 0.1);
  for (int k = 0; k < 3; ++k) assert_ok(model, nsds_step(s));
  assert_true(nsds_time(s) > 0.3);
  at(model, s, 0.3, &c);
  assert_ok(model, nsds_step(s));
  assert_int_equal(d.count, 1);
  assert_int_equal(nsds_step_count(s), 4);
  nsds_model_destroy(model);
  nsds_simulation *ended = start(&model, 0.0, 1.0, 0.1);
  for (int k = 0; k < 3; ++k) assert_ok(model, nsds_step(ended));
  assert_ok(model, nsds_simulation_set_end(ended, 0.3));
  assert_int_equal(nsds_step(ended), NSDS_END);
  nsds_model_destroy(model);
}

/* A call that gives a longer step makes its time and a later one equal, of an event that was made before: both
 * are called, once. */
static void a_step_that_makes_times_equal(void **state) {
  (void)state;
  nsds_model *model;
  diary d = {0};
  caller later = {.d = &d, .who = 1}, now = {.d = &d, .who = 2, .h = 1.0};
  nsds_simulation *s = start(&model, 0.0, 2.0, 1e-3);
  at(model, s, 0.5 + 2e-7, &later);
  at(model, s, 0.5, &now);
  while (nsds_step(s) == NSDS_OK) continue;
  assert_sound(model);
  assert_int_equal(d.count, 2);
  assert_int_equal(d.who[0], 2);
  assert_int_equal(d.who[1], 1);
  for (int k = 0; k < 2; ++k) assert_near(d.t[k], 0.5, 1e-6);
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_period_that_is_not_a_multiple_of_the_step),
      cmocka_unit_test(times_are_not_rounded_to_ticks),
      cmocka_unit_test(at_once_and_joining_later),
      cmocka_unit_test(another_step_does_not_delay_samplers),
      cmocka_unit_test(periods_below_a_tick_are_refused),
      cmocka_unit_test(equal_times_are_one),
      cmocka_unit_test(events_off_the_grid_at_the_end_and_added_by_events),
      cmocka_unit_test(a_failing_event_stays_due),
      cmocka_unit_test(events_in_the_past_are_refused),
      cmocka_unit_test(many_events),
      cmocka_unit_test(a_step_that_makes_times_equal),
      cmocka_unit_test(samples_on_the_grid_at_large_times),
      cmocka_unit_test(a_time_of_rounding_ago_is_now),
  };
  return cmocka_run_group_tests_name("kernel.clock", tests, NULL, NULL);
}
