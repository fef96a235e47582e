/*
 * Handles of what was removed: every call that is given one says so, also when others have taken
 * its place; names and parameters of interactions; relations that are destroyed.
 */
#include "support.h"

#include <stdio.h>

typedef struct scene {
  nsds_model *model;
  nsds_context *context;
  nsds_ds *ds[3];
  nsds_relation *relation;
  nsds_law *law;
  nsds_simulation *simulation;
} scene;

static scene build(void) {
  scene s = {.model = nsds_model_create(NULL)};
  const double one = 1.0;
  s.context = nsds_model_context(s.model);
  for (int k = 0; k < 3; ++k)
    s.ds[k] = nsds_lagrangian_linear(
        s.model, &(nsds_lagrangian_linear_def){
                     .ndof = 1, .mass = &one, .fext = (double[]){-9.81}, .q0 = &one});
  s.relation = nsds_lagrangian_linear_relation(
      s.model,
      &(nsds_lagrangian_linear_relation_def){.name = "floor", .ny = 1, .nq = 1, .H = &one});
  s.law = nsds_newton_impact(s.model, 0.5);
  s.simulation = nsds_time_stepping(s.model, &(nsds_time_stepping_def){.t1 = 1e3, .h = 0.01});
  assert_sound(s.model);
  return s;
}

static void expect(const scene *s, nsds_status status, const char *call, const char *word) {
  const char *const words[] = {call, word};
  assert_int_equal(status, NSDS_ERROR_ARGUMENT);
  assert_words(nsds_last_message(s->context), words, 2);
  nsds_error_clear(s->context);
}

/* The call failed without a status to return. */
static void complained(const scene *s, const char *call, const char *word) {
  expect(s, nsds_error(s->context), call, word);
}

static void refused_everywhere(const scene *s, nsds_interaction *gone) {
  const char *word = "disconnected";
  const double z = 1.0;
  nsds_interaction *linked[4];
  expect(s, nsds_disconnect(gone), "nsds_disconnect", word);
  expect(s, nsds_interaction_set_z(gone, 1, &z), "nsds_interaction_set_z", word);
  assert_null(nsds_y(gone));
  complained(s, "nsds_y", word);
  assert_null(nsds_ydot(gone));
  complained(s, "nsds_ydot", word);
  assert_null(nsds_impulse(gone));
  complained(s, "nsds_impulse", word);
  assert_null(nsds_lambda(gone));
  complained(s, "nsds_lambda", word);
  assert_null(nsds_interaction_z(gone));
  complained(s, "nsds_interaction_z", word);
  assert_null(nsds_interaction_ds(gone, 0));
  complained(s, "nsds_interaction_ds", word);
  assert_string_equal(nsds_interaction_name(gone), "");
  complained(s, "nsds_interaction_name", word);
  assert_int_equal(nsds_interaction_size(gone), 0);
  complained(s, "nsds_interaction_size", word);
  assert_int_equal(nsds_interaction_ds_count(gone), 0);
  complained(s, "nsds_interaction_ds_count", word);
  assert_int_equal(nsds_linked_interactions(gone, 4, linked), 0);
  complained(s, "nsds_linked_interactions", word);
  assert_false(nsds_is_active(gone));
  complained(s, "nsds_is_active", word);
}

static void stale_handles_are_refused(void **state) {
  (void)state;
  scene s = build();
  nsds_interaction *gone = nsds_connect(s.model, s.relation, s.law, 1, &s.ds[0]);
  nsds_interaction *stays = nsds_connect(s.model, s.relation, s.law, 1, &s.ds[1]);
  assert_ok(s.model, nsds_step(s.simulation));
  assert_ok(s.model, nsds_disconnect(gone));
  refused_everywhere(&s, gone);
  assert_ok(s.model, nsds_step(s.simulation));
  refused_everywhere(&s, gone);
  /* others come and go, in this place among others */
  for (int k = 0; k < 255; ++k) {
    nsds_interaction *next = nsds_connect(s.model, s.relation, s.law, 1, &s.ds[2]);
    assert_non_null(next);
    assert_ptr_not_equal(next, gone);
    refused_everywhere(&s, gone);
    if (k % 16 == 0) assert_ok(s.model, nsds_step(s.simulation));
    assert_non_null(nsds_y(next));
    assert_ok(s.model, nsds_disconnect(next));
    refused_everywhere(&s, next);
  }
  refused_everywhere(&s, gone);
  assert_near(nsds_y(stays)[0], nsds_q(s.ds[1])[0], 0.0);
  assert_int_equal(nsds_interaction_count(s.model), 1);
  assert_ptr_equal(nsds_interaction_at(s.model, 0), stays);
  assert_sound(s.model);
  nsds_model_destroy(s.model);
}

