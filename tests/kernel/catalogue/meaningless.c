/*
 * Definitions that are well formed and mean nothing are refused, with a message that says what they
 * are and what would be valid.
 */
#include "support.h"

#include <limits.h>
#include <nsds/contact.h>
#include <stdlib.h>

static const double one[4] = {1.0, 0.0, 0.0, 1.0};

static int f(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

static nsds_status nothing(void *self, const nsds_arguments *in, double *out) {
  (void)self, (void)in, (void)out;
  return NSDS_OK;
}

static nsds_model *model;

static int begin(void **state) {
  (void)state;
  model = nsds_model_create(NULL);
  return model ? 0 : -1;
}

static int finish(void **state) {
  (void)state;
  nsds_model_destroy(model);
  return 0;
}

#define REFUSED(object, status, ...)                                                               \
  do {                                                                                             \
    assert_null(object);                                                                           \
    assert_status(model, nsds_error(nsds_model_context(model)), (status));                         \
    assert_words(nsds_error_message(nsds_model_context(model)), ((const char *[]){__VA_ARGS__}),   \
                 (int)(sizeof(const char *[]){__VA_ARGS__} / sizeof(const char *)));               \
    nsds_error_clear(nsds_model_context(model));                                                   \
  } while (0)

/* ---- laws ------------------------------------------------------------------------------------ */

/* lambda >= 1 and lambda <= 0; two parallel facets; a facet without a normal */
static void normal_cone_to_an_empty_polyhedron(void **state) {
  (void)state;
  const double H[2] = {1.0, -1.0}, K[2] = {1.0, 0.0}, touching[2] = {1.0, -1.0};
  const double strip[6] = {1.0, -1.0, 0.0, 1.0, -1.0, 1.0}, apart[3] = {1.0, 0.5, -5.0};
  const double flat[1] = {0.0}, above[1] = {1.0}, below[1] = {-1.0};
  REFUSED(nsds_normal_cone(model, 1, 2, H, K), NSDS_ERROR_VALUE, "nsds_normal_cone", "no point");
  REFUSED(nsds_normal_cone(model, 2, 3, strip, apart), NSDS_ERROR_VALUE, "no point");
  REFUSED(nsds_normal_cone(model, 1, 1, flat, above), NSDS_ERROR_VALUE, "no point");
  assert_non_null(nsds_normal_cone(model, 1, 2, H, touching));
  assert_non_null(nsds_normal_cone(model, 1, 1, flat, below));
}

static void normal_cone_of_33_rows(void **state) {
  (void)state;
  double H[33] = {1.0}, K[1] = {0.0};
  REFUSED(nsds_normal_cone(model, 33, 1, H, K), NSDS_ERROR_VALUE, "size is 33", "[1, 32]");
  assert_non_null(nsds_normal_cone(model, 32, 1, H, K));
}

static void slope_whose_inverse_overflows(void **state) {
  (void)state;
  const double lower[1] = {-1.0}, upper[1] = {1.0};
  REFUSED(nsds_saturation(model, 1, lower, upper, 1e-320), NSDS_ERROR_VALUE, "slope is",
          "1 / slope");
  assert_non_null(nsds_saturation(model, 1, lower, upper, 1e-300));
}

static void impact_between_first_order_systems(void **state) {
  (void)state;
  nsds_ds *ds = nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .name = "diode", .ny = 1, .nx = 1, .C = one, .B = one});
  nsds_law *impact = nsds_newton_impact(model, 0.5);
  REFUSED(nsds_connect(model, relation, impact, 1, &ds), NSDS_ERROR_UNSUPPORTED,
          "nsds_newton_impact", "diode", "first order", "nsds_complementarity");
  assert_non_null(nsds_connect(model, relation, nsds_complementarity(model), 1, &ds));
}

/* ---- counts ---------------------------------------------------------------------------------- */

