/*
 * Jobs with a world. A model that is made of nsds_job_world() and nsds_job_scenery() drives the job, and the rows
 * have the bits of the job alone. Files that are no world are refused, each at its place.
 */
#include "run_test.h"

#include <nsds/rigid_body.h>

static const char scene[] =
    "nsds: 1\n"
    "parameters: {n: 12, g: 9.81}\n"
    "systems:\n"
    "  floor: {type: rigid_body, mass: 1, inertia: {diagonal: [1, 1, 1]}, prescribed: [1, 2, 3, 4, "
    "5, 6],\n"
    "    prescribed_velocity: [0.1, 0, \"0.2*cos(30*t)\", 0, 0, 0], shapes: [{type: box, half: [1, "
    "1, 0.1]}]}\n"
    "  ball:\n"
    "    type: rigid_body\n"
    "    repeat: n\n"
    "    density: 500\n"
    "    q0: [\"0.11*mod(i, 3)\", \"0.11*floor(i/3)\", \"0.151 + 0.01*i\", 1, 0, 0, 0]\n"
    "    v0: [0, 0, -1, 0, 0, i]\n"
    "    gravity: [0, 0, -g]\n"
    "    shapes: [{type: sphere, radius: 0.05, material: 1}]\n"
    "  brick:\n"
    "    type: rigid_body\n"
    "    mass: 0.2\n"
    "    inertia: {diagonal: [1e-4, 2e-4, 3e-4]}\n"
    "    explicit_gyroscopic: true\n"
    "    q0: [0.1, 0.1, 0.4, 1, 0, 0, 0]\n"
    "    gravity: [0, 0, -g]\n"
    "    shapes: [{type: box, half: [0.05, 0.06, 0.02]}, {type: capsule, radius: 0.02, half: 0.05, "
    "position: [0, 0, 0.03]}]\n"
    "contacts:\n"
    "  all: {type: shapes, materials: [{mu: 0.5, e_n: 0.1}, {mu: 0.2}], mix: min, reach: 0.01,\n"
    "    scenery: [{type: half_space, normal: [1, 0, 0], offset: -0.2}]}\n"
    "simulation: {type: time_stepping, t0: 0.5, t1: 0.7, h: 1e-3, overlap_sweeps: 0}\n"
    "outputs: {every: 5, columns: [step, h, kinetic_energy, active, all.count, \"ball[*].q[2]\", "
    "\"brick.v[4]\", brick.kinetic_energy, \"floor.q[2]\"]}\n"
    "measures:\n"
    "  top: {kind: max, of: \"brick.q[2]\"}\n"
    "  closed: {kind: mean, of: active}\n";

static nsds_job *world_of(nsds_context *context, const char *text, bool world) {
  return nsds_job_create(context, &(nsds_job_def){.file = "scene.yaml",
                                                  .text = text,
                                                  .kind = NSDS_JOB_MODEL_FILE,
                                                  .world = world});
}

/* ---- a driver in one process ---- */

typedef struct twin {
  nsds_job *job;
  nsds_model *model;
  nsds_contact_set *set;
  nsds_simulation *simulation;
  int shown, steps;
} twin;

static void add_body(twin *t, const nsds_job_world_info *info, const nsds_job_body *from) {
  nsds_rigid_body_def def = {.mass = from->mass,
                             .inertia = from->inertia,
                             .q0 = nsds_q(from->ds),
                             .v0 = nsds_v(from->ds),
                             .explicit_gyroscopic = true};
  memcpy(def.gravity, info->gravity, sizeof def.gravity);
  nsds_ds *ds = nsds_rigid_body(t->model, &def);
  for (int k = 0; k < from->nshape; ++k) {
    nsds_shape_def shape = from->shape[k];
    assert_null(shape.ds);
    shape.ds = ds;
    assert_true(nsds_shapes_add(t->set, &shape) >= 0);
  }
}

static void make_twin(nsds_context *context, twin *t) {
  const nsds_job_world_info *info = nsds_job_world(t->job);
  t->model = nsds_model_create(context);
  t->set = nsds_shapes(t->model, &(nsds_shapes_def){.nmaterial = info->nmaterial,
                                                    .material = info->material,
                                                    .mix = info->mix,
                                                    .reach = info->reach});
  assert_int_equal(nsds_job_scenery(t->job, t->model, t->set), NSDS_OK);
  assert_int_equal(nsds_ds_count(t->model), info->nprescribed);
  for (int k = 0; k < info->nbody; ++k) add_body(t, info, &info->body[k]);
  t->simulation =
      nsds_time_stepping(t->model, &(nsds_time_stepping_def){.t0 = info->t0,
                                                             .t1 = 2.0 * info->t1,
                                                             .h = info->h,
                                                             .tolerance = info->tolerance,
                                                             .overlap_sweeps = NSDS_OVERLAP_STAYS});
  assert_non_null(t->simulation);
}

