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

static run_of begin(const char *integrator) {
  run_of r = {.model = nsds_model_create(NULL)};
  scene_soft_motor(r.model);
  r.simulation = nsds_event_driven(
      r.model,
      &(nsds_event_driven_def){.t1 = 10.0, .output_period = 0.05, .integrator = integrator});
  assert_sound(r.model);
  return r;
}

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
  for (int given_up = 0; given_up < 2; ++given_up) {
    run_of whole = begin(NULL), parts = begin(NULL);
    for (int k = 0; k < events; ++k) {
      advance(&whole, 1);
      assert_ok(parts.model, nsds_event_meet(parts.simulation));
      if (given_up) assert_ok(parts.model, nsds_step_reject(parts.simulation));
      if (given_up) assert_ok(parts.model, nsds_event_meet(parts.simulation));
      assert_ok(parts.model, nsds_event_process(parts.simulation));
      assert_near(nsds_time(parts.simulation), nsds_time(whole.simulation), given_up ? 1e-7 : 0.0);
      if (!given_up) assert_true(state_hash(parts.model, 0) == state_hash(whole.model, 0));
      for (int i = 0; i < 3; ++i) {
        const nsds_ds *a = nsds_ds_at(whole.model, i), *b = nsds_ds_at(parts.model, i);
        const double *x = i == 0 ? nsds_x(a) : nsds_q(a), *y = i == 0 ? nsds_x(b) : nsds_q(b);
        assert_near(y[0], x[0], 1e-6);
      }
    }
    nsds_model_destroy(whole.model);
    nsds_model_destroy(parts.model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(snapshots), cmocka_unit_test(halves)};
  return cmocka_run_group_tests_name("event_driven.soft_saved", tests, NULL, NULL);
}