/* NULL gives what it gave before there were generations. */
static void null_is_no_stale_handle(void **state) {
  (void)state;
  assert_int_equal(nsds_disconnect(NULL), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_interaction_set_z(NULL, 0, NULL), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_relation_destroy(NULL), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_relation_set_z(NULL, 0, NULL), NSDS_ERROR_ARGUMENT);
  assert_null(nsds_y(NULL));
  assert_null(nsds_ydot(NULL));
  assert_null(nsds_impulse(NULL));
  assert_null(nsds_lambda(NULL));
  assert_null(nsds_interaction_z(NULL));
  assert_null(nsds_relation_z(NULL));
  assert_null(nsds_interaction_ds(NULL, 0));
  assert_int_equal(nsds_interaction_size(NULL), 0);
  assert_int_equal(nsds_linked_interactions(NULL, 0, NULL), 0);
  assert_false(nsds_is_active(NULL));
  assert_string_equal(nsds_interaction_name(NULL), "");
}

static void relations_are_destroyed(void **state) {
  (void)state;
  scene s = build();
  const double two = 2.0;
  const nsds_lagrangian_linear_relation_def def = {
      .name = "wall", .ny = 1, .nq = 1, .H = &two, .nz = 1, .nZ = 1, .F = &two};
  for (int round = 0; round < 20; ++round) {
    nsds_relation *wall = nsds_lagrangian_linear_relation(s.model, &def);
    nsds_interaction *a = nsds_connect(s.model, wall, s.law, 1, &s.ds[0]);
    nsds_interaction *b = nsds_connect(s.model, wall, s.law, 1, &s.ds[1]);
    assert_non_null(a);
    assert_non_null(b);
    assert_status(s.model, nsds_relation_destroy(wall), NSDS_ERROR_STATE);
    assert_words(nsds_last_message(s.context), ((const char *[]){"wall", "2 interactions"}), 2);
    nsds_error_clear(s.context);
    assert_ok(s.model, nsds_step(s.simulation));
    assert_ok(s.model, nsds_disconnect(a));
    assert_status(s.model, nsds_relation_destroy(wall), NSDS_ERROR_STATE);
    nsds_error_clear(s.context);
    assert_ok(s.model, nsds_disconnect(b));
    assert_ok(s.model, nsds_relation_destroy(wall));
    expect(&s, nsds_relation_destroy(wall), "nsds_relation_destroy", "destroyed");
    expect(&s, nsds_relation_set_z(wall, 1, &two), "nsds_relation_set_z", "destroyed");
    assert_null(nsds_relation_z(wall));
    complained(&s, "nsds_relation_z", "destroyed");
    assert_null(nsds_connect(s.model, wall, s.law, 1, &s.ds[0]));
    complained(&s, "nsds_connect", "destroyed");
    assert_ok(s.model, nsds_step(s.simulation));
  }
  nsds_model_destroy(s.model);
}

/* ---- names and parameters ---- */

typedef struct seen {
  double z[5];
  int nz;
} seen;

static int gap(const nsds_arguments *in, double *out, void *user) {
  seen *s = user;
  s->nz = in->nz;
  for (int k = 0; k < in->nz && k < 5; ++k) s->z[k] = in->z[k];
  out[0] = in->q[0] - in->z[in->nz - 1]; /* the last of the interaction's own */
  return 0;
}

