/*
 * Predict, look, repeat: a saved state is returned to, and the same steps then give the same bits,
 * in all worlds, with samplers and events, after another step size, as often as wanted.
 */
#include "worlds.h"

#include <time.h>

static nsds_simulation *start(const world *w, nsds_model **model) {
  *model = nsds_model_create(NULL);
  w->build(*model);
  nsds_simulation *s = nsds_time_stepping(*model, &(nsds_time_stepping_def){.t1 = 1e3, .h = w->h});
  assert_sound(*model);
  assert_non_null(s);
  return s;
}

static uint64_t advance(nsds_model *model, nsds_simulation *s, int steps) {
  uint64_t hash = 0;
  for (int n = 0; n < steps; ++n) {
    assert_ok(model, nsds_step(s));
    double t = nsds_time(s);
    uint64_t bits;
    memcpy(&bits, &t, sizeof bits);
    hash = state_hash(model, hash) ^ bits;
  }
  return hash;
}

/* From several places of the run the next steps are made three times. In the net, whose contacts
 * are dependent, the impulses found depend on what the solver has kept. */
static void the_same_steps_give_the_same_bits(void **state) {
  (void)state;
  for (int k = 0; k < world_count; ++k) {
    nsds_model *model;
    nsds_simulation *s = start(&worlds[k], &model);
    bool net = strcmp(worlds[k].name, "net of bodies") == 0;
    for (int n = 0; n < worlds[k].steps; n += net ? 1 : 10) {
      snapshot before = snapshot_take(model);
      double t = nsds_time(s);
      long count = nsds_step_count(s);
      assert_ok(model, nsds_simulation_save(s));
      uint64_t first = advance(model, s, net ? 4 : 12);
      for (int again = 0; again < 2; ++again) {
        assert_ok(model, nsds_simulation_restore(s));
        snapshot_check(&before, model, worlds[k].name);
        assert_true(nsds_time(s) == t);
        assert_int_equal(nsds_step_count(s), count);
        if (advance(model, s, net ? 4 : 12) != first)
          fail_msg("%s: other bits in the steps after step %d", worlds[k].name, n);
      }
      snapshot_free(&before);
    }
    nsds_model_destroy(model);
  }
}

/* Saving does not change what follows, where the impulses are determined by the state. */
static void saving_changes_nothing(void **state) {
  (void)state;
  for (int k = 0; k < world_count; ++k) {
    if (strcmp(worlds[k].name, "net of bodies") == 0) continue; /* dependent contacts */
    nsds_model *model[2];
    nsds_simulation *s[2] = {start(&worlds[k], &model[0]), start(&worlds[k], &model[1])};
    for (int n = 0; n < worlds[k].steps; ++n) {
      if (n % 7 == 0) assert_ok(model[1], nsds_simulation_save(s[1]));
      if (n % 11 == 5) { /* a look ahead */
        assert_ok(model[1], nsds_simulation_save(s[1]));
        advance(model[1], s[1], 3);
        assert_ok(model[1], nsds_simulation_restore(s[1]));
      }
      if (advance(model[0], s[0], 1) != advance(model[1], s[1], 1))
        fail_msg("%s: other bits in step %d", worlds[k].name, n);
    }
    nsds_model_destroy(model[0]);
    nsds_model_destroy(model[1]);
  }
}

/* A ball over a floor at the height of a parameter, put down right before the state is saved. */
static void saved_right_after_a_change(void **state) {
  (void)state;
  double one = 1.0, weight = -9.81, high = 10.0, low = 1e-4, down = -1.0, up = 5.0;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ball = nsds_lagrangian_linear(
      m, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &one, .q0 = &high, .fext = &weight});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      m, &(nsds_lagrangian_linear_relation_def){
             .ny = 1, .nq = 1, .H = &one, .nZ = 1, .nz = 1, .F = (double[]){-1.0}});
  nsds_interaction *floor = nsds_connect(m, gap, nsds_newton_impact(m, 0.5), 1, &ball);
  nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 10.0, .h = 1e-2});
  advance(m, s, 3);
  assert_ok(m, nsds_set_state(ball, &low, &down));
  assert_ok(m, nsds_simulation_save(s));
  uint64_t first = advance(m, s, 3);
  assert_true(nsds_v(ball)[0] > 0.0); /* it has been hit */
  assert_ok(m, nsds_simulation_restore(s));
  assert_true(advance(m, s, 3) == first);

  assert_ok(m, nsds_relation_set_z(gap, 1, &up)); /* of the program: not returned to */
  assert_ok(m, nsds_simulation_restore(s));
  assert_near(nsds_y(floor)[0], low - up, 1e-15);
  assert_ok(m, nsds_step(s));
  assert_true(nsds_impulse(floor)[0] > 0.0);
  nsds_model_destroy(m);
}