static nsds_status step_twin(bool show, nsds_job_figures *figures, void *user) {
  twin *t = user;
  nsds_status status = nsds_step(t->simulation);
  if (status) return status;
  const nsds_step_info *info = nsds_simulation_info(t->simulation);
  *figures = (nsds_job_figures){.t = nsds_time(t->simulation),
                                .steps = ++t->steps,
                                .found = nsds_contact_set_count(t->set),
                                .active = info->active,
                                .iterations = info->solver.iterations,
                                .residual = info->solver.residual};
  const nsds_model *model = nsds_job_model(t->job);
  for (int k = 0; show && k < nsds_ds_count(model); ++k)
    if (nsds_set_state(nsds_ds_at(model, k), nsds_q(nsds_ds_at(t->model, k)),
                       nsds_v(nsds_ds_at(t->model, k))))
      return NSDS_ERROR_VALUE;
  t->shown += show;
  return NSDS_OK;
}

static void compare_rows(const nsds_job *a, const nsds_job *b) {
  for (int k = 0; k < nsds_job_column_count(a); ++k)
    if (memcmp(nsds_job_row(a) + k, nsds_job_row(b) + k, sizeof(double)) != 0)
      fail_msg("%s is %.17g, and %.17g in the world at t = %g", nsds_job_column_name(a, k),
               nsds_job_row(a)[k], nsds_job_row(b)[k], nsds_job_row(a)[0]);
}

/* Runs the scene with and without a driver. Returns how often the driver showed states. */
static int run_both(const char *text, int *steps) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *alone = world_of(context, text, false);
  twin t = {.job = world_of(context, text, true)};
  if (!alone || !t.job) fail_msg("%s", nsds_error_message(context));
  assert_null(nsds_job_world(alone));
  make_twin(context, &t);
  assert_int_equal(nsds_job_drive(t.job, step_twin, &t), NSDS_OK);
  nsds_status status, other;
  do {
    compare_rows(alone, t.job);
    status = nsds_job_step(alone);
    other = nsds_job_step(t.job);
    if (status < 0) fail_msg("%s", nsds_error_message(context));
    assert_int_equal(status, other);
  } while (status == NSDS_OK);
  for (int k = 0; k < nsds_job_measure_count(alone); ++k)
    assert_true(nsds_job_measure(alone, k) == nsds_job_measure(t.job, k));
  nsds_simulation_destroy(t.simulation);
  nsds_model_destroy(t.model);
  nsds_job_destroy(t.job);
  nsds_job_destroy(alone);
  nsds_context_destroy(context);
  *steps = t.steps;
  return t.shown;
}

static void test_driven_world_is_the_job(void **state) {
  (void)state;
  int steps;
  assert_int_equal(run_both(scene, &steps), 200);
  assert_int_equal(steps, 200);
}

/* Without measures states are shown for rows alone. */
static void test_states_are_shown_for_rows(void **state) {
  (void)state;
  char text[sizeof scene];
  int steps;
  memcpy(text, scene, sizeof scene);
  *strstr(text, "measures:") = '\0';
  assert_int_equal(run_both(text, &steps), 40);
  assert_int_equal(steps, 200);
}

/* ---- what is no world ---- */

typedef struct change {
  const char *from, *to, *message; /* NULL: `to` is added at the end */
} change;

