/*
 * Contacts in which lambda enters gaps and slips, saved and made again: a snapshot at every kind of event goes on in a
 * new model with the same bits, and so do a restored state and an event taken by halves. An event that was given up is
 * met again within the errors of the integration, which begins anew.
 */
#include "soft_motor.h"
#include "support.h"

#include <stdio.h>

enum { events = 60, ahead = 8 };

typedef struct run_of {
  nsds_model *model;
  nsds_simulation *simulation;
} run_of;

static run_of begin_with(const char *integrator, bool friction) {
  run_of r = {.model = nsds_model_create(NULL)};
  soft_motor_scene scene = scene_soft_motor(r.model);
  if (!friction) assert_ok(r.model, nsds_disconnect(scene.friction));
  r.simulation = nsds_event_driven(
      r.model,
      &(nsds_event_driven_def){.t1 = 10.0, .output_period = 0.05, .integrator = integrator});
  assert_sound(r.model);
  return r;
}

static run_of begin(const char *integrator) { return begin_with(integrator, true); }

/* Makes n steps. Returns a hash of all states, forces and times. */
static uint64_t advance(const run_of *r, int n) {
  uint64_t hash = 0;
  for (int k = 0; k < n; ++k) {
    assert_ok(r->model, nsds_step(r->simulation));
    double t = nsds_time(r->simulation);
    uint64_t bits;
    memcpy(&bits, &t, sizeof bits);
    hash = state_hash(r->model, hash) ^ bits;
    for (int i = 0; i < nsds_interaction_count(r->model); ++i) {
      memcpy(&bits, &nsds_lambda(nsds_interaction_at(r->model, i))[0], sizeof bits);
      hash = hash * 31 + bits;
    }
  }
  return hash;
}

static const char *const integrators[] = {"auto", "dormand_prince", "esdirk"};

static void snapshots(void **state) {
  (void)state;
  static const char file[] = "soft_saved.nsds";
  for (int i = 0; i < 3; ++i) {
    unsigned kinds = 0;
    run_of one = begin(integrators[i]);
    for (int k = 0; k < events; ++k) {
      advance(&one, 1);
      kinds |= nsds_simulation_event(one.simulation)->kind;
      assert_ok(one.model, nsds_snapshot_save(one.simulation, file));
      assert_ok(one.model, nsds_simulation_save(one.simulation));
      uint64_t hash = advance(&one, ahead);
      run_of other = begin(integrators[i]);
      assert_ok(other.model, nsds_snapshot_load(other.simulation, file));
      assert_true(advance(&other, ahead) == hash);
      nsds_model_destroy(other.model);
      assert_ok(one.model, nsds_simulation_restore(one.simulation));
      assert_true(advance(&one, ahead) == hash);
      assert_ok(one.model, nsds_simulation_restore(one.simulation));
    }
    assert_true(kinds & NSDS_EVENT_IMPACT && kinds & NSDS_EVENT_GRID);
    nsds_model_destroy(one.model);
  }
  remove(file);
}

static void halves(void **state) {
  (void)state;
  run_of whole = begin(NULL), parts = begin(NULL);
  for (int k = 0; k < events; ++k) {
    advance(&whole, 1);
    assert_ok(parts.model, nsds_event_meet(parts.simulation));
    assert_ok(parts.model, nsds_event_process(parts.simulation));
    assert_true(state_hash(parts.model, 0) == state_hash(whole.model, 0));
    assert_true(nsds_time(parts.simulation) == nsds_time(whole.simulation));
  }
  nsds_model_destroy(whole.model);
  nsds_model_destroy(parts.model);
}

/* Each event is given up once. The number of events may differ at the end of a series of bounces, whose flights a new
 * start forgets. There is no dry friction: on the load at rest, the floor can bear all of its force. */
static void given_up(void **state) {
  (void)state;
  run_of whole = begin_with(NULL, false), parts = begin_with(NULL, false);
  int steps = 0;
  for (int n = 1; n <= 40; ++n) {
    double t = 0.05 * n;
    while (nsds_time(whole.simulation) < t - 1e-9) advance(&whole, 1);
    for (; nsds_time(parts.simulation) < t - 1e-9; ++steps) {
      assert_ok(parts.model, nsds_event_meet(parts.simulation));
      assert_ok(parts.model, nsds_step_reject(parts.simulation));
      assert_ok(parts.model, nsds_event_meet(parts.simulation));
      assert_ok(parts.model, nsds_event_process(parts.simulation));
    }
    for (int i = 0; i < 3; ++i) {
      const nsds_ds *a = nsds_ds_at(whole.model, i), *b = nsds_ds_at(parts.model, i);
      const double *x = i == 0 ? nsds_x(a) : nsds_q(a), *y = i == 0 ? nsds_x(b) : nsds_q(b);
      assert_near(y[0], x[0], 1e-6);
    }
  }
  assert_true(steps < 400);
  nsds_model_destroy(whole.model);
  nsds_model_destroy(parts.model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(snapshots), cmocka_unit_test(halves),
                                     cmocka_unit_test(given_up)};
  return cmocka_run_group_tests_name("event_driven.soft_saved", tests, NULL, NULL);
}
