/*
 * Every wrong use of the table gives its status and a message that names what was wrong; it leaves
 * the model as it was, bit by bit, with nothing half-made in it; after nsds_error_clear() the model
 * steps on as if nothing had happened, and everything can be freed.
 */
#include "bad_input.h"

static nsds_ds *ball(nsds_model *model) {
  return nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.name = "ball",
                                                                     .ndof = 1,
                                                                     .q0 = (double[]){0.02},
                                                                     .mass = (double[]){1.0},
                                                                     .fext = (double[]){-9.81},
                                                                     .nz = 1,
                                                                     .z = (double[]){0.5}});
}

static nsds_relation *gap(nsds_model *model) {
  return nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .name = "gap", .ny = 1, .nq = 1, .H = (double[]){1.0}, .nz = 1});
}

static bench build(meter *m) {
  bench b = {.context = meter_context(m)};
  b.model = nsds_model_create(b.context);
  b.ball = ball(b.model);
  b.spare = nsds_lagrangian_linear(
      b.model, &(nsds_lagrangian_linear_def){
                   .name = "spare", .ndof = 2, .mass = (double[]){1.0, 0.0, 0.0, 1.0}});
  b.solid = nsds_rigid_body(
      b.model, &(nsds_rigid_body_def){
                   .name = "solid", .mass = 1.0, .inertia = (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}});
  b.flat = nsds_rigid_body_2d(
      b.model, &(nsds_rigid_body_2d_def){.name = "flat", .mass = 1.0, .inertia = 1.0});
  b.gap = gap(b.model);
  b.needs_z = nsds_lagrangian_linear_relation(
      b.model, &(nsds_lagrangian_linear_relation_def){.name = "shifted gap",
                                                      .ny = 1,
                                                      .nq = 1,
                                                      .nZ = 1,
                                                      .nz = 2,
                                                      .H = (double[]){1.0},
                                                      .F = (double[]){1.0, 1.0, 1.0}});
  b.impact = nsds_newton_impact(b.model, 0.5);
  b.floor = nsds_connect(b.model, b.gap, b.impact, 1, &b.ball);
  b.simulation = nsds_time_stepping(b.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-2});
  assert_sound(b.model);
  for (int k = 0; k < 3; ++k) assert_ok(b.model, nsds_step(b.simulation));
  b.other = nsds_model_create(b.context);
  b.other_ball = ball(b.other);
  b.other_gap = gap(b.other);
  b.other_law = nsds_newton_impact(b.other, 0.5);
  assert_sound(b.other);
  return b;
}

/* Six more steps, which include an impact. */
static uint64_t go_on(const bench *b) {
  uint64_t hash = 0;
  double impulse = 0.0;
  for (int k = 0; k < 6; ++k) {
    assert_ok(b->model, nsds_step(b->simulation));
    hash = state_hash(b->model, hash);
    impulse += nsds_impulse(b->floor)[0];
  }
  assert_true(impulse > 0.0);
  return hash;
}

static void tear_down(bench *b, const meter *m) {
  nsds_model_destroy(b->model);
  nsds_model_destroy(b->other);
  nsds_context_destroy(b->context);
  assert_int_equal(m->live, 0);
}

static void check(void **state) {
  const misuse *wrong = *state;
  meter m = {0};
  bench b = build(&m);
  uint64_t undisturbed = go_on(&b);
  tear_down(&b, &m);
  b = build(&m);
  snapshot before = snapshot_take(b.model);
  double t = nsds_time(b.simulation);
  nsds_error_clear(NULL);
  nsds_status status = wrong->commit(&b);
  const char *message = nsds_error_message(wrong->orphan ? NULL : b.context);
  if (status != wrong->expected) {
    print_error("%d (%s) instead of %d (%s), message \"%s\"\n", status, nsds_status_text(status),
                wrong->expected, nsds_status_text(wrong->expected), message);
    fail();
  }
  assert_words(message, wrong->words, 4);
  assert_int_equal(nsds_error(b.context), wrong->orphan ? NSDS_OK : wrong->expected);
  assert_string_equal(nsds_last_message(wrong->orphan ? NULL : b.context), message);
  snapshot_check(&before, b.model, wrong->name);
  assert_near(nsds_time(b.simulation), t, 0.0);
  assert_int_equal(nsds_ds_count(b.model), 4);
  assert_int_equal(nsds_interaction_count(b.model), 1);
  if (!wrong->orphan) { /* the error sticks until it is dealt with */
    assert_null(nsds_time_stepping(b.model, &(nsds_time_stepping_def){.t1 = 2.0, .h = 1e-2}));
    assert_string_equal(nsds_error_message(b.context), message);
  }
  nsds_error_clear(b.context);
  assert_string_equal(nsds_error_message(b.context), "");
  assert_true(go_on(&b) == undisturbed);
  snapshot_free(&before);
  tear_down(&b, &m);
}

/* Accessors take NULL: what they return says that there is nothing, and no error is recorded. */
static void accessors_of_null(void **state) {
  (void)state;
  nsds_error_clear(NULL);
  const double *const arrays[] = {
      nsds_q(NULL),      nsds_v(NULL),          nsds_p(NULL), nsds_prescribed_force(NULL),
      nsds_ds_z(NULL),   nsds_relation_z(NULL), nsds_y(NULL), nsds_ydot(NULL),
      nsds_impulse(NULL)};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) assert_null(arrays[k]);
  assert_int_equal(nsds_ds_index(NULL), -1);
  const int counts[] = {nsds_nq(NULL),
                        nsds_nv(NULL),
                        nsds_ds_count(NULL),
                        nsds_interaction_count(NULL),
                        nsds_interaction_size(NULL),
                        nsds_interaction_ds_count(NULL),
                        nsds_linked_interactions(NULL, 0, NULL),
                        (int)nsds_step_count(NULL),
                        nsds_is_active(NULL)};
  for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k) assert_int_equal(counts[k], 0);
  assert_null(nsds_model_context(NULL));
  assert_null(nsds_ds_at(NULL, 0));
  assert_null(nsds_interaction_at(NULL, 0));
  assert_null(nsds_interaction_ds(NULL, 0));
  assert_null(nsds_simulation_info(NULL));
  assert_null(nsds_simulation_solver(NULL));
  assert_true(nsds_plugin_get(NULL, "name", NSDS_KIND_FEXT) == NULL);
  assert_string_equal(nsds_ds_name(NULL), "");
  assert_true(isnan(nsds_time(NULL)));
  nsds_simulation_destroy(NULL);
  nsds_model_destroy(NULL);
  nsds_context_destroy(NULL);
  assert_string_equal(nsds_error_message(NULL), "");
}

/* One test per row, so that each row that fails is named. */
int main(void) {
  enum { most = 512 };
  static struct CMUnitTest tests[most];
  const misuse *const tables[] = {misuses_of_nulls,   misuses_of_systems, misuses_of_relations,
                                  misuses_of_running, misuses_of_bodies,  misuses_of_sets};
  size_t count = 0;
  tests[count++] = (struct CMUnitTest)cmocka_unit_test(accessors_of_null);
  for (size_t k = 0; k < sizeof tables / sizeof *tables; ++k)
    for (const misuse *row = tables[k]; row->name && count < most; ++row)
      tests[count++] = (struct CMUnitTest){
          .name = row->name, .test_func = check, .initial_state = (void *)(uintptr_t)row};
  return count == most || _cmocka_run_group_tests("kernel.bad_input", tests, count, NULL, NULL);
}
