/*
 * Saving leaves no trace, and going on from what was saved makes none: the bits of every step are
 * those of a run that nobody has disturbed. Scenes of both drivers (runs.h); kernel.resumed does the
 * same with the golden ones.
 */
#include "runs.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

static const char file[] = "traces.nsds";

typedef struct traced {
  nsds_model *model;
  nsds_simulation *simulation;
} traced;

static traced start(const run_scene *scene) {
  traced r = {.model = nsds_model_create(NULL)};
  r.simulation = scene->make(r.model);
  assert_sound(r.model);
  assert_non_null(r.simulation);
  return r;
}

/* The state after a step, with its time. */
static uint64_t step(const traced *r, const char *name) {
  nsds_status status = nsds_step(r->simulation);
  if (status < 0) print_message("%s: %s\n", name, nsds_error_message(nsds_model_context(r->model)));
  assert_true(status >= 0);
  double t = nsds_time(r->simulation);
  uint64_t bits;
  memcpy(&bits, &t, sizeof bits);
  return state_hash(r->model, bits);
}

/* Bits after every step of a run that is left alone. */
static uint64_t *undisturbed(const run_scene *scene) {
  uint64_t *bits = malloc((size_t)scene->steps * sizeof *bits);
  assert_non_null(bits);
  traced r = start(scene);
  for (int k = 0; k < scene->steps; ++k) bits[k] = step(&r, scene->name);
  nsds_model_destroy(r.model);
  return bits;
}

typedef enum way { TO_FILE, ASIDE, BOTH, ways } way;

static void save(const traced *r, way by) {
  if (by != ASIDE) assert_ok(r->model, nsds_snapshot_save(r->simulation, file));
  if (by != TO_FILE) assert_ok(r->model, nsds_simulation_save(r->simulation));
}

static int others; /* steps with other bits */

static void compare(const run_scene *scene, const char *what, int k, int first, uint64_t bits,
                    uint64_t expected) {
  if (bits == expected) return;
  ++others;
  print_message("%s: %s after step %d: other bits in step %d\n", scene->name, what, first, k);
}

static void saving_leaves_no_trace(void **state) {
  (void)state;
  const run_scene *scene;
  others = 0;
  for (int s = 0; (scene = run_scene_at(s)) != NULL; ++s) {
    uint64_t *bits = undisturbed(scene);
    for (way by = TO_FILE; by < ways; ++by) {
      traced r = start(scene);
      bool same = true;
      for (int k = 0; k < scene->steps && same; ++k) {
        save(&r, by);
        uint64_t now = step(&r, scene->name);
        same = now == bits[k];
        compare(scene, "saved", k, k - 1, now, bits[k]);
      }
      nsds_model_destroy(r.model);
    }
    free(bits);
  }
  remove(file);
  assert_int_equal(others, 0);
}

/* Goes on for a few steps, each of which is compared. */
static void go_on(const traced *r, const run_scene *scene, const char *what, int first,
                  const uint64_t *bits) {
  enum { some = 12 };
  bool same = true;
  for (int k = first; k < scene->steps && k < first + some && same; ++k) {
    uint64_t now = step(r, scene->name);
    same = now == bits[k];
    compare(scene, what, k, first - 1, now, bits[k]);
  }
}

/* From every step: a file in a run made anew; the same, saved again; a state set aside, twice. */
static void going_on_leaves_no_trace(void **state) {
  (void)state;
  const run_scene *scene;
  others = 0;
  for (int s = 0; (scene = run_scene_at(s)) != NULL; ++s) {
    uint64_t *bits = undisturbed(scene);
    traced r = start(scene);
    int before = others;
    for (int first = 0; first < scene->steps && others == before; ++first) {
      save(&r, BOTH);
      traced other = start(scene);
      assert_ok(other.model, nsds_snapshot_load(other.simulation, file));
      if (first % 2) assert_ok(other.model, nsds_snapshot_save(other.simulation, file));
      if (first % 2) assert_ok(other.model, nsds_snapshot_load(other.simulation, file));
      go_on(&other, scene, "loaded", first, bits);
      nsds_model_destroy(other.model);
      for (int again = 0; again < 2 && !scene->parameters; ++again) {
        go_on(&r, scene, again ? "restored" : "saved", first, bits);
        assert_ok(r.model, nsds_simulation_restore(r.simulation));
      }
      step(&r, scene->name);
    }
    nsds_model_destroy(r.model);
    free(bits);
  }
  remove(file);
  assert_int_equal(others, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(saving_leaves_no_trace),
                                     cmocka_unit_test(going_on_leaves_no_trace)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
