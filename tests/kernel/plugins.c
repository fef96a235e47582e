/*
 * Plugins that work: a function taken from one is the function linked in, every kind can be taken,
 * and a plugin may be opened twice. What goes wrong with plugins is in bad_input.
 */
#include "cam_profile.h"
#include "scenes.h"
#include "support.h"

#include <dlfcn.h>

static int inertial_force(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  cam_state cam = cam_profile(in->t, in->z[3]);
  out[0] = -(in->z[0] * cam.ddc + in->z[1] * cam.dc + in->z[2] * cam.c);
  return 0;
}

static void plugin_equals_linked_function(void **state) {
  (void)state;
  nsds_model *loaded = nsds_model_create(NULL), *linked = nsds_model_create(NULL);
  cam_scene scene = scene_cam_forced(loaded, 700.0, NSDS_TEST_CAM_PLUGIN);
  assert_sound(loaded);
  nsds_ds *follower = nsds_lagrangian_linear(linked, &(nsds_lagrangian_linear_def){
                                                         .ndof = 1,
                                                         .q0 = nsds_q(scene.follower),
                                                         .v0 = nsds_v(scene.follower),
                                                         .mass = &cam_mass,
                                                         .damping = (double[]){0.0},
                                                         .stiffness = &cam_stiffness,
                                                         .fext_fn = inertial_force,
                                                         .nz = 4,
                                                         .z = nsds_ds_z(scene.follower),
                                                     });
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      linked, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_connect(linked, gap, nsds_newton_impact(linked, 0.8), 1, &follower);
  const nsds_time_stepping_def def = {.t1 = 0.5, .h = 1e-4};
  nsds_simulation *a = nsds_time_stepping(loaded, &def), *b = nsds_time_stepping(linked, &def);
  assert_sound(linked);
  uint64_t hash[2] = {0, 0};
  while (nsds_step(a) == NSDS_OK && nsds_step(b) == NSDS_OK) {
    hash[0] = state_hash(loaded, hash[0]);
    hash[1] = state_hash(linked, hash[1]);
    assert_true(hash[0] == hash[1]);
  }
  assert_int_equal(nsds_step_count(a), 5000);
  nsds_model_destroy(loaded);
  nsds_model_destroy(linked);
}

#define PLUS_ONE(kind, text) +1

/* The plugin exports one function of every kind, named after it. */
static void every_kind_can_be_taken(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_plugin *plugin = nsds_plugin_open(model, NSDS_TEST_PLUGINS "/every_kind.so");
  assert_sound(model);
  assert_non_null(plugin);
  int count = 0;
#define NSDS_X(kind, text)                                                                         \
  {                                                                                                \
    nsds_operator function = nsds_plugin_get(plugin, text, kind);                                  \
    double out = 0.0;                                                                              \
    assert_sound(model);                                                                           \
    assert_true(function != NULL);                                                                 \
    assert_int_equal(function(&(nsds_arguments){.t = 2.0}, &out, NULL), 0);                        \
    assert_near(out, 2.0 + kind, 0.0);                                                             \
    assert_string_equal(nsds_kind_text(kind), text);                                               \
    ++count;                                                                                       \
  }
  NSDS_KIND_LIST(NSDS_X)
#undef NSDS_X
  assert_int_equal(count, 0 NSDS_KIND_LIST(PLUS_ONE));
  assert_string_equal(nsds_kind_text(NSDS_KIND_NONE), "unknown kind");
  nsds_model_destroy(model);
}

/* Twice in one model, and in a model that outlives the other. */
static void opened_twice(void **state) {
  (void)state;
  const char *path = NSDS_TEST_CAM_PLUGIN;
  nsds_model *first = nsds_model_create(NULL), *second = nsds_model_create(NULL);
  nsds_plugin *a = nsds_plugin_open(first, path), *b = nsds_plugin_open(first, path);
  assert_sound(first);
  assert_true(nsds_plugin_get(a, "inertial_force", NSDS_KIND_FEXT) ==
              nsds_plugin_get(b, "inertial_force", NSDS_KIND_FEXT));
  cam_scene scene = scene_cam_forced(second, 358.0, path);
  nsds_model_destroy(first);
  run(second, &(nsds_time_stepping_def){.t1 = 0.1, .h = 1e-3}, 0);
  assert_true(isfinite(nsds_q(scene.follower)[0]));
  nsds_model_destroy(second);
}

static bool loaded(const char *path) {
  void *handle = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  if (handle) dlclose(handle);
  return handle != NULL;
}

/* The model closes its plugins, also those of which nothing could be taken. */
static void closed_with_the_model(void **state) {
  (void)state;
  const char *const paths[] = {NSDS_TEST_PLUGINS "/every_kind.so",
                               NSDS_TEST_PLUGINS "/wrong_abi.so"};
  for (int k = 0; k < 2; ++k) {
    assert_false(loaded(paths[k]));
    nsds_model *model = nsds_model_create(NULL);
    nsds_plugin *plugin = nsds_plugin_open(model, paths[k]);
    assert_int_equal(plugin != NULL, k == 0);
    assert_int_equal(loaded(paths[k]), k == 0);
    nsds_model_destroy(model);
    assert_false(loaded(paths[k]));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plugin_equals_linked_function),
      cmocka_unit_test(every_kind_can_be_taken),
      cmocka_unit_test(opened_twice),
      cmocka_unit_test(closed_with_the_model),
  };
  return cmocka_run_group_tests_name("kernel.plugins", tests, NULL, NULL);
}
