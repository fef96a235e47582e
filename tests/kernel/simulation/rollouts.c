/*
 * Rollouts: each has the bits of its own run, in any order and in several threads; ends, stops, states and refusals.
 */
#include "acting_arm.h"
#include "support.h"

#include <pthread.h>
#include <stdlib.h>

enum { copies = 6, steps = 60, controls = 3 };

/* A machine with its controls, and a simulation at its start. */
typedef struct bench {
  nsds_model *m;
  acting_arm arm;
  nsds_simulation *s;
  nsds_snapshot *start;
  nsds_rollout_control control[controls];
} bench;

static bench build(void) {
  bench b = {.m = nsds_model_create(NULL)};
  b.arm = acting_make(b.m);
  b.s = nsds_time_stepping(
      b.m,
      &(nsds_time_stepping_def){.t1 = 0.3, .h = 2e-3, .projection.kind = NSDS_PROJECTION_DIRECT});
  b.start = nsds_snapshot_take(b.s);
  assert_sound(b.m);
  b.control[0] = (nsds_rollout_control){b.arm.elbow.drive, NSDS_DRIVE_TARGET};
  b.control[1] = (nsds_rollout_control){b.arm.knee.drive, NSDS_DRIVE_RATE};
  b.control[2] = (nsds_rollout_control){b.arm.elbow.drive, NSDS_DRIVE_FORCE};
  return b;
}

static void clear(bench *b) {
  nsds_snapshot_destroy(b->start);
  nsds_model_destroy(b->m);
}

/* Drawn controls of a copy; velocities of its start. */
static void draw(int copy, const nsds_model *m, double *state, double *values) {
  uint64_t seed = 100 + (uint64_t)copy;
  assert_int_equal(nsds_rollout_state(m, state), NSDS_OK);
  for (int k = 0; k < 2; ++k) state[7 + k] = 0.0;
  state[nsds_rollout_size(m) - 2] = random_in(&seed, -0.1, 0.1); /* of a rotor or its rate */
  for (int k = 0; k < steps; ++k) {
    values[controls * k] = random_in(&seed, -1.0, 1.0);
    values[controls * k + 1] = random_in(&seed, -5.0, 5.0);
    values[controls * k + 2] = random_in(&seed, -3.0, 3.0);
  }
}

/* The states of a copy, by calls of the program alone. */
static void run_alone(int copy, double *states) {
  bench b = build();
  int size = nsds_rollout_size(b.m);
  double *state = malloc((size_t)size * sizeof *state), values[steps * controls];
  draw(copy, b.m, state, values);
  const double *at = state;
  for (int k = 0; k < nsds_ds_count(b.m); ++k) {
    nsds_ds *ds = nsds_ds_at(b.m, k);
    assert_ok(b.m, nsds_set_state(ds, at, at + nsds_nq(ds)));
    at += nsds_nq(ds) + nsds_nv(ds);
  }
  for (int k = 0; k < steps; ++k) {
    assert_ok(b.m, nsds_joint_drive_set(b.arm.elbow.drive, values[controls * k], 0.0,
                                        values[controls * k + 2]));
    assert_ok(b.m, nsds_joint_drive_set(b.arm.knee.drive, 0.0, values[controls * k + 1], 0.0));
    assert_ok(b.m, nsds_step(b.s));
    assert_ok(b.m, nsds_rollout_state(b.m, states + (ptrdiff_t)k * size));
  }
  free(state);
  clear(&b);
}

/* Some copies in one thread, whose results go to their places. */
typedef struct share {
  int first, stride, size;
  double *states;
  bool failed;
} share;

static void *work(void *user) {
  share *s = user;
  bench b = build();
  double *state = malloc((size_t)s->size * sizeof *state), values[steps * controls];
  for (int copy = s->first; copy < copies; copy += s->stride) {
    bench fresh = build();
    draw(copy, fresh.m, state, values);
    clear(&fresh);
    int done = 0;
    nsds_status status =
        nsds_rollout(b.s,
                     &(nsds_rollout_def){.start = b.start,
                                         .state = state,
                                         .steps = steps,
                                         .ncontrol = controls,
                                         .control = b.control,
                                         .controls = values,
                                         .states = s->states + (ptrdiff_t)copy * steps * s->size},
                     &done);
    s->failed = s->failed || status || done != steps;
  }
  free(state);
  clear(&b);
  return NULL;
}