static void parameters_without_a_count(void **state) {
  (void)state;
  static const nsds_second_order_ops second = {.type = "second", .mass = nothing, .force = nothing};
  static const nsds_first_order_ops first = {.type = "first", .rhs = nothing};
  static const nsds_relation_ops tie = {.type = "tie", .output = nothing, .jacobian_q = nothing};
#define NO_Z(object, count) REFUSED(object, NSDS_ERROR_SIZE, "z is given", #count " is 0")
  NO_Z(nsds_lagrangian(model, &(nsds_lagrangian_def){.ndof = 1, .mass = one, .z = one}), nz);
  NO_Z(nsds_lagrangian_linear(model,
                              &(nsds_lagrangian_linear_def){.ndof = 1, .mass = one, .z = one}),
       nz);
  NO_Z(nsds_first_order(model, &(nsds_first_order_def){.n = 1, .z = one}), nz);
  NO_Z(nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1, .z = one}), nz);
  NO_Z(nsds_custom_second_order(
           model, &(nsds_custom_second_order_def){.ops = &second, .ndof = 1, .z = one}),
       nz);
  NO_Z(nsds_custom_first_order(model,
                               &(nsds_custom_first_order_def){.ops = &first, .n = 1, .z = one}),
       nz);
  NO_Z(nsds_custom_relation(model,
                            &(nsds_custom_relation_def){.ops = &tie, .ny = 1, .nq = 1, .z = one}),
       nz);
  NO_Z(nsds_lagrangian_linear_relation(
           model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = one, .z = one}),
       nz);
  NO_Z(nsds_lagrangian_relation(
           model,
           &(nsds_lagrangian_relation_def){
               .ny = 1, .nq = 1, .output_fn = f, .jac_output_q_fn = f, .z = one}),
       nz);
  NO_Z(nsds_first_order_linear_relation(
           model,
           &(nsds_first_order_linear_relation_def){.ny = 1, .nx = 1, .C = one, .B = one, .z = one}),
       nz);
}

static void prescribed_without_a_count(void **state) {
  (void)state;
  static const nsds_second_order_ops ops = {
      .type = "mine", .mass = nothing, .force = nothing, .prescribed = nothing};
  const int first[1] = {0};
  REFUSED(nsds_lagrangian(
              model, &(nsds_lagrangian_def){.ndof = 1, .mass = one, .prescribed.index = first}),
          NSDS_ERROR_ARGUMENT, "prescribed.index", "prescribed.n is 0");
  REFUSED(
      nsds_lagrangian(model, &(nsds_lagrangian_def){.ndof = 1, .mass = one, .prescribed.fn = f}),
      NSDS_ERROR_ARGUMENT, "prescribed.fn", "prescribed.n is 0");
  REFUSED(
      nsds_lagrangian_linear(
          model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = one, .prescribed.index = first}),
      NSDS_ERROR_ARGUMENT, "prescribed.index", "prescribed.n is 0");
  REFUSED(nsds_custom_second_order(
              model,
              &(nsds_custom_second_order_def){.ops = &ops, .ndof = 1, .prescribed.index = first}),
          NSDS_ERROR_SIZE, "mine", "prescribed.n is 0");
  REFUSED(nsds_custom_second_order(
              model, &(nsds_custom_second_order_def){.ops = &ops, .ndof = 1, .prescribed.fn = f}),
          NSDS_ERROR_ARGUMENT, "mine", "prescribed.fn is given");
}

/* More prescribed ones than there are is seen before the list is read that far. */
static void prescribed_more_than_there_are(void **state) {
  (void)state;
  int *first = calloc(1, sizeof *first);
  REFUSED(nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                                                      .mass = one,
                                                                      .prescribed.n = INT_MAX,
                                                                      .prescribed.index = first,
                                                                      .prescribed.fn = f}),
          NSDS_ERROR_SIZE, "prescribed.n is 2147483647", "ndof = 2");
  free(first);
}

