/*
 * The words at the end of every definition and table of operations must be zero: each call that takes one refuses
 * other values, word by word, and names the word. The test reads the public headers for definitions that it does not
 * know.
 */
#include "support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct world {
  nsds_model *model;
  nsds_simulation *simulation;
  nsds_ds *ds;
} world;

static nsds_status told(const world *w, const void *made) {
  if (made) fail_msg("a word that is not zero was accepted");
  return nsds_error(nsds_model_context(w->model));
}

/* Makers that take a model and a definition: its type, the call. */
#define MAKERS(X)                                                                                  \
  X(nsds_lagrangian_def, nsds_lagrangian)                                                          \
  X(nsds_lagrangian_linear_def, nsds_lagrangian_linear)                                            \
  X(nsds_rigid_body_def, nsds_rigid_body)                                                          \
  X(nsds_rigid_body_2d_def, nsds_rigid_body_2d)                                                    \
  X(nsds_first_order_def, nsds_first_order)                                                        \
  X(nsds_first_order_linear_def, nsds_first_order_linear)                                          \
  X(nsds_lagrangian_linear_relation_def, nsds_lagrangian_linear_relation)                          \
  X(nsds_lagrangian_relation_def, nsds_lagrangian_relation)                                        \
  X(nsds_first_order_linear_relation_def, nsds_first_order_linear_relation)                        \
  X(nsds_first_order_relation_def, nsds_first_order_relation)                                      \
  X(nsds_mixed_linear_relation_def, nsds_mixed_linear_relation)                                    \
  X(nsds_mixed_relation_def, nsds_mixed_relation)                                                  \
  X(nsds_contact_relation_def, nsds_contact_relation)                                              \
  X(nsds_sphere_plane_relation_def, nsds_sphere_plane_relation)                                    \
  X(nsds_sphere_sphere_relation_def, nsds_sphere_sphere_relation)                                  \
  X(nsds_joint_def, nsds_joint)                                                                    \
  X(nsds_joint_coordinate_def, nsds_joint_coordinate)                                              \
  X(nsds_joint_drive_def, nsds_joint_drive)                                                        \
  X(nsds_joint_couple_def, nsds_joint_couple)                                                      \
  X(nsds_sensor_def, nsds_sensor_create)                                                           \
  X(nsds_spring_def, nsds_spring)                                                                  \
  X(nsds_distributing_impact_def, nsds_distributing_impact)                                        \
  X(nsds_newton_impact_friction_def, nsds_newton_impact_friction)                                  \
  X(nsds_fremond_impact_friction_def, nsds_fremond_impact_friction)                                \
  X(nsds_newton_impact_rolling_def, nsds_newton_impact_rolling)                                    \
  X(nsds_balls_def, nsds_balls)                                                                    \
  X(nsds_spheres_def, nsds_spheres)                                                                \
  X(nsds_shapes_def, nsds_shapes)                                                                  \
  X(nsds_time_stepping_def, nsds_time_stepping)                                                    \
  X(nsds_event_driven_def, nsds_event_driven)                                                      \
  X(nsds_adaptive_def, nsds_adaptive)

/* Makers of a program's own types: the definition, its operations, the call. */
#define TYPES(X)                                                                                   \
  X(nsds_custom_second_order_def, nsds_second_order_ops, nsds_custom_second_order)                 \
  X(nsds_custom_first_order_def, nsds_first_order_ops, nsds_custom_first_order)                    \
  X(nsds_custom_relation_def, nsds_relation_ops, nsds_custom_relation)                             \
  X(nsds_custom_law_def, nsds_law_ops, nsds_custom_law)                                            \
  X(nsds_custom_contact_set_def, nsds_geometry_ops, nsds_custom_contact_set)

