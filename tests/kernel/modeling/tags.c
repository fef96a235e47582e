/*
 * Names and user pointers of every kind of object: set, read, longer than there is room, removed, and the
 * names in messages.
 */
#include "support.h"

typedef struct scene {
  nsds_model *model;
  nsds_ds *ds;
  nsds_relation *relation;
  nsds_law *law;
  nsds_interaction *interaction;
  nsds_contact_set *contact_set;
  nsds_simulation *simulation;
} scene;

static bool faulty;

static int fails(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)out, (void)user;
  return faulty ? -1 : 0;
}

static scene build(void) {
  scene s = {.model = nsds_model_create(NULL)};
  s.ds = nsds_rigid_body_2d(s.model, &(nsds_rigid_body_2d_def){.mass = 1.0, .inertia = 1.0});
  s.relation = nsds_lagrangian_linear_relation(
      s.model,
      &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 3, .H = (double[]){0.0, 1.0, 0.0}});
  s.law = nsds_newton_impact(s.model, 0.5);
  s.interaction = nsds_connect(s.model, s.relation, s.law, 1, &s.ds);
  s.contact_set = nsds_shapes(s.model, &(nsds_shapes_def){.dimension = 2, .law = s.law});
  s.simulation = nsds_time_stepping(s.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1});
  assert_sound(s.model);
  return s;
}