/* ---- samplers and events ---- */

enum { most_calls = 400 };

typedef struct diary {
  nsds_ds *ds;
  int count;
  double t[most_calls];
  char what[most_calls];
} diary;

static void note(diary *d, nsds_simulation *s, char what) {
  assert_true(d->count < most_calls);
  d->t[d->count] = nsds_time(s);
  d->what[d->count++] = what;
}

/* A controller: the force depends on the state of the time of sampling. */
static int sample(nsds_simulation *s, void *user) {
  diary *d = user;
  note(d, s, 's');
  double z = -9.81 - 0.1 * nsds_v(d->ds)[0];
  return nsds_ds_set_z(d->ds, 1, &z) != NSDS_OK;
}

static int late(nsds_simulation *s, void *user) {
  note(user, s, 'l');
  return 0;
}

/* Adds another event, as one that plans its successor does. */
static int plan(nsds_simulation *s, void *user) {
  note(user, s, 'p');
  return nsds_simulation_at(
             s, &(nsds_event_def){.time = nsds_time(s) + 0.0123, .call = late, .user = user}) !=
         NSDS_OK;
}

static int change_h(nsds_simulation *s, void *user) {
  note(user, s, 'h');
  return nsds_simulation_set_h(s, 0.007) != NSDS_OK;
}

static int weight(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->z[0];
  return 0;
}

static nsds_simulation *controlled(nsds_model *model, diary *d) {
  const double mass = 1.0, h = 1.0, z = -9.81;
  d->ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .ndof = 1, .q0 = &h, .mass = &mass, .fext_fn = weight, .nz = 1, .z = &z});
  nsds_relation *floor = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = &mass});
  nsds_connect(model, floor, nsds_newton_impact(model, 0.8), 1, &d->ds);
  nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 10.0, .h = 0.01});
  assert_sound(model);
  assert_ok(model, nsds_simulation_sample(
                       s, &(nsds_sampler_def){
                              .period = 0.0237, .phase = 0.005, .sample = sample, .user = d}));
  assert_ok(model,
            nsds_simulation_at(s, &(nsds_event_def){.time = 0.333, .call = plan, .user = d}));
  assert_ok(model, nsds_simulation_at(s, &(nsds_event_def){.time = 0.5, .call = late, .user = d}));
  assert_ok(model,
            nsds_simulation_at(s, &(nsds_event_def){.time = 0.61, .call = change_h, .user = d}));
  assert_ok(model, nsds_simulation_at(s, &(nsds_event_def){.time = 0.9, .call = late, .user = d}));
  return s;
}

/* Events that have been called are called again; those that calls have added are added again. The
 * parameters are the program's: it keeps and returns them itself. */
static void samplers_and_events_are_repeated(void **state) {
  (void)state;
  static const int before[] = {0, 1, 17, 40, 60, 75};
  for (size_t k = 0; k < sizeof before / sizeof *before; ++k) {
    diary d = {0}, first;
    nsds_model *model = nsds_model_create(NULL);
    nsds_simulation *s = controlled(model, &d);
    advance(model, s, before[k]);
    double z = nsds_ds_z(d.ds)[0];
    assert_ok(model, nsds_simulation_save(s));
    d.count = 0;
    uint64_t bits = advance(model, s, 120);
    first = d;
    assert_true(first.count > 20);
    for (int again = 0; again < 3; ++again) {
      assert_ok(model, nsds_simulation_restore(s));
      assert_ok(model, nsds_ds_set_z(d.ds, 1, &z));
      d.count = 0;
      assert_true(advance(model, s, 120) == bits);
      assert_int_equal(d.count, first.count);
      assert_memory_equal(d.t, first.t, (size_t)d.count * sizeof *d.t);
      assert_memory_equal(d.what, first.what, (size_t)d.count);
    }
    nsds_model_destroy(model);
  }
}