static void rollouts_have_the_bits_of_their_own_runs(void **state) {
  (void)state;
  bench b = build();
  int size = nsds_rollout_size(b.m);
  clear(&b);
  size_t bytes = (size_t)copies * steps * (size_t)size * sizeof(double);
  double *right = malloc(bytes), *found = malloc(bytes);
  for (int copy = 0; copy < copies; ++copy) run_alone(copy, right + (ptrdiff_t)copy * steps * size);
  for (int threads = 1; threads <= 3; threads += 2) {
    share of[3];
    pthread_t thread[3];
    memset(found, 0, bytes);
    for (int k = 0; k < threads; ++k) {
      of[k] = (share){.first = k, .stride = threads, .size = size, .states = found};
      assert_int_equal(pthread_create(&thread[k], NULL, work, &of[k]), 0);
    }
    for (int k = 0; k < threads; ++k) {
      assert_int_equal(pthread_join(thread[k], NULL), 0);
      assert_false(of[k].failed);
    }
    assert_memory_equal(found, right, bytes);
  }
  free(right), free(found);
}

static bool stops(void *user) { return ++*(int *)user > 40; }

static void ends_stops_and_refusals(void **state) {
  (void)state;
  bench b = build();
  nsds_context *context = nsds_model_context(b.m);
  int done = -1, asked = 0;
  assert_int_equal(nsds_rollout(b.s, &(nsds_rollout_def){.start = b.start, .steps = 1000}, &done),
                   NSDS_END);
  assert_int_equal(done, 150); /* the call behind the last step says that the end is reached */
  assert_ok(b.m, nsds_rollout(b.s, &(nsds_rollout_def){.start = b.start, .steps = 10}, &done));
  assert_int_equal(done, 10);
  nsds_stop_fn stop = stops;
  void *user = &asked;
  assert_int_equal(nsds_context_swap_stop(context, &stop, &user), NSDS_OK);
  assert_int_equal(nsds_rollout(b.s, &(nsds_rollout_def){.start = b.start, .steps = 100}, &done),
                   NSDS_STOPPED);
  assert_between(done, 1, 99);
  assert_int_equal(nsds_context_swap_stop(context, &stop, &user), NSDS_OK);
  double values[2] = {NAN, 0.0};
  const struct {
    nsds_rollout_def def;
    nsds_status status;
    const char *word[2];
  } wrong[] = {
      {{.steps = -1}, NSDS_ERROR_VALUE, {"steps", "-1"}},
      {{.steps = 1, .ncontrol = 1, .control = b.control},
       NSDS_ERROR_ARGUMENT,
       {"controls is NULL"}},
      {{.steps = 1,
        .ncontrol = 1,
        .controls = values,
        .control = &(nsds_rollout_control){b.arm.couple, NSDS_DRIVE_RATE}},
       NSDS_ERROR_ARGUMENT,
       {"is not a drive", "rack"}},
      {{.steps = 1,
        .ncontrol = 1,
        .controls = values,
        .control = &(nsds_rollout_control){b.arm.elbow.drive, (nsds_drive_setting)7}},
       NSDS_ERROR_VALUE,
       {"control[0].setting is 7"}},
      {{.steps = 1, .ncontrol = 1, .controls = values, .control = b.control},
       NSDS_ERROR_VALUE,
       {"target"}},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    assert_int_equal(nsds_rollout(b.s, &wrong[k].def, &done), wrong[k].status);
    assert_words(nsds_error_message(context), wrong[k].word, 2);
    assert_int_equal(done, 0);
    nsds_error_clear(context);
  }
  clear(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rollouts_have_the_bits_of_their_own_runs),
      cmocka_unit_test(ends_stops_and_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