#define TAGGED(object, handle)                                                                     \
  do {                                                                                             \
    int mark = 0;                                                                                  \
    assert_string_equal(nsds_##object##_name(handle), "");                                         \
    assert_null(nsds_##object##_user(handle));                                                     \
    assert_int_equal(nsds_##object##_set_name(handle, "a " #object), NSDS_OK);                     \
    assert_int_equal(nsds_##object##_set_user(handle, &mark), NSDS_OK);                            \
    assert_string_equal(nsds_##object##_name(handle), "a " #object);                               \
    assert_ptr_equal(nsds_##object##_user(handle), &mark);                                         \
    assert_int_equal(nsds_##object##_set_name(handle, nsds_##object##_name(handle)), NSDS_OK);     \
    assert_string_equal(nsds_##object##_name(handle), "a " #object);                               \
    assert_int_equal(                                                                              \
        nsds_##object##_set_name(handle, "0123456789012345678901234567890123456789012345678"),     \
        NSDS_OK);                                                                                  \
    assert_string_equal(nsds_##object##_name(handle),                                              \
                        "01234567890123456789012345678901234567890123456");                        \
    assert_int_equal(nsds_##object##_set_name(handle, NULL), NSDS_OK);                             \
    assert_int_equal(nsds_##object##_set_user(handle, NULL), NSDS_OK);                             \
    assert_string_equal(nsds_##object##_name(handle), "");                                         \
    assert_null(nsds_##object##_user(handle));                                                     \
    assert_string_equal(nsds_##object##_name(NULL), "");                                           \
    assert_null(nsds_##object##_user(NULL));                                                       \
    assert_int_equal(nsds_##object##_set_name(NULL, "x"), NSDS_ERROR_ARGUMENT);                    \
    assert_int_equal(nsds_##object##_set_user(NULL, &mark), NSDS_ERROR_ARGUMENT);                  \
  } while (0)

static void every_object_has_them(void **state) {
  (void)state;
  scene s = build();
  TAGGED(model, s.model);
  TAGGED(ds, s.ds);
  TAGGED(relation, s.relation);
  TAGGED(law, s.law);
  TAGGED(interaction, s.interaction);
  TAGGED(contact_set, s.contact_set);
  TAGGED(simulation, s.simulation);
  assert_sound(s.model);
  nsds_model_destroy(s.model);
}

static void says(const scene *s, const char *word) {
  const char *const words[] = {word};
  assert_words(nsds_last_message(nsds_model_context(s->model)), words, 1);
  nsds_error_clear(nsds_model_context(s->model));
}

static void messages_have_them(void **state) {
  (void)state;
  scene s = build();
  assert_ok(s.model, nsds_ds_set_name(s.ds, "pebble"));
  assert_ok(s.model, nsds_relation_set_name(s.relation, "height"));
  assert_ok(s.model, nsds_law_set_name(s.law, "bounce"));
  assert_ok(s.model, nsds_interaction_set_name(s.interaction, "ground"));
  assert_ok(s.model, nsds_contact_set_set_name(s.contact_set, "pieces"));
  assert_int_equal(nsds_ds_destroy(s.ds), NSDS_ERROR_STATE);
  says(&s, "system 'pebble'");
  assert_int_equal(nsds_ds_destroy(s.ds), NSDS_ERROR_STATE);
  says(&s, "interaction 'ground'");
  assert_int_equal(nsds_relation_destroy(s.relation), NSDS_ERROR_STATE);
  says(&s, "relation 'height'");
  assert_int_equal(nsds_shapes_remove(s.contact_set, 3), NSDS_ERROR_ARGUMENT);
  says(&s, "contact set 'pieces'");
  nsds_relation *compliant = nsds_lagrangian_relation(
      s.model, &(nsds_lagrangian_relation_def){
                   .ny = 3, .nq = 3, .output_fn = nsds_zero, .jac_output_q_fn = nsds_zero});
  nsds_law *pair = nsds_newton_impact_friction(
      s.model, &(nsds_newton_impact_friction_def){.dimension = 2, .mu = 0.1});
  assert_ok(s.model, nsds_law_set_name(pair, "rough"));
  assert_null(nsds_connect(s.model, compliant, pair, 1, &s.ds));
  says(&s, "law rough");
  nsds_model_destroy(s.model);
}

/* Functions of an object are called with the label that it has now. */
static void labels_follow_names_and_places(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *first = nsds_rigid_body_2d(m, &(nsds_rigid_body_2d_def){.mass = 1.0, .inertia = 1.0});
  nsds_ds *ds = nsds_lagrangian(
      m, &(nsds_lagrangian_def){.ndof = 1, .mass = (double[]){1.0}, .fext_fn = fails});
  nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1});
  scene of = {.model = m};
  assert_sound(m);
  faulty = true;
  assert_true(nsds_step(s) < 0);
  says(&of, "system #1");
  assert_ok(m, nsds_ds_destroy(first));
  assert_true(nsds_step(s) < 0);
  says(&of, "system #0");
  assert_ok(m, nsds_ds_set_name(ds, "faulty"));
  assert_true(nsds_step(s) < 0);
  says(&of, "system 'faulty'");
  faulty = false;
  nsds_model_destroy(m);
}

static void removed_objects_have_none(void **state) {
  (void)state;
  scene s = build();
  assert_ok(s.model, nsds_disconnect(s.interaction));
  assert_ok(s.model, nsds_relation_destroy(s.relation));
  assert_ok(s.model, nsds_contact_set_destroy(s.contact_set));
  assert_ok(s.model, nsds_ds_destroy(s.ds));
  assert_int_equal(nsds_interaction_set_user(s.interaction, &s), NSDS_ERROR_ARGUMENT);
  says(&s, "nsds_interaction_set_user");
  assert_int_equal(nsds_relation_set_name(s.relation, "x"), NSDS_ERROR_ARGUMENT);
  says(&s, "nsds_relation_set_name");
  assert_null(nsds_contact_set_user(s.contact_set));
  says(&s, "nsds_contact_set_user");
  assert_string_equal(nsds_ds_name(s.ds), "");
  says(&s, "nsds_ds_name");
  nsds_model_destroy(s.model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_object_has_them),
      cmocka_unit_test(messages_have_them),
      cmocka_unit_test(labels_follow_names_and_places),
      cmocka_unit_test(removed_objects_have_none),
  };
  return cmocka_run_group_tests_name("kernel.tags", tests, NULL, NULL);
}