/* What the program itself has added since stays. */
static void events_of_the_program_stay(void **state) {
  (void)state;
  diary d = {0}, other = {0};
  nsds_model *model = nsds_model_create(NULL);
  nsds_simulation *s = controlled(model, &d);
  advance(model, s, 10);
  assert_ok(model, nsds_simulation_save(s));
  assert_ok(model,
            nsds_simulation_at(s, &(nsds_event_def){.time = 0.4, .call = late, .user = &other}));
  advance(model, s, 5);
  assert_ok(model, nsds_simulation_restore(s));
  advance(model, s, 60);
  assert_int_equal(other.count, 1);
  assert_near(other.t[0], 0.4, 0.0);
  nsds_model_destroy(model);
}

/* The step and its grid are saved as well. */
static void another_step_in_between(void **state) {
  (void)state;
  nsds_model *model;
  nsds_simulation *s = start(&worlds[1], &model);
  advance(model, s, 13);
  assert_ok(model, nsds_simulation_save(s));
  uint64_t first = advance(model, s, 50);
  assert_ok(model, nsds_simulation_restore(s));
  assert_ok(model, nsds_simulation_set_h(s, 0.7 * worlds[1].h));
  assert_true(advance(model, s, 50) != first);
  assert_ok(model, nsds_simulation_restore(s));
  assert_true(advance(model, s, 50) == first);
  assert_ok(model, nsds_simulation_restore(s));
  assert_ok(model, nsds_simulation_set_end(s, nsds_time(s) + 5.5 * worlds[1].h));
  assert_status(model, nsds_run(s), NSDS_END);
  assert_ok(model, nsds_simulation_set_end(s, 1e3));
  assert_ok(model, nsds_simulation_restore(s));
  assert_true(advance(model, s, 50) == first);
  nsds_model_destroy(model);
}

/* ---- where there is nothing to return to ---- */

static void refused_as(nsds_status status, nsds_model *model, nsds_simulation *s,
                       const char *word) {
  snapshot before = snapshot_take(model);
  assert_status(model, nsds_simulation_restore(s), status);
  assert_words(nsds_last_message(nsds_model_context(model)), &word, 1);
  nsds_error_clear(nsds_model_context(model));
  snapshot_check(&before, model, word);
  snapshot_free(&before);
}

static void refused(nsds_model *model, nsds_simulation *s, const char *word) {
  refused_as(NSDS_ERROR_STATE, model, s, word);
}

static int nothing(nsds_simulation *s, void *user) {
  (void)s, (void)user;
  return 0;
}

/* Of a sampler that fits the step set since, most calls were left out. */
static void a_sampler_too_fine_for_the_saved_step(void **state) {
  (void)state;
  nsds_model *model;
  nsds_simulation *s = start(&worlds[1], &model);
  assert_ok(model, nsds_simulation_save(s));
  assert_ok(model, nsds_simulation_set_h(s, 1e-6 * worlds[1].h));
  nsds_sampler_def fine = {.period = 1e-7 * worlds[1].h, .sample = nothing};
  assert_ok(model, nsds_simulation_sample(s, &fine));
  refused_as(NSDS_ERROR_VALUE, model, s, "nsds_simulation_restore: a sampling period");
  nsds_model_destroy(model);
}