/* All others: the type, the call, the words before "reserved", and what is returned for `given`. */
#define OTHERS(X)                                                                                  \
  X(nsds_context_def, nsds_context_create, "",                                                     \
    nsds_context_create(&given) ? NSDS_OK : NSDS_ERROR_ARGUMENT)                                   \
  X(nsds_rollout_def, nsds_rollout, "", nsds_rollout(w->simulation, &given, NULL))                 \
  X(nsds_joint_act_def, nsds_joint_act, "", nsds_joint_act(w->model, &given, NULL))                \
  X(nsds_shape_def, nsds_mass_properties, "shape[0].", weigh(w, &given))                           \
  X(nsds_vtk_def, nsds_vtk_create, "",                                                             \
    nsds_vtk_create(nsds_model_context(w->model),                                                  \
                    &(nsds_vtk_def){.path = "reserved",                                            \
                                    .reserved = {given.reserved[0], given.reserved[1],             \
                                                 given.reserved[2], given.reserved[3]}})           \
        ? NSDS_OK                                                                                  \
        : NSDS_ERROR_ARGUMENT)                                                                     \
  X(nsds_table_def, nsds_table_write, "",                                                          \
    nsds_table_write(nsds_model_context(w->model), &given, "reserved.h5"))                         \
  X(nsds_mass_def, nsds_mass_properties, "",                                                       \
    nsds_mass_properties(w->model, &given, &(nsds_mass){.mass = 0.0}))                             \
  X(nsds_newton_def, nsds_time_stepping, "newton.",                                                \
    told(w, nsds_time_stepping(w->model,                                                           \
                               &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1, .newton = given})))  \
  X(nsds_activation_test, nsds_time_stepping, "activation.",                                       \
    told(w, nsds_time_stepping(w->model, &(nsds_time_stepping_def){                                \
                                             .t1 = 1.0, .h = 0.1, .activation = said(&given)})))   \
  X(nsds_discretisation, nsds_ds_discretise, "scheme of system #0 (nsds_lagrangian_linear).",      \
    nsds_ds_discretise(w->ds, given))                                                              \
  X(nsds_projection_def, nsds_time_stepping, "projection.", project(w, &given))                    \
  X(nsds_snapshot_every_def, nsds_snapshot_every, "", nsds_snapshot_every(w->simulation, &given))  \
  X(nsds_sampler_def, nsds_simulation_sample, "", sample(w, &given))                               \
  X(nsds_event_def, nsds_simulation_at, "", nsds_simulation_at(w->simulation, &given))             \
  X(nsds_integrator, nsds_ds_set_integrator, "integrator->",                                       \
    nsds_ds_set_integrator(w->ds, &given))                                                         \
  X(nsds_solver_ops, nsds_solver_register, "",                                                     \
    nsds_solver_register(nsds_model_context(w->model), &given))

static nsds_activation_test said(nsds_activation_test *test) {
  nsds_activation_test made = nsds_activation(0.5, 1e-12);
  memcpy(made.reserved, test->reserved, sizeof made.reserved);
  return made;
}

static nsds_status weigh(const world *w, const nsds_shape_def *shape) {
  nsds_mass mass;
  return nsds_mass_properties(w->model,
                              &(nsds_mass_def){.nshape = 1, .shape = shape, .density = 1.0}, &mass);
}

static nsds_status project(const world *w, const nsds_projection_def *projection) {
  return told(w, nsds_time_stepping(w->model, &(nsds_time_stepping_def){
                                                  .t1 = 1.0, .h = 0.1, .projection = *projection}));
}

static int called(nsds_simulation *simulation, void *user) {
  (void)simulation, (void)user;
  return 0;
}

static nsds_status sample(const world *w, nsds_sampler_def *def) {
  def->sample = called;
  return nsds_simulation_sample(w->simulation, def);
}

/* ---- one function for each -------------------------------------------------------------------- */

#define MAKER(type, call)                                                                          \
  static nsds_status try_##type(world *w, int k) {                                                 \
    type given = {0};                                                                              \
    given.reserved[k] = 1;                                                                         \
    return told(w, call(w->model, &given));                                                        \
  }
#define TYPE(made, table, call)                                                                    \
  static nsds_status try_##made(world *w, int k) {                                                 \
    const table ops = {.type = "mine"};                                                            \
    made given = {.ops = &ops};                                                                    \
    given.reserved[k] = 1;                                                                         \
    return told(w, call(w->model, &given));                                                        \
  }                                                                                                \
  static nsds_status try_##table(world *w, int k) {                                                \
    table ops = {.type = "mine"};                                                                  \
    ops.reserved[k] = 1;                                                                           \
    return told(w, call(w->model, &(made){.ops = &ops}));                                          \
  }
#define OTHER(name, call, part, ...)                                                               \
  static nsds_status try_##name(world *w, int k) {                                                 \
    name given = {0};                                                                              \
    given.reserved[k] = 1;                                                                         \
    (void)w;                                                                                       \
    return __VA_ARGS__;                                                                            \
  }
MAKERS(MAKER)
TYPES(TYPE)
OTHERS(OTHER)