static int gap_q(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

static void interactions_have_names_and_parameters(void **state) {
  (void)state;
  seen user = {0};
  const double one = 1.0;
  nsds_model *model = nsds_model_create(NULL);
  nsds_context *context = nsds_model_context(model);
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k)
    ds[k] = nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                        .mass = &one,
                                                                        .q0 = (double[]){3.0 + k},
                                                                        .nz = 1,
                                                                        .z = (double[]){10.0 + k}});
  nsds_relation *relation =
      nsds_lagrangian_relation(model, &(nsds_lagrangian_relation_def){.ny = 1,
                                                                      .nq = 1,
                                                                      .output_fn = gap,
                                                                      .jac_output_q_fn = gap_q,
                                                                      .nz = 1,
                                                                      .z = (double[]){20.0},
                                                                      .user = &user});
  nsds_law *law = nsds_newton_impact(model, 0.0);
  nsds_interaction *ia[2];
  for (int k = 0; k < 2; ++k) {
    ia[k] = nsds_connect(model, relation, law, 1, &ds[k]);
    assert_int_equal(nsds_interaction_set_name(ia[k], k ? "left" : "right"), NSDS_OK);
    assert_int_equal(nsds_interaction_set_z(ia[k], 2, (double[]){30.0 + k, 1.0 + k}), NSDS_OK);
    assert_non_null(ia[k]);
  }
  assert_string_equal(nsds_interaction_name(ia[0]), "right");
  assert_string_equal(nsds_interaction_name(ia[1]), "left");
  nsds_simulation *s = run(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1}, 1);
  for (int k = 0; k < 2; ++k) {
    assert_near(nsds_y(ia[k])[0], 2.0, 0.0);
    assert_ok(model, nsds_interaction_set_z(ia[k], 2, (double[]){31.0, 0.5}));
    assert_near(nsds_y(ia[k])[0], 2.5 + k, 0.0);    /* evaluates it anew */
    const double Z[] = {10.0 + k, 20.0, 31.0, 0.5}; /* system, relation, interaction */
    assert_int_equal(user.nz, 4);
    assert_memory_equal(user.z, Z, sizeof Z);
    assert_memory_equal(nsds_interaction_z(ia[k]), Z + 2, 2 * sizeof *Z);
  }
  assert_status(model, nsds_interaction_set_z(ia[1], 1, &one), NSDS_ERROR_SIZE);
  assert_words(nsds_last_message(context), ((const char *[]){"left", "2 parameters"}), 2);
  nsds_error_clear(context);
  assert_status(model, nsds_interaction_set_z(ia[0], 2, (double[]){1.0, NAN}), NSDS_ERROR_VALUE);
  nsds_error_clear(context);
  assert_status(model, nsds_interaction_set_z(ia[0], 2, NULL), NSDS_ERROR_ARGUMENT);
  nsds_error_clear(context);
  assert_near(nsds_interaction_z(ia[0])[1], 0.5, 0.0);
  /* a step sees it: the floor rises above the first body and throws nothing, but stops it */
  assert_ok(model, nsds_interaction_set_z(ia[0], 2, (double[]){31.0, 3.5}));
  assert_ok(model, nsds_set_state(ds[0], NULL, (double[]){-1.0}));
  assert_ok(model, nsds_step(s));
  assert_near(nsds_impulse(ia[0])[0], 1.0, 1e-12);
  assert_true(nsds_is_active(ia[0]));
  assert_false(nsds_is_active(ia[1]));
  nsds_model_destroy(model);
}