static void another_graph_is_refused(void **state) {
  (void)state;
  nsds_model *model;
  nsds_simulation *s = start(&worlds[1], &model);
  nsds_relation *one = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_law *law = nsds_equality(model);
  nsds_ds *ds = nsds_ds_at(model, 2);
  refused(model, s, "no state is saved");
  assert_int_equal(nsds_simulation_restore(NULL), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_simulation_save(NULL), NSDS_ERROR_ARGUMENT);
  advance(model, s, 5);
  refused(model, s, "no state is saved");
  assert_ok(model, nsds_simulation_save(s));
  nsds_interaction *ia = nsds_connect(model, one, law, 1, &ds);
  assert_non_null(ia);
  refused(model, s, "came or went");
  assert_ok(model, nsds_disconnect(ia));
  refused(model, s, "came or went"); /* the model is alike, but nobody looks */
  assert_ok(model, nsds_simulation_save(s));
  assert_ok(model, nsds_simulation_restore(s));
  assert_non_null(nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){1.0}}));
  refused(model, s, "came or went");
  advance(model, s, 5);
  nsds_model_destroy(model);
}

static int count_calls(nsds_simulation *s, void *user) {
  (void)s;
  ++*(int *)user;
  return 0;
}

/* Saving without memory fails, changes nothing and leaves nothing to return to. */
static void saving_without_memory(void **state) {
  (void)state;
  bool failed = true;
  for (long k = 1; failed; ++k) {
    meter m = {0};
    nsds_context *context = meter_context(&m);
    nsds_model *model = nsds_model_create(context);
    diary d = {0};
    nsds_simulation *s = controlled(model, &d);
    advance(model, s, 20);
    snapshot before = snapshot_take(model);
    m.fail_at = m.calls + k;
    nsds_status status = nsds_simulation_save(s);
    failed = m.failed;
    m.fail_at = 0;
    assert_int_equal(status, failed ? NSDS_ERROR_MEMORY : NSDS_OK);
    snapshot_check(&before, model, "saved");
    nsds_error_clear(context);
    if (failed) refused(model, s, "no state is saved");
    advance(model, s, 70);
    if (!failed) {
      long calls = m.calls; /* returning and saving again take what is there */
      assert_ok(model, nsds_simulation_restore(s));
      snapshot_check(&before, model, "restored");
      assert_ok(model, nsds_simulation_save(s));
      assert_int_equal(m.calls, calls);
    }
    snapshot_free(&before);
    nsds_model_destroy(model);
    nsds_context_destroy(context);
    assert_int_equal(m.live, 0);
    assert_true(failed ? k < 20 : k > 3);
  }
}

/* 10^5 events: returning takes a time in proportion to their number. */
static void many_events_are_returned_to(void **state) {
  (void)state;
  enum { count = 100000 };
  static int calls;
  nsds_model *model;
  nsds_simulation *s = start(&worlds[0], &model);
  calls = 0;
  for (int k = 0; k < count; ++k)
    assert_ok(model, nsds_simulation_at(s, &(nsds_event_def){.time = 0.01 + 1e-4 * (k % 50),
                                                             .call = count_calls,
                                                             .user = &calls}));
  clock_t begin = clock();
  for (int again = 0; again < 3; ++again) {
    calls = 0;
    if (again == 0) assert_ok(model, nsds_simulation_save(s));
    else assert_ok(model, nsds_simulation_restore(s));
    while (nsds_time(s) < 0.05) assert_ok(model, nsds_step(s));
    assert_int_equal(calls, count);
  }
  double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
  print_message("             %g s\n", seconds);
  assert_true(seconds < 20.0); /* 10^10 comparisons would take longer */
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_same_steps_give_the_same_bits),
      cmocka_unit_test(saving_changes_nothing),
      cmocka_unit_test(saved_right_after_a_change),
      cmocka_unit_test(samplers_and_events_are_repeated),
      cmocka_unit_test(events_of_the_program_stay),
      cmocka_unit_test(another_step_in_between),
      cmocka_unit_test(a_sampler_too_fine_for_the_saved_step),
      cmocka_unit_test(another_graph_is_refused),
      cmocka_unit_test(saving_without_memory),
      cmocka_unit_test(many_events_are_returned_to),
  };
  return cmocka_run_group_tests_name("kernel.undo", tests, NULL, NULL);
}