static void systems_more_than_there_are(void **state) {
  (void)state;
  nsds_ds **ds = calloc(1, sizeof(nsds_ds *));
  ds[0] = nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = one});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = one});
  REFUSED(nsds_connect(model, gap, nsds_equality(model), INT_MAX, ds), NSDS_ERROR_SIZE,
          "nds is 2147483647", "1 systems");
  REFUSED(nsds_balls(model, &(nsds_balls_def){.law = nsds_newton_impact(model, 0.5),
                                              .count = INT_MAX,
                                              .ds = ds,
                                              .dimension = 2,
                                              .radius = 1.0,
                                              .pairs = true}),
          NSDS_ERROR_VALUE, "count is", "[1, 1]");
  free(ds);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void *take_little(size_t size, void *user) {
  (void)user;
  return size > ((size_t)1 << 26) ? NULL : malloc(size);
}

static void give(void *memory, void *user) {
  (void)user;
  free(memory);
}

static void shortage_of_memory_names_object_and_field(void **state) {
  (void)state;
  nsds_context *context =
      nsds_context_create(&(nsds_context_def){.alloc = take_little, .release = give});
  nsds_model *mine = nsds_model_create(context), *theirs = model;
  model = mine;
  REFUSED(nsds_lagrangian(
              model, &(nsds_lagrangian_def){.name = "bob", .ndof = 1, .mass = one, .nz = INT_MAX}),
          NSDS_ERROR_MEMORY, "system 'bob'", "nz parameters", "2147483648 elements");
  REFUSED(nsds_first_order_linear(
              model, &(nsds_first_order_linear_def){.name = "tank", .n = 1, .nz = INT_MAX}),
          NSDS_ERROR_MEMORY, "system 'tank'", "nz parameters", "2147483647 elements");
  REFUSED(nsds_lagrangian_linear_relation(
              model,
              &(nsds_lagrangian_linear_relation_def){
                  .name = "gap", .ny = 1, .nq = 1, .H = one, .nz = INT_MAX}),
          NSDS_ERROR_MEMORY, "gap", "nz parameters", "2147483647 elements");
  REFUSED(nsds_first_order(model, &(nsds_first_order_def){.name = "tank", .n = INT_MAX}),
          NSDS_ERROR_SIZE, "system 'tank'", "2147483647 x 2147483647");
  model = theirs;
  nsds_model_destroy(mine);
  nsds_context_destroy(context);
}

/* ---- Jacobians ------------------------------------------------------------------------------- */

static int steep(const nsds_arguments *in, double *out, void *user) { /* differences overflow */
  (void)user;
  out[0] = in->q[0] > 0.0 ? 1.7e308 : in->q[0] < 0.0 ? -1.7e308 : 0.0;
  return 0;
}

