/*
 * Plugins that work: a function taken from one is the function linked in, every kind can be taken,
 * laws and solvers as well, and a plugin may be opened twice. What goes wrong with plugins is in bad_input.
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

static nsds_plugin *laws_and_solvers(nsds_model *model) {
  return nsds_plugin_open(model, NSDS_TEST_PLUGINS "/laws_and_solvers.so");
}

/* A mass that a force of 3 N pulls: a clutch of 2 N slips, one of 5 N and compliance c creeps with
 * dy/dt = -c P, P = -3 N h / (1 + c / m). */
static double speed_behind_clutch(nsds_context *context, const char *solver, double bound,
                                  double compliance) {
  nsds_model *model = nsds_model_create(context);
  nsds_plugin *plugin = laws_and_solvers(model);
  nsds_law *law = nsds_plugin_law(plugin, "clutch", 2, (double[]){bound * 1e-3, compliance});
  assert_sound(model);
  if (solver) assert_ok(model, nsds_plugin_solver(plugin, solver));
  const double one = 1.0, force = 3.0;
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &one, .fext = &force});
  nsds_relation *slip = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = &one});
  assert_non_null(nsds_connect(model, slip, law, 1, &ds));
  nsds_simulation *s =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3, .solver = solver});
  assert_sound(model);
  for (int k = 0; k < 100; ++k) assert_ok(model, nsds_step(s));
  double v = nsds_v(ds)[0];
  nsds_model_destroy(model);
  return v;
}

static void laws_and_solvers_can_be_taken(void **state) {
  (void)state;
  assert_near(speed_behind_clutch(NULL, NULL, 2.0, 0.0), 0.1, 1e-12);
  assert_near(speed_behind_clutch(NULL, NULL, 5.0, 0.0), 0.0, 1e-12);
  nsds_context *context = nsds_context_create(NULL);
  double creep = speed_behind_clutch(context, NULL, 5.0, 1.0);
  assert_true(creep > 1e-3 && creep < 0.1);
  for (int k = 0; k < 3; ++k) /* models come and go, the solver stays */
    assert_near(speed_behind_clutch(context, "plugin_sweeps", 5.0, 1.0), creep, 1e-11);
  nsds_solver *solver = nsds_solver_create(context, "plugin_sweeps");
  assert_non_null(solver);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

static void wrong(nsds_model *model, nsds_status status, const char *word, const char *other) {
  const char *const words[] = {word, other};
  assert_int_equal(nsds_error(nsds_model_context(model)), status);
  assert_words(nsds_last_message(nsds_model_context(model)), words, 2);
  nsds_error_clear(nsds_model_context(model));
}

static void what_plugins_do_wrong(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_plugin *plugin = laws_and_solvers(m);
  const double z[2] = {-1.0, 0.0};
  assert_null(nsds_plugin_law(NULL, "clutch", 2, z));
  assert_sound(m);
  assert_null(nsds_plugin_law(plugin, NULL, 2, z));
  wrong(m, NSDS_ERROR_ARGUMENT, "nsds_plugin_law", "name is NULL");
  assert_null(nsds_plugin_law(plugin, "brake", 2, z));
  wrong(m, NSDS_ERROR_PLUGIN, "no law 'brake'", "clutch, nothing");
  assert_null(nsds_plugin_law(plugin, "clutch", 1, z));
  wrong(m, NSDS_ERROR_SIZE, "nz = 2", "given are 1");
  assert_null(nsds_plugin_law(plugin, "clutch", 2, NULL));
  wrong(m, NSDS_ERROR_SIZE, "nz = 2", "given are 0");
  assert_null(nsds_plugin_law(plugin, "clutch", 2, (double[]){1.0, NAN}));
  wrong(m, NSDS_ERROR_VALUE, "nsds_plugin_law", "z[1]");
  assert_null(nsds_plugin_law(plugin, "clutch", 2, z));
  wrong(m, NSDS_ERROR_VALUE, "clutch: the bound is -1", ">= 0");
  assert_null(nsds_plugin_law(plugin, "nothing", 0, NULL));
  wrong(m, NSDS_ERROR_PLUGIN, "'nothing'", "without operations");
  assert_int_equal(nsds_plugin_solver(NULL, "x"), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_plugin_solver(plugin, NULL), NSDS_ERROR_ARGUMENT);
  wrong(m, NSDS_ERROR_ARGUMENT, "nsds_plugin_solver", "name is NULL");
  assert_int_equal(nsds_plugin_solver(plugin, "absent"), NSDS_ERROR_PLUGIN);
  wrong(m, NSDS_ERROR_PLUGIN, "no solver 'absent'", "plugin_sweeps, plugin_lame");
  assert_true(nsds_plugin_solver(plugin, "plugin_lame") < 0);
  nsds_error_clear(nsds_model_context(m));
  assert_null(nsds_plugin_open(m, NSDS_TEST_PLUGINS "/no_laws.so"));
  wrong(m, NSDS_ERROR_PLUGIN, "no_laws.so", "3 laws and has none");
  assert_null(nsds_plugin_open(m, NSDS_TEST_PLUGINS "/nameless_law.so"));
  wrong(m, NSDS_ERROR_PLUGIN, "nameless_law.so", "law 0");
  nsds_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plugin_equals_linked_function),
      cmocka_unit_test(every_kind_can_be_taken),
      cmocka_unit_test(opened_twice),
      cmocka_unit_test(closed_with_the_model),
      cmocka_unit_test(laws_and_solvers_can_be_taken),
      cmocka_unit_test(what_plugins_do_wrong),
  };
  return cmocka_run_group_tests_name("kernel.plugins", tests, NULL, NULL);
}
