/*
 * Memory that runs out, at every allocation there is: creation, steps, contacts that come and go,
 * other settings, destruction. Once, after which the program carries on and must get the bits of an
 * undisturbed run; and for good, after which everything must still be freed.
 */
#include "worlds.h"

typedef struct story {
  const world *world;
  meter m;
  nsds_context *context;
  nsds_model *model;
  nsds_simulation *simulation;
  uint64_t hash;
  bool gave_up; /* memory is out for good */
} story;

/* A failure must be one of memory; false when there is no point in trying again. */
static bool again(story *s) {
  assert_true(s->m.failed);
  assert_int_equal(nsds_error(s->context), NSDS_ERROR_MEMORY);
  assert_non_null(strstr(nsds_error_message(s->context), "memory"));
  if (s->m.fail_on) {
    s->gave_up = true;
    return false;
  }
  nsds_error_clear(s->context);
  return true;
}

static void create(story *s) {
  s->context = meter_context(&s->m);
  if (!s->context && !s->m.fail_on) s->context = meter_context(&s->m);
  if (!s->context) {
    s->gave_up = true;
    return;
  }
  s->model = nsds_model_create(s->context);
  if (!s->model && again(s)) s->model = nsds_model_create(s->context);
  if (s->gave_up) return;
  s->world->build(s->model);
  if (nsds_error(s->context) != NSDS_OK && again(s)) { /* parts are missing: from the start */
    nsds_model_destroy(s->model);
    s->model = nsds_model_create(s->context);
    s->world->build(s->model);
  }
  if (s->gave_up) return;
  const nsds_time_stepping_def def = {.t1 = 100.0, .h = s->world->h, .max_halvings = 1};
  s->simulation = nsds_time_stepping(s->model, &def);
  if (!s->simulation && again(s)) s->simulation = nsds_time_stepping(s->model, &def);
  if (s->gave_up) return;
  assert_non_null(s->simulation);
}

static void step(story *s, int count) {
  for (int k = 0; k < count && !s->gave_up; ++k) {
    snapshot before = snapshot_take(s->model);
    nsds_status status = nsds_step(s->simulation);
    if (status) {
      assert_int_equal(status, NSDS_ERROR_MEMORY);
      snapshot_check(&before, s->model, "a step without memory");
      if (again(s)) assert_ok(s->model, nsds_step(s->simulation));
    }
    snapshot_free(&before);
    s->hash = state_hash(s->model, s->hash);
  }
}

/* The parts of a body with its floor, for adding between steps. */
static nsds_ds *new_body(nsds_model *model) {
  return nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.name = "late",
                                                                     .ndof = 1,
                                                                     .q0 = (double[]){1e-3},
                                                                     .mass = (double[]){1.0},
                                                                     .fext = (double[]){-10.0}});
}

static nsds_relation *new_gap(nsds_model *model) {
  return nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
}

#define TRY(s, type, name, call)                                                                   \
  type *name = call;                                                                               \
  if (!name && again(s)) name = call;                                                              \
  if ((s)->gave_up) return;                                                                        \
  assert_non_null(name)

/* Between steps: a body with its floor comes, a contact goes, the settings change. */
static void change(story *s) {
  if (s->gave_up) return;
  TRY(s, nsds_ds, body, new_body(s->model));
  TRY(s, nsds_relation, gap, new_gap(s->model));
  TRY(s, nsds_law, law, nsds_newton_impact(s->model, 0.5));
  TRY(s, nsds_interaction, floor, nsds_connect(s->model, gap, law, 1, &body));
  step(s, 3);
  if (s->gave_up) return;
  assert_ok(s->model, nsds_disconnect(nsds_interaction_at(s->model, 0)));
  step(s, 3);
  if (s->gave_up) return;
  const char *other = s->world->friction ? "nonsmooth_newton" : "semismooth_newton";
  nsds_status status = nsds_simulation_set_solver(s->simulation, other, 1e-9);
  if (status) {
    assert_int_equal(status, NSDS_ERROR_MEMORY);
    assert_string_equal(nsds_solver_get_row(nsds_simulation_solver(s->simulation))->name, "auto");
    if (again(s)) assert_ok(s->model, nsds_simulation_set_solver(s->simulation, other, 1e-9));
  }
  if (s->gave_up) return;
  assert_ok(s->model, nsds_simulation_set_h(s->simulation, 0.5 * s->world->h));
  step(s, 3);
  if (s->gave_up) return;
  if (isnan(nsds_kinetic_energy(nsds_ds_at(s->model, 0))) && again(s))
    assert_true(nsds_kinetic_energy(nsds_ds_at(s->model, 0)) >= 0.0);
  if (s->gave_up) return;
  status = nsds_check_jacobians(s->model, 0.0, 0.0, NULL);
  if (status) {
    assert_int_equal(status, NSDS_ERROR_MEMORY);
    if (again(s)) assert_ok(s->model, nsds_check_jacobians(s->model, 0.0, 0.0, NULL));
  }
}

