/*
 * Times and steps that are none, objects that are NULL, calls from a log handler and memory that is refused while a
 * snapshot is taken: a status or NULL and a message, and the simulation goes on as if nothing had been asked.
 */
#include "support.h"

typedef struct scene {
  nsds_context *context;
  nsds_model *model;
  nsds_ds *ball;
  nsds_simulation *s;
} scene;

static scene bouncing(const nsds_context_def *def, meter *m, bool events) {
  const double one = 1.0, down = -10.0;
  scene c = {.context = m ? meter_context(m) : nsds_context_create(def)};
  c.model = nsds_model_create(c.context);
  c.ball = nsds_lagrangian_linear(
      c.model, &(nsds_lagrangian_linear_def){.ndof = 1, .q0 = &one, .mass = &one, .fext = &down});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      c.model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = &one});
  nsds_connect(c.model, gap, nsds_newton_impact(c.model, 0.5), 1, &c.ball);
  c.s = events
            ? nsds_event_driven(c.model, &(nsds_event_driven_def){.t1 = 1.0, .output_period = 0.1})
            : nsds_time_stepping(c.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1});
  assert_sound(c.model);
  return c;
}

static void end(scene *c) {
  nsds_simulation_destroy(c->s);
  nsds_model_destroy(c->model);
  nsds_context_destroy(c->context);
}

static void refused(scene *c, nsds_status status, nsds_status expected, const char *word) {
  const char *const words[] = {word};
  assert_int_equal(status, expected);
  assert_words(nsds_error_message(c->context), words, 1);
  nsds_error_clear(c->context);
}

static void steps_that_are_none(void **state) {
  (void)state;
  const double wrong[] = {0.0, -1.0, NAN, INFINITY, -INFINITY, 1e-300};
  for (int events = 0; events < 2; ++events) {
    scene c = bouncing(NULL, NULL, events), like = bouncing(NULL, NULL, events);
    assert_ok(c.model, nsds_step(c.s));
    assert_ok(like.model, nsds_step(like.s));
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
      refused(&c, nsds_simulation_set_h(c.s, wrong[k]), NSDS_ERROR_VALUE, "nsds_simulation_set_h");
      refused(&c, nsds_event_window(c.s, wrong[k], 3),
              events ? NSDS_ERROR_VALUE : NSDS_ERROR_UNSUPPORTED, "nsds_event_window");
    }
    if (events) refused(&c, nsds_event_window(c.s, 0.1, 0), NSDS_ERROR_SIZE, "steps is 0");
    refused(&c, nsds_simulation_set_end(c.s, NAN), NSDS_ERROR_VALUE, "nsds_simulation_set_end");
    refused(&c, nsds_simulation_set_end(c.s, 0.05), NSDS_ERROR_VALUE, "nsds_simulation_set_end");
    assert_int_equal(nsds_run(c.s), NSDS_END);
    assert_int_equal(nsds_run(like.s), NSDS_END);
    assert_true(state_hash(c.model, 0) == state_hash(like.model, 0));
    end(&c);
    end(&like);
  }
}

/* A step ends at the time of an event that calls nothing. */
static void an_event_without_a_function(void **state) {
  (void)state;
  for (int events = 0; events < 2; ++events) {
    scene c = bouncing(NULL, NULL, events);
    assert_ok(c.model, nsds_simulation_at(c.s, &(nsds_event_def){.time = 0.04}));
    assert_ok(c.model, nsds_step(c.s));
    while (events && nsds_time(c.s) < 0.04) assert_ok(c.model, nsds_step(c.s)); /* impacts */
    assert_near(nsds_time(c.s), 0.04, 0.0);
    assert_int_equal(nsds_run(c.s), NSDS_END);
    end(&c);
  }
}

static void objects_that_are_null(void **state) {
  (void)state;
  scene c = bouncing(NULL, NULL, false);
  size_t size = 7;
  refused(&c, nsds_simulation_at(c.s, NULL), NSDS_ERROR_ARGUMENT, "def is NULL");
  refused(&c, nsds_simulation_sample(c.s, NULL), NSDS_ERROR_ARGUMENT, "def is NULL");
  assert_int_equal(nsds_simulation_at(NULL, NULL), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_simulation_sample(NULL, NULL), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_event_window(NULL, 1.0, 1), NSDS_ERROR_ARGUMENT);
  assert_null(nsds_snapshot_bytes(NULL, &size));
  assert_int_equal(size, 0);
  assert_null(nsds_snapshot_bytes(NULL, NULL));
  assert_null(nsds_snapshot_from_bytes(NULL, "", 0));
  assert_null(nsds_snapshot_from_bytes(c.context, NULL, 0));
  refused(&c, nsds_error(c.context), NSDS_ERROR_ARGUMENT, "bytes is NULL");
  assert_null(nsds_simulation_displacement(NULL, c.ball));
  assert_null(nsds_simulation_displacement(c.s, NULL));
  scene other = bouncing(NULL, NULL, false);
  assert_null(nsds_simulation_displacement(c.s, other.ball));
  assert_null(nsds_interaction_at(c.model, 1));
  end(&other);
  assert_int_equal(nsds_run(c.s), NSDS_END);
  end(&c);
}