static void jacobians_at_no_time(void **state) {
  (void)state;
  nsds_lagrangian(model, &(nsds_lagrangian_def){.name = "cart",
                                                .ndof = 1,
                                                .mass = one,
                                                .fint.fn = steep,
                                                .fint.jac_q_fn = f,
                                                .fint.jac_v_fn = nsds_zero});
  nsds_context *context = nsds_model_context(model);
  const struct {
    double t, tolerance;
    const char *word;
  } cases[] = {{NAN, 0.0, "t[0] is nan"},
               {INFINITY, 0.0, "t[0] is inf"},
               {0.0, NAN, "tolerance is nan"},
               {0.0, -1.0, "tolerance is -1"},
               {0.0, INFINITY, "tolerance is inf"},
               {0.0, 0.0, "fint.jac_q_fn[0,0] is 1, central differences give"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    assert_int_equal(nsds_check_jacobians(model, cases[k].t, cases[k].tolerance, NULL),
                     NSDS_ERROR_VALUE);
    assert_words(nsds_last_message(context), &cases[k].word, 1);
    nsds_error_clear(context);
  }
}

/* A type that never says that there are no more pairs, or gives one that is none. */
static bool endless_pairs(void *self, int k, nsds_jacobian_pair *pair) {
  (void)self, (void)k;
  *pair = (nsds_jacobian_pair){"endless", f, f, NSDS_WRT_Q, 1, NULL};
  return true;
}

static bool empty_pair(void *self, int k, nsds_jacobian_pair *pair) {
  (void)self, (void)pair;
  return k == 0;
}

static void jacobian_pairs_that_are_none(void **state) {
  (void)state;
  static const nsds_second_order_ops endless = {
      .type = "endless", .mass = nothing, .force = nothing, .jacobian_pair = endless_pairs};
  static const nsds_second_order_ops empty = {
      .type = "empty", .mass = nothing, .force = nothing, .jacobian_pair = empty_pair};
  nsds_custom_second_order(model, &(nsds_custom_second_order_def){.ops = &empty, .ndof = 1});
  assert_int_equal(nsds_check_jacobians(model, 0.0, 0.0, NULL), NSDS_ERROR_ARGUMENT);
  nsds_error_clear(nsds_model_context(model));
  nsds_model_destroy(model);
  model = nsds_model_create(NULL);
  nsds_custom_second_order(model, &(nsds_custom_second_order_def){.ops = &endless, .ndof = 1});
  assert_true(nsds_check_jacobians(model, 0.0, 0.0, NULL) < 0);
  assert_words(nsds_last_message(nsds_model_context(model)), ((const char *[]){"endless"}), 1);
}

/* ---- handles --------------------------------------------------------------------------------- */

static nsds_status find_none(void *self, double t, nsds_contacts *contacts) {
  (void)self, (void)t, (void)contacts;
  return NSDS_OK;
}

static void handle_of_a_destroyed_contact_set(void **state) {
  (void)state;
  static const nsds_geometry_ops ops = {.type = "none", .find = find_none};
  nsds_context *context = nsds_model_context(model);
  const nsds_custom_contact_set_def def = {
      .name = "pile", .ops = &ops, .law = nsds_newton_impact(model, 0.5)};
  nsds_contact_set *gone = nsds_custom_contact_set(model, &def);
  assert_ok(model, nsds_contact_set_destroy(gone));
  nsds_contact_info info;
  const char *word = "the contact set was destroyed";
  for (int k = 0; k < 100; ++k) { /* whether or not another one is in its place */
    nsds_contact_set *set = k % 2 ? nsds_custom_contact_set(model, &def) : NULL;
    assert_int_equal(nsds_contact_set_destroy(gone), NSDS_ERROR_ARGUMENT);
    assert_words(nsds_error_message(context), &word, 1);
    nsds_error_clear(context);
    assert_int_equal(nsds_contact_set_get(gone, 0, &info), NSDS_ERROR_ARGUMENT);
    assert_words(nsds_error_message(context), &word, 1);
    nsds_error_clear(context);
    assert_int_equal(nsds_contact_set_count(gone), 0);
    assert_words(nsds_error_message(context), &word, 1);
    nsds_error_clear(context);
    if (set) assert_ok(model, nsds_contact_set_destroy(set));
  }
  assert_int_equal(nsds_contact_set_count(NULL), 0);
  assert_sound(model);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(normal_cone_to_an_empty_polyhedron),
      TEST(normal_cone_of_33_rows),
      TEST(slope_whose_inverse_overflows),
      TEST(impact_between_first_order_systems),
      TEST(parameters_without_a_count),
      TEST(prescribed_without_a_count),
      TEST(prescribed_more_than_there_are),
      TEST(systems_more_than_there_are),
      TEST(shortage_of_memory_names_object_and_field),
      TEST(jacobians_at_no_time),
      TEST(jacobian_pairs_that_are_none),
      TEST(handle_of_a_destroyed_contact_set),
  };
  return cmocka_run_group_tests_name("kernel.meaningless", tests, NULL, NULL);
}