/* A relation that takes more parameters than its systems have: the rest is each interaction's. */
static void parameters_that_are_missing(void **state) {
  (void)state;
  const double one = 1.0;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .ndof = 1, .mass = &one, .q0 = (double[]){3.0}, .nz = 1, .z = (double[]){1.0}});
  nsds_relation *shifted = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 1, .nq = 1, .nZ = 2, .H = &one, .F = (double[]){1.0, 10.0}});
  nsds_interaction *ia = nsds_connect(model, shifted, nsds_newton_impact(model, 0.0), 1, &ds);
  assert_sound(model);
  assert_null(nsds_interaction_z(ia));
  const nsds_time_stepping_def stepping = {.t1 = 1.0, .h = 0.1};
  assert_null(nsds_time_stepping(model, &stepping));
  assert_words(nsds_error_message(nsds_model_context(model)),
               ((const char *[]){"takes 2 parameters Z", "nsds_interaction_set_z()"}), 2);
  nsds_error_clear(nsds_model_context(model));
  assert_ok(model, nsds_interaction_set_z(ia, 1, &one));
  nsds_simulation *s = nsds_time_stepping(model, &stepping);
  assert_sound(model);
  assert_near(nsds_y(ia)[0], 3.0 + 1.0 + 10.0, 0.0);
  assert_ok(model, nsds_step(s));
  /* parameters that come while a simulation goes on: a function sees them behind the others */
  seen user = {0};
  nsds_relation *relation = nsds_lagrangian_relation(
      model,
      &(nsds_lagrangian_relation_def){
          .ny = 1, .nq = 1, .output_fn = gap, .jac_output_q_fn = gap_q, .nz = 1, .user = &user});
  nsds_interaction *late = nsds_connect(model, relation, nsds_newton_impact(model, 0.0), 1, &ds);
  assert_ok(model, nsds_interaction_set_z(late, 2, (double[]){5.0, 0.25}));
  assert_ok(model, nsds_step(s));
  assert_int_equal(user.nz, 4);
  assert_near(nsds_y(late)[0], 3.0 - 0.25, 0.0);
  /* more than it takes */
  assert_null(nsds_connect(model,
                           nsds_lagrangian_linear_relation(
                               model,
                               &(nsds_lagrangian_linear_relation_def){
                                   .ny = 1, .nq = 1, .nZ = 1, .nz = 1, .H = &one, .F = &one}),
                           nsds_equality(model), 1, &ds));
  assert_words(nsds_error_message(nsds_model_context(model)),
               ((const char *[]){"takes 1 parameters Z", "have 2"}), 2);
  nsds_model_destroy(model);
}

/* ---- connecting and removing many ---- */

static void bodies_are_left_as_they_are(void **state) {
  (void)state;
  scene s = build();
  enum { count = 1000 };
  static nsds_interaction *ia[count];
  uint64_t seed = 4;
  for (int k = 0; k < count; ++k) ia[k] = nsds_connect(s.model, s.relation, s.law, 1, &s.ds[k % 3]);
  for (int step = 0; step < 20; ++step) {
    assert_ok(s.model, nsds_step(s.simulation));
    for (int n = 0; n < 100; ++n) { /* one goes, another comes */
      int k = (int)random_in(&seed, 0.0, count);
      assert_ok(s.model, nsds_disconnect(ia[k]));
      refused_everywhere(&s, ia[k]);
      ia[k] = nsds_connect(s.model, s.relation, s.law, 1, &s.ds[k % 3]);
      assert_non_null(ia[k]);
    }
    for (int k = 0; k < count; ++k) {
      assert_near(nsds_y(ia[k])[0], nsds_q(s.ds[k % 3])[0], 0.0);
      assert_ptr_equal(nsds_interaction_ds(ia[k], 0), s.ds[k % 3]);
    }
    assert_int_equal(nsds_interaction_count(s.model), count);
  }
  nsds_interaction *linked[count];
  assert_int_equal(nsds_linked_interactions(ia[0], count, linked), (count + 2) / 3 - 1);
  for (int k = 0; k < (count + 2) / 3 - 1; ++k)
    assert_ptr_equal(nsds_interaction_ds(linked[k], 0), s.ds[0]);
  assert_sound(s.model);
  nsds_model_destroy(s.model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stale_handles_are_refused),
      cmocka_unit_test(null_is_no_stale_handle),
      cmocka_unit_test(relations_are_destroyed),
      cmocka_unit_test(interactions_have_names_and_parameters),
      cmocka_unit_test(parameters_that_are_missing),
      cmocka_unit_test(bodies_are_left_as_they_are),
  };
  return cmocka_run_group_tests_name("kernel.handles", tests, NULL, NULL);
}