/* ---- from a log handler ---- */

typedef struct listener {
  scene *c;
  nsds_snapshot *taken;
  int calls;
} listener;

static void ask(nsds_log_level level, const char *message, void *user) {
  listener *l = user;
  (void)level, (void)message;
  if (!l->c || l->calls++ > 0) return;
  nsds_simulation *s = l->c->s;
  assert_int_equal(nsds_step(s), NSDS_ERROR_STATE);
  assert_int_equal(nsds_step_begin(s), NSDS_ERROR_STATE);
  assert_int_equal(nsds_step_solve(s), NSDS_ERROR_STATE);
  assert_int_equal(nsds_step_reject(s), NSDS_ERROR_STATE);
  assert_int_equal(nsds_simulation_set_h(s, 0.01), NSDS_ERROR_STATE);
  assert_null(nsds_snapshot_take(s));
  assert_null(nsds_snapshot_from_bytes(l->c->context, "nsds", 4));
  assert_null(nsds_model_create(l->c->context));
}

static void calls_from_a_log_handler(void **state) {
  (void)state;
  listener l = {0};
  const nsds_context_def def = {.log = ask, .log_user = &l, .log_level = NSDS_LOG_INFO};
  scene c = bouncing(&def, NULL, false), like = bouncing(NULL, NULL, false);
  l.c = &c;
  assert_int_equal(nsds_simulation_set_h(c.s, -1.0), NSDS_ERROR_VALUE); /* which is logged */
  assert_true(l.calls > 0);
  nsds_error_clear(c.context);
  assert_int_equal(nsds_run(c.s), NSDS_END);
  assert_int_equal(nsds_run(like.s), NSDS_END);
  assert_true(state_hash(c.model, 0) == state_hash(like.model, 0));
  end(&c);
  end(&like);
}

/* ---- memory ---- */

static void snapshots_without_memory(void **state) {
  (void)state;
  for (int events = 0; events < 2; ++events) {
    int refusals = 0;
    for (long fail_at = 1;; ++fail_at) {
      meter m = {0};
      scene c = bouncing(NULL, &m, events);
      assert_ok(c.model, nsds_step(c.s));
      uint64_t hash = state_hash(c.model, 0);
      m.fail_at = m.calls + fail_at;
      nsds_snapshot *taken = nsds_snapshot_take(c.s);
      bool failed = m.failed;
      m.fail_at = 0;
      if (failed) {
        assert_null(taken);
        refused(&c, nsds_error(c.context), NSDS_ERROR_MEMORY, "out of memory");
        ++refusals;
        taken = nsds_snapshot_take(c.s);
      }
      assert_non_null(taken);
      assert_true(state_hash(c.model, 0) == hash);
      assert_int_equal(nsds_run(c.s), NSDS_END);
      assert_ok(c.model, nsds_snapshot_restore(c.s, taken));
      assert_true(state_hash(c.model, 0) == hash);
      nsds_snapshot_destroy(taken);
      end(&c);
      if (!failed) break;
    }
    assert_true(refusals >= 2);
  }
}

/* ---- events that have been called ---- */

static int count(nsds_simulation *s, void *user) {
  (void)s;
  ++*(int *)user;
  return 0;
}

/* One that was due after a snapshot is called again after going back to it, as often as that is done; one
 * before it is not. */
static void called_events_are_due_again(void **state) {
  (void)state;
  for (int events = 0; events < 2; ++events) {
    scene c = bouncing(NULL, NULL, events);
    int before = 0, after = 0;
    const double times[] = {0.15, 0.55};
    int *const calls[] = {&before, &after};
    for (int k = 0; k < 2; ++k)
      assert_ok(c.model,
                nsds_simulation_at(
                    c.s, &(nsds_event_def){.time = times[k], .call = count, .user = calls[k]}));
    while (nsds_time(c.s) < 0.25) assert_ok(c.model, nsds_step(c.s));
    nsds_snapshot *taken = nsds_snapshot_take(c.s);
    assert_non_null(taken);
    for (int k = 1; k <= 3; ++k) {
      assert_int_equal(nsds_run(c.s), NSDS_END);
      assert_int_equal(before, 1);
      assert_int_equal(after, k);
      assert_ok(c.model, nsds_snapshot_restore(c.s, taken));
    }
    nsds_snapshot_destroy(taken);
    end(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_that_are_none),         cmocka_unit_test(objects_that_are_null),
      cmocka_unit_test(an_event_without_a_function), cmocka_unit_test(calls_from_a_log_handler),
      cmocka_unit_test(snapshots_without_memory),    cmocka_unit_test(called_events_are_due_again),
  };
  return cmocka_run_group_tests_name("kernel.times_and_hooks", tests, NULL, NULL);
}