/* The words are the last of the structure, so that fields of later versions can stand in their place. */
#define IS_LAST(name)                                                                              \
  _Static_assert(offsetof(name, reserved) + sizeof(((name *)0)->reserved) == sizeof(name),         \
                 "the words end " #name);
#define LAST_OF_MAKER(type, call) IS_LAST(type)
#define LAST_OF_TYPE(type, table, call) IS_LAST(type) IS_LAST(table)
#define LAST_OF_OTHER(name, call, part, ...) IS_LAST(name)
MAKERS(LAST_OF_MAKER)
TYPES(LAST_OF_TYPE)
OTHERS(LAST_OF_OTHER)

/* The number of words left: fields of later versions have taken some. */
#define WORDS(name) (int)(sizeof(((name *)0)->reserved) / sizeof(uint64_t))
#define MAKER_ROW(type, call) {#type, #call, "", WORDS(type), try_##type},
#define TYPE_ROW(type, table, call)                                                                \
  {#type, #call, "", WORDS(type), try_##type}, {#table, #call, "ops->", WORDS(table), try_##table},
#define OTHER_ROW(name, call, part, ...) {#name, #call, part, WORDS(name), try_##name},
static const struct entry {
  const char *name, *call, *part;
  int words;
  nsds_status (*try)(world *w, int k);
} entries[] = {MAKERS(MAKER_ROW) TYPES(TYPE_ROW) OTHERS(OTHER_ROW)};
enum { entry_count = sizeof entries / sizeof *entries };

/* ---- tests ------------------------------------------------------------------------------------ */

static world build(void) {
  world w = {.model = nsds_model_create(NULL)};
  w.ds = nsds_lagrangian_linear(w.model,
                                &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){1.0}});
  w.simulation = nsds_time_stepping(w.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1});
  assert_sound(w.model);
  return w;
}

static void words_that_are_not_zero(void **state) {
  (void)state;
  world w = build();
  nsds_context *context = nsds_model_context(w.model);
  for (int e = 0; e < entry_count; ++e)
    for (int k = 0; k < entries[e].words; ++k) {
      char words[160];
      bool orphan = strcmp(entries[e].name, "nsds_context_def") == 0;
      nsds_status status = entries[e].try(&w, k);
      const char *message = nsds_error_message(orphan ? NULL : context);
      snprintf(words, sizeof words,
               "%s: %sreserved[%d] is not zero; set all of the structure to zero", entries[e].call,
               entries[e].part, k);
      if (status != NSDS_ERROR_ARGUMENT || !strstr(message, words))
        fail_msg("%s: status %d, message \"%s\"", entries[e].name, status, message);
      nsds_error_clear(context);
    }
  nsds_error_clear(NULL);
  assert_ok(w.model, nsds_step(w.simulation));
  nsds_model_destroy(w.model);
}

static bool is_known(const char *name) {
  for (int e = 0; e < entry_count; ++e)
    if (strcmp(name, entries[e].name) == 0) return true;
  return false;
}

static bool ends_with(const char *text, const char *end) {
  size_t size = strlen(text), tail = strlen(end);
  return size >= tail && strcmp(text + size - tail, end) == 0;
}

/* The definitions of a header, "} nsds_..._def;"; how many. */
static int read_header(const char *path) {
  char line[512], name[128];
  int found = 0;
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  while (fgets(line, sizeof line, file)) {
    if (sscanf(line, "} nsds_%100[a-z_0-9];", name) != 1) continue;
    static const char *const others[] = {"integrator", "discretisation", "activation_test"};
    bool taken = ends_with(name, "_def") || ends_with(name, "_ops");
    for (int k = 0; k < 3; ++k) taken = taken || strcmp(name, others[k]) == 0;
    if (!taken) continue;
    char whole[160];
    snprintf(whole, sizeof whole, "nsds_%s", name);
    if (!is_known(whole)) fail_msg("%s: %s has no row in this test", path, whole);
    ++found;
  }
  fclose(file);
  return found;
}

static void every_definition_has_a_row(void **state) {
  (void)state;
  int found = 0;
  DIR *folder = opendir(NSDS_TEST_SOURCE "/include/nsds");
  assert_non_null(folder);
  for (struct dirent *entry; (entry = readdir(folder));) {
    char path[1024];
    snprintf(path, sizeof path, NSDS_TEST_SOURCE "/include/nsds/%s", entry->d_name);
    bool other =
        strcmp(entry->d_name, "run.h") == 0 ||     /* of nsds_run: tests/run/api.c */
        strcmp(entry->d_name, "mpi_world.h") == 0; /* of nsds-mpi: tests/mpi/test_world.c */
    if (ends_with(path, ".h") && !other) found += read_header(path);
  }
  closedir(folder);
  assert_int_equal(found, entry_count);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(words_that_are_not_zero),
                                     cmocka_unit_test(every_definition_has_a_row)};
  return cmocka_run_group_tests_name("kernel.reserved", tests, NULL, NULL);
}