static const change changes[] = {
    {"overlap_sweeps: 0", "overlap_sweeps: 0, max_halvings: 3",
     "does not take the key max_halvings"},
    {"overlap_sweeps: 0", "overlap_sweeps: 0, accept_unsolved: true", "the key accept_unsolved"},
    {"overlap_sweeps: 0", "overlap_sweeps: 0, solver: lemke",
     "the solver lemke; valid are auto and"},
    {"overlap_sweeps: 0", "overlap_sweeps: 0, solver: nsgs, solver_options: {momentum: 1}",
     "the option momentum"},
    {"h: 1e-3", "h: 3e-3", "there are 66.66666"},
    {"type: time_stepping, t0: 0.5, t1: 0.7, h: 1e-3, overlap_sweeps: 0",
     "type: event_driven, t1: 1", "does not take the simulation event_driven; valid is"},
    {"gravity: [0, 0, -g]\n    shapes: [{type: box",
     "gravity: [0, 0, -2*g]\n    shapes: [{type: box",
     "scene.yaml:20:14: brick and ball[0] differ in gravity"},
    {"    explicit_gyroscopic: true\n", "", "brick turns by W x J W"},
    {"prescribed: [1, 2, 3, 4, 5, 6],\n    prescribed_velocity: [0.1, 0, \"0.2*cos(30*t)\", 0, 0, "
     "0]",
     "prescribed: [1],\n    prescribed_velocity: [0.1]", "floor has 1 prescribed velocities"},
    {"    repeat: n\n", "    repeat: n\n    force: [t, 0, 0]\n", "does not take the key force"},
    {", {type: capsule",
     ", {type: mesh, vertices: [[0,0,0],[0.01,0,0],[0,0.01,0],[0,0,0.01]], "
     "faces: [[0,2,1],[0,1,3],[1,2,3],[2,0,3]]}, {type: capsule",
     "brick has a mesh"},
    {"shapes: [{type: sphere, radius: 0.05, material: 1}]",
     "shapes: [{type: sphere, radius: 0.05, drawn_only: true}]",
     "ball[0] has no shape in the contact set"},
    {"reach: 0.01", "reach: 0.01, rolling: true", "does not take the key rolling"},
    {"reach: 0.01", "reach: 0.01, exclude: [{bodies: brick}]", "does not take the key exclude"},
    {"kinetic_energy, active", "rows, active", "\"rows\" is not known on several processes"},
    {"brick.kinetic_energy", "brick.normal_force", "\"brick.normal_force\" is not known on"},
    {NULL, "interactions:\n  axle: {systems: brick, relation: {type: hinge, axis: [0, 1, 0]}}\n",
     "has no interactions"},
    {NULL, "sensors:\n  place: {type: place, body: brick}\n", "has no sensors"},
    {NULL, "events: [{time: 0.6}]\n", "has no events"},
};

/* The scene with a change; NULL if the change finds no place. */
static char *changed_scene(const change *c) {
  char *text = malloc(sizeof scene + 600);
  const char *at = c->from ? strstr(scene, c->from) : scene + sizeof scene - 1;
  if (!text || !at) fail_msg("%s is not in the scene", c->from);
  snprintf(text, sizeof scene + 600, "%.*s%s%s", (int)(at - scene), scene, c->to,
           at + (c->from ? strlen(c->from) : 0));
  return text;
}

static void test_what_is_no_world_is_refused_at_its_place(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof changes / sizeof *changes; ++k) {
    nsds_context *context = nsds_context_create(NULL);
    char *text = changed_scene(&changes[k]);
    nsds_job *alone = world_of(context, text, false);
    if (!alone) fail_msg("change %zu: %s", k, nsds_error_message(context));
    nsds_job *job = world_of(context, text, true);
    const char *message = nsds_error_message(context);
    if (job || !strstr(message, changes[k].message) || strncmp(message, "scene.yaml:", 11) != 0)
      fail_msg("change %zu: expected \"%s\", got \"%s\"", k, changes[k].message, message);
    nsds_job_destroy(alone);
    nsds_context_destroy(context);
    free(text);
  }
}

static void test_other_files_have_no_world(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  assert_null(nsds_job_create(context, &(nsds_job_def){.file = "test.cir",
                                                       .text = "R1 1 0 1\n.end\n",
                                                       .kind = NSDS_JOB_CIRCUIT,
                                                       .world = true}));
  assert_non_null(strstr(nsds_error_message(context), "it is a netlist"));
  nsds_error_clear(context);
  nsds_job *job = world_of(context, scene, false);
  assert_int_equal(nsds_job_drive(job, step_twin, NULL), NSDS_ERROR_ARGUMENT);
  nsds_error_clear(context);
  assert_int_equal(nsds_job_scenery(job, nsds_job_model(job), NULL), NSDS_ERROR_ARGUMENT);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_driven_world_is_the_job),
      cmocka_unit_test(test_states_are_shown_for_rows),
      cmocka_unit_test(test_what_is_no_world_is_refused_at_its_place),
      cmocka_unit_test(test_other_files_have_no_world),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