/* Runs the story; returns whether an allocation failed. */
static bool tell(const world *w, long fail_at, bool for_good, uint64_t *hash) {
  story s = {.world = w, .m = {.fail_at = fail_at, .fail_on = for_good}};
  create(&s);
  if (!s.gave_up) {
    step(&s, 12);
    change(&s);
  }
  nsds_model_destroy(s.model);
  nsds_context_destroy(s.context);
  assert_int_equal(s.m.live, 0);
  assert_int_equal(s.m.bytes, 0);
  assert_int_equal(s.gave_up, for_good && s.m.failed);
  if (hash) *hash = s.hash;
  return s.m.failed;
}

static void sweep(const world *w) {
  uint64_t undisturbed, hash;
  assert_false(tell(w, 0, false, &undisturbed));
  long n = 0;
  while (tell(w, ++n, false, &hash))
    if (hash != undisturbed) fail_msg("after allocation %ld had failed, the run was another", n);
  long failing = n - 1;
  int told = 0;
  for (n = 1; tell(w, n, true, NULL); n += 3)
    ++told; /* what comes after is freed in the same way */
  print_message("             %-26s %ld allocations failed once, %d of them for good\n", w->name,
                failing, told);
  assert_true(failing > 20);
  assert_int_equal(told, (failing + 2) / 3);
}

static void worlds_survive(void **state) { sweep(*state); }

/* A body, a relation or a connection that could not be made leaves no trace in the steps after. */
static void failed_additions_change_nothing(void **state) {
  (void)state;
  for (int stage = 0; stage < 2; ++stage) {
    bool failed = true;
    for (long n = 1; failed; ++n) {
      meter m = {0}, other = {0};
      meter *meters[2] = {&m, &other};
      nsds_context *context[2];
      nsds_model *model[2];
      nsds_simulation *simulation[2];
      nsds_ds *body[2];
      for (int k = 0; k < 2; ++k) {
        context[k] = meter_context(meters[k]);
        model[k] = nsds_model_create(context[k]);
        worlds[1].build(model[k]);
        body[k] = stage == 1 ? new_body(model[k]) : NULL;
        simulation[k] = run(model[k], &(nsds_time_stepping_def){.t1 = 10.0, .h = worlds[1].h}, 20);
      }
      nsds_relation *gap = new_gap(model[0]);
      nsds_law *law = nsds_equality(model[0]);
      m.fail_at = m.calls + n;
      if (stage == 0) new_body(model[0]);
      else nsds_connect(model[0], gap, law, 1, body);
      failed = m.failed;
      m.fail_at = 0;
      for (int s = 0; failed && s < 30; ++s) {
        nsds_error_clear(context[0]);
        for (int k = 0; k < 2; ++k) assert_ok(model[k], nsds_step(simulation[k]));
        snapshot twin = snapshot_take(model[1]);
        snapshot_check(&twin, model[0], "after an addition that failed");
        snapshot_free(&twin);
      }
      for (int k = 0; k < 2; ++k) {
        nsds_model_destroy(model[k]);
        nsds_context_destroy(context[k]);
        assert_int_equal(meters[k]->live, 0);
      }
    }
  }
}

int main(void) {
  static struct CMUnitTest tests[16];
  tests[world_count] = (struct CMUnitTest)cmocka_unit_test(failed_additions_change_nothing);
  for (int k = 0; k < world_count; ++k)
    tests[k] = (struct CMUnitTest){.name = worlds[k].name,
                                   .test_func = worlds_survive,
                                   .initial_state = (void *)(uintptr_t)&worlds[k]};
  return _cmocka_run_group_tests("kernel.faults", tests, (size_t)world_count + 1, NULL, NULL);
}
