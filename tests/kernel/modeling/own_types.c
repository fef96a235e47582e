/*
 * Operations of users' types that fail in every way: results that are not finite, negative
 * statuses with and without a report, statuses that are none, requests to stop. Each leaves the
 * model as it was, with a message that names object and operation, and the next step succeeds.
 */
#include "support.h"

#include <nsds/contact.h>

/* ---- faults ---------------------------------------------------------------------------------- */

typedef enum fault_kind {
  sound,
  writes_nan,
  writes_inf,
  silent,
  unknown,
  again,
  end,
  odd,
  stop,
  report
} fault_kind;

static const struct {
  nsds_status status; /* what the library makes of it */
  const char *word;   /* in its message */
} expected[] = {[sound] = {NSDS_OK, NULL},
                [writes_nan] = {NSDS_ERROR_CALLBACK, "nan"},
                [writes_inf] = {NSDS_ERROR_CALLBACK, "inf"},
                [silent] = {NSDS_ERROR_VALUE, "returned -4"},
                [unknown] = {NSDS_ERROR_CALLBACK, "returned -100"},
                [again] = {NSDS_ERROR_CALLBACK, "returned 3"},
                [end] = {NSDS_ERROR_CALLBACK, "returned 1"},
                [odd] = {NSDS_ERROR_CALLBACK, "returned 77"},
                [stop] = {NSDS_STOPPED, "asked to stop"},
                [report] = {NSDS_ERROR_VALUE, "because of the weather"}};

static struct fault {
  const char *operation;
  fault_kind how;
  nsds_context *context;
} armed;

static nsds_status failing(const char *operation, double *out) {
  if (!armed.operation || strcmp(armed.operation, operation) != 0) return NSDS_OK;
  switch (armed.how) {
  case sound: break;
  case writes_nan: out[0] = NAN; break;
  case writes_inf: out[0] = INFINITY; break;
  case silent: return NSDS_ERROR_VALUE;
  case unknown: return (nsds_status)-100;
  case again: return NSDS_AGAIN;
  case end: return NSDS_END;
  case odd: return (nsds_status)77;
  case stop: return NSDS_STOPPED;
  case report:
    return nsds_report(armed.context, NSDS_ERROR_VALUE, "%s: because of the weather", operation);
  }
  return NSDS_OK;
}

/* ---- types whose operations are those of constants ------------------------------------------- */

static nsds_status fill(const char *operation, double *out, int n, double value) {
  for (int k = 0; k < n; ++k) out[k] = value;
  return failing(operation, out);
}

/* Two bodies of mass 1, the second with a prescribed velocity. */
static nsds_status identity(const char *operation, double *out) {
  for (int k = 0; k < 4; ++k) out[k] = k % 3 == 0;
  return failing(operation, out);
}

#define OPERATION(name, ...)                                                                       \
  static nsds_status name(void *self, const nsds_arguments *in, double *out) {                     \
    (void)self, (void)in;                                                                          \
    return __VA_ARGS__;                                                                            \
  }
OPERATION(mass, identity("mass", out))
OPERATION(force, fill("force", out, 2, -1.0))
OPERATION(damping, fill("damping", out, 4, 0.0))
OPERATION(stiffness, fill("stiffness", out, 4, 0.0))
OPERATION(velocity_map, identity("velocity_map", out))
OPERATION(prescribed, fill("prescribed", out, 1, 0.5))
OPERATION(rhs, fill("rhs", out, 2, -1.0))
OPERATION(jacobian, fill("jacobian", out, 4, 0.0))
OPERATION(jacobian_t, fill("jacobian_t", out, 1, 0.0))
OPERATION(jacobian_lambda, fill("jacobian_lambda", out, 1, 0.25))
OPERATION(feedthrough, fill("feedthrough", out, 1, 0.25))
OPERATION(input_x, fill("input_x", out, 4, 0.0))

static nsds_status advance(void *self, const nsds_arguments *in, const double *step, double *q) {
  (void)self;
  for (int k = 0; k < 2; ++k) q[k] = in->q[k] + step[k];
  return failing("advance", q);
}

/* y = q_0 - 1, dy/dq_0 = 1 */
static nsds_status output(void *self, const nsds_arguments *in, double *y) {
  (void)self;
  y[0] = in->nq > 0 ? in->q[0] - 1.0 : in->x[0] - 1.0;
  return failing("output", y);
}

static nsds_status output_compliant(void *self, const nsds_arguments *in, double *y) {
  (void)self;
  y[0] = (in->nq > 0 ? in->q[0] : in->x[0]) - 1.0 + 0.25 * in->lambda[0];
  return failing("output", y);
}

static nsds_status row(const char *operation, double *out) {
  out[0] = 1.0;
  out[1] = 0.0;
  return failing(operation, out);
}
OPERATION(jacobian_q, row("jacobian_q", out))
OPERATION(gradient_v, row("gradient_v", out))
OPERATION(input_lambda, row("input_lambda", out))

static nsds_status input(void *self, const nsds_arguments *in, double *r) {
  (void)self;
  r[0] = in->lambda[0];
  r[1] = 0.0;
  return failing("input", r);
}

static const nsds_second_order_ops second = {.type = "second",
                                             .mass = mass,
                                             .force = force,
                                             .damping = damping,
                                             .stiffness = stiffness,
                                             .velocity_map = velocity_map,
                                             .advance = advance,
                                             .prescribed = prescribed};
static const nsds_first_order_ops first = {
    .type = "first", .mass = mass, .rhs = rhs, .jacobian = jacobian};

#define SECOND                                                                                     \
  { "mass", "force", "damping", "stiffness", "velocity_map", "advance", "prescribed" }
#define FIRST                                                                                      \
  { "mass", "rhs", "jacobian" }

static const struct {
  int order;
  nsds_relation_ops relation;
  const char *of_system[8], *of_relation[8];
} scenes[] = {{2,
               {.type = "rigid",
                .output = output,
                .jacobian_q = jacobian_q,
                .jacobian_t = jacobian_t,
                .feedthrough = feedthrough},
               SECOND,
               {"output", "jacobian_q", "jacobian_t", "feedthrough"}},
              {2,
               {.type = "frame", .output = output, .gradient_v = gradient_v},
               {"mass", "force", "damping", "stiffness", "advance", "prescribed"},
               {"output", "gradient_v"}},
              {2,
               {.type = "compliant",
                .output = output_compliant,
                .jacobian_q = jacobian_q,
                .jacobian_lambda = jacobian_lambda},
               SECOND,
               {"output", "jacobian_q", "jacobian_lambda"}},
              {1,
               {.type = "of states",
                .output = output_compliant,
                .jacobian_q = jacobian_q,
                .jacobian_lambda = jacobian_lambda,
                .input = input,
                .input_lambda = input_lambda,
                .input_x = input_x},
               FIRST,
               {"output", "jacobian_q", "jacobian_lambda", "input", "input_lambda", "input_x"}}};

static nsds_ds *create_system(nsds_model *model, int order) {
  const double start[2] = {1.0, 0.0}, zero[2] = {0.0, 0.5};
  const nsds_matrix_shape full = {.present = true};
  if (order == 1)
    return nsds_custom_first_order(
        model,
        &(nsds_custom_first_order_def){
            .ops = &first, .name = "plant", .n = 2, .x0 = start, .mass = full, .jacobian = full});
  return nsds_custom_second_order(model,
                                  &(nsds_custom_second_order_def){.ops = &second,
                                                                  .name = "plant",
                                                                  .ndof = 2,
                                                                  .q0 = start,
                                                                  .v0 = zero,
                                                                  .damping = full,
                                                                  .stiffness = full,
                                                                  .prescribed.n = 1,
                                                                  .prescribed.index = (int[]){1}});
}

static nsds_simulation *create_scene(nsds_model *model, int k) {
  nsds_ds *ds = create_system(model, scenes[k].order);
  nsds_relation *relation = nsds_custom_relation(
      model, &(nsds_custom_relation_def){
                 .ops = &scenes[k].relation, .name = "tie", .ny = 1, .nq = 2, .nv = 2});
  nsds_connect(model, relation, nsds_equality(model), 1, &ds);
  nsds_simulation *s = nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = 1.0,
                                       .h = 1e-2,
                                       .first_order = nsds_euler_moreau(1.0),
                                       .second_order = nsds_moreau_jean(1.0, 1.0)});
  assert_sound(model);
  return s;
}

static void one_fault(int scene, const char *object, const char *operation, fault_kind how) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_context *context = nsds_model_context(model);
  nsds_simulation *s = create_scene(model, scene);
  for (int k = 0; k < 2; ++k) assert_ok(model, nsds_step(s));
  snapshot before = snapshot_take(model);
  armed = (struct fault){operation, how, context};
  nsds_status status = nsds_step(s);
  armed.operation = NULL;
  if (status != expected[how].status)
    fail_msg("scene %d, %s, %d: %d (%s)", scene, operation, (int)how, (int)status,
             nsds_last_message(context));
  assert_words(nsds_last_message(context),
               ((const char *[]){how == report ? NULL : object, operation, expected[how].word}), 3);
  assert_int_equal(nsds_error(context), status < 0 ? status : NSDS_OK);
  snapshot_check(&before, model, operation);
  snapshot_free(&before);
  nsds_error_clear(context);
  assert_ok(model, nsds_step(s));
  nsds_model_destroy(model);
}

static void faults_of_operations_are_named(void **state) {
  (void)state;
  for (int scene = 0; scene < (int)(sizeof scenes / sizeof *scenes); ++scene)
    for (fault_kind how = writes_nan; how <= report; ++how) {
      for (const char *const *name = scenes[scene].of_system; *name; ++name)
        one_fault(scene, "system 'plant'", *name, how);
      for (const char *const *name = scenes[scene].of_relation; *name; ++name)
        one_fault(scene, "relation 'tie'", *name, how);
    }
}

/* An error that stands in the context already does not hide that an operation said nothing. */
static void silent_failure_behind_an_older_error(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_context *context = nsds_model_context(model);
  nsds_simulation *s = create_scene(model, 0);
  assert_status(model, nsds_report(context, NSDS_ERROR_IO, "older"), NSDS_ERROR_IO);
  armed = (struct fault){"force", silent, context};
  assert_int_equal(nsds_step(s), NSDS_ERROR_VALUE);
  armed.operation = NULL;
  assert_words(nsds_last_message(context), ((const char *[]){"system 'plant'", "force"}), 2);
  nsds_model_destroy(model);
}

/* A retry in pieces does not help against a request to stop, and is not tried. */
static void stop_is_not_halved(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  create_scene(model, 0);
  nsds_simulation *s = nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = 1.0,
                                       .h = 1e-2,
                                       .first_order = nsds_euler_moreau(1.0),
                                       .second_order = nsds_moreau_jean(1.0, 1.0),
                                       .max_halvings = 3});
  armed = (struct fault){"force", stop, nsds_model_context(model)};
  assert_int_equal(nsds_run(s), NSDS_STOPPED);
  armed.operation = NULL;
  assert_int_equal(nsds_run(s), NSDS_END);
  nsds_model_destroy(model);
}

/* ---- definitions ----------------------------------------------------------------------------- */

static int destroyed;
static void count_destroy(void *self) {
  (void)self;
  ++destroyed;
}

static void refuse(nsds_model *model, const void *object, nsds_status status, const char *word) {
  nsds_context *context = nsds_model_context(model);
  assert_null(object);
  assert_int_equal(nsds_error(context), status);
  assert_words(nsds_error_message(context), &word, 1);
  nsds_error_clear(context);
}

static void patterns_out_of_range_are_refused(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_second_order_ops ops = {
      .type = "mine", .mass = mass, .force = force, .destroy = count_destroy};
  int starts[3] = {0, 1, 2}, index[2] = {0, 1};
  nsds_custom_second_order_def def = {
      .ops = &ops, .ndof = 2, .mass = {.present = true, .p = starts, .i = index}};
  destroyed = 0;
  index[1] = 5;
  refuse(model, nsds_custom_second_order(model, &def), NSDS_ERROR_SIZE, "pattern of its mass");
  index[1] = -1;
  refuse(model, nsds_custom_second_order(model, &def), NSDS_ERROR_SIZE, "pattern of its mass");
  index[1] = 1;
  starts[1] = 500000;
  refuse(model, nsds_custom_second_order(model, &def), NSDS_ERROR_SIZE, "pattern of its mass");
  starts[1] = 1;
  starts[0] = -1;
  refuse(model, nsds_custom_second_order(model, &def), NSDS_ERROR_SIZE, "pattern of its mass");
  starts[0] = 0;
  def.mass.i = NULL;
  refuse(model, nsds_custom_second_order(model, &def), NSDS_ERROR_SIZE, "pattern of its mass");
  assert_int_equal(destroyed, 5);
  nsds_model_destroy(model);
  assert_int_equal(destroyed, 5);
}

static void affine_with_matrices_that_change_is_refused(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  const nsds_second_order_ops ops = {.type = "mine", .mass = mass, .force = force};
  refuse(model,
         nsds_custom_second_order(
             model, &(nsds_custom_second_order_def){.ops = &ops, .ndof = 2, .affine = true}),
         NSDS_ERROR_ARGUMENT, "constant");
  nsds_model_destroy(model);
}

static void types_without_a_name_are_refused(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  const nsds_second_order_ops nameless = {.mass = mass, .force = force};
  const nsds_first_order_ops nameless_first = {.rhs = rhs};
  const nsds_relation_ops nameless_relation = {.output = output, .jacobian_q = jacobian_q};
  const nsds_law_ops nameless_law = {0};
  const nsds_geometry_ops nameless_geometry = {0};
  refuse(
      model,
      nsds_custom_second_order(model, &(nsds_custom_second_order_def){.ops = &nameless, .ndof = 2}),
      NSDS_ERROR_ARGUMENT, "ops->type is NULL");
  refuse(model,
         nsds_custom_first_order(model,
                                 &(nsds_custom_first_order_def){.ops = &nameless_first, .n = 2}),
         NSDS_ERROR_ARGUMENT, "ops->type is NULL");
  refuse(model,
         nsds_custom_relation(
             model, &(nsds_custom_relation_def){.ops = &nameless_relation, .ny = 1, .nq = 2}),
         NSDS_ERROR_ARGUMENT, "ops->type is NULL");
  refuse(model, nsds_custom_law(model, &(nsds_custom_law_def){.ops = &nameless_law}),
         NSDS_ERROR_ARGUMENT, "ops->type is NULL");
  refuse(model,
         nsds_custom_contact_set(model, &(nsds_custom_contact_set_def){.ops = &nameless_geometry}),
         NSDS_ERROR_ARGUMENT, "ops->type is NULL");
  nsds_model_destroy(model);
}

/* An integrator of one's own sees the user's operations and self, not the library's guards. */
static void describe_shows_the_users_own(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  int self = 0;
  nsds_second_order_ops ops = {
      .type = "mine", .mass = mass, .force = force, .destroy = count_destroy};
  destroyed = 0;
  nsds_ds *ds = nsds_custom_second_order(
      model, &(nsds_custom_second_order_def){.ops = &ops, .self = &self, .ndof = 2});
  assert_non_null(ds);
  assert_ptr_equal(nsds_ds_describe(ds).second, &ops);
  assert_ptr_equal(nsds_ds_describe(ds).self, &self);
  nsds_model_destroy(model);
  assert_int_equal(destroyed, 1);
}

/* ---- laws ------------------------------------------------------------------------------------ */

static nsds_block given;
static void give_block(void *self, nsds_block *block) {
  (void)self;
  *block = given;
}

static nsds_status nowhere(void *self, double t, nsds_contacts *contacts) {
  (void)self, (void)t, (void)contacts;
  return NSDS_OK;
}

static void blocks_of_laws_are_checked(void **state) {
  (void)state;
  static const nsds_law_ops ops = {.type = "my law", .block = give_block};
  static const nsds_geometry_ops geometry = {.type = "mine", .find = nowhere};
  const double zero[3] = {0.0}, empty[2] = {1.0, 0.0}, H[2] = {1.0, -1.0}, wrong[3] = {NAN};
  const struct {
    int size;
    nsds_block block;
    const char *word;
  } cases[] = {
      {1, {.size = 1}, "set 0"},
      {1, {.set = (nsds_set_kind)3, .size = 1}, "set is 3"},
      {1, {.set = NSDS_SET_NONNEGATIVE, .size = 2}, "has 2 rows"},
      {1, {.set = NSDS_SET_NONNEGATIVE, .size = -1}, "has -1 rows"},
      {1, {.set = NSDS_SET_BOX, .size = 1, .lower = zero}, "upper is NULL"},
      {1, {.set = NSDS_SET_BOX, .size = 1, .lower = zero, .upper = wrong}, "upper[0] = nan"},
      {1, {.set = NSDS_SET_COULOMB, .size = 1}, "2 or 3"},
      {1, {.set = NSDS_SET_DISC, .size = 1, .radius = NAN}, "radius is nan"},
      {1, {.set = NSDS_SET_CONE, .size = 1, .mu = -1.0}, "mu is -1"},
      {33, {.set = NSDS_SET_CONE, .size = 33, .mu = 1.0}, "1 to 32"},
      {1, {.set = NSDS_SET_POLYHEDRON, .size = 1, .nfacet = 2, .H = H}, "K is NULL"},
      {1, {.set = NSDS_SET_POLYHEDRON, .size = 1, .nfacet = 2, .H = H, .K = empty}, "no point"},
      {1, {.set = NSDS_SET_POLYHEDRON, .size = 1, .nfacet = -1, .H = H, .K = H}, "nfacet is -1"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    double H_of[33] = {1.0}, mass_of[1] = {1.0};
    nsds_ds *ds =
        nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = mass_of});
    nsds_relation *relation = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){.ny = cases[k].size, .nq = 1, .H = H_of});
    nsds_law *law =
        nsds_custom_law(model, &(nsds_custom_law_def){.ops = &ops, .size = cases[k].size});
    given = cases[k].block;
    const char *words[] = {"my law", cases[k].word};
    assert_null(nsds_connect(model, relation, law, 1, &ds));
    assert_words(nsds_error_message(nsds_model_context(model)), words, 2);
    nsds_error_clear(nsds_model_context(model));
    assert_null(nsds_custom_contact_set(
        model, &(nsds_custom_contact_set_def){.ops = &geometry, .law = law}));
    assert_words(nsds_error_message(nsds_model_context(model)), words, 2);
    nsds_model_destroy(model);
  }
}

/* Room for scaled bounds is made once. */
static void block_that_grows_between_steps_is_refused(void **state) {
  (void)state;
  static const nsds_law_ops ops = {.type = "my law", .block = give_block};
  double one[1] = {1.0}, zero[1] = {0.0}, H[8] = {1, 1, 1, 1, 1, 1, 1, 1}, K[8] = {0};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds =
      nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = one});
  nsds_relation *relation = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = one});
  nsds_law *law =
      nsds_custom_law(model, &(nsds_custom_law_def){.ops = &ops, .level = NSDS_LEVEL_FORCE});
  given = (nsds_block){.set = NSDS_SET_BOX, .size = 1, .lower = zero, .upper = one};
  nsds_connect(model, relation, law, 1, &ds);
  nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-2});
  assert_sound(model);
  assert_ok(model, nsds_step(s));
  given = (nsds_block){.set = NSDS_SET_POLYHEDRON, .size = 1, .nfacet = 8, .H = H, .K = K};
  assert_ok(model, nsds_simulation_set_h(s, 5e-3));
  assert_int_equal(nsds_step(s), NSDS_ERROR_CALLBACK);
  assert_words(nsds_error_message(nsds_model_context(model)),
               ((const char *[]){"my law", "do not change"}), 2);
  nsds_error_clear(nsds_model_context(model));
  given = (nsds_block){.set = NSDS_SET_BOX, .size = 1, .lower = zero, .upper = one};
  assert_ok(model, nsds_step(s));
  nsds_model_destroy(model);
}

/* ---- integrators ----------------------------------------------------------------------------- */

static nsds_status bare_refresh(nsds_integration *s) {
  (void)s;
  return NSDS_OK;
}
static nsds_status bare_free(nsds_integration *s) {
  for (int k = 0; k < s->nu; ++k) s->u_free[k] = s->u[k];
  return failing("free", s->u_free);
}
static void bare_apply(const nsds_integration *s, int nrhs, double *b) {
  (void)s, (void)nrhs, (void)b;
}
static nsds_status bare_advance(nsds_integration *s) {
  for (int k = 0; k < s->nq; ++k) s->q_end[k] = s->q[k];
  return failing("advance", s->q_end);
}

static void faults_of_integrators_are_named(void **state) {
  (void)state;
  static const nsds_integrator bare = {.name = "bare",
                                       .order = 2,
                                       .refresh = bare_refresh,
                                       .free = bare_free,
                                       .apply = bare_apply,
                                       .advance = bare_advance};
  double one[1] = {1.0};
  const char *operations[] = {"free", "advance"};
  for (int o = 0; o < 2; ++o)
    for (fault_kind how = silent; how <= stop; ++how) {
      nsds_model *model = nsds_model_create(NULL);
      nsds_ds *ds = nsds_lagrangian_linear(
          model, &(nsds_lagrangian_linear_def){.name = "plant", .ndof = 1, .mass = one});
      assert_ok(model, nsds_ds_set_integrator(ds, &bare));
      nsds_simulation *s =
          nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-2});
      assert_ok(model, nsds_step(s));
      armed = (struct fault){operations[o], how, nsds_model_context(model)};
      assert_int_equal(nsds_step(s), expected[how].status);
      armed.operation = NULL;
      assert_words(nsds_last_message(nsds_model_context(model)),
                   ((const char *[]){"system 'plant'", operations[o], "'bare'"}), 3);
      nsds_error_clear(nsds_model_context(model));
      assert_ok(model, nsds_step(s));
      nsds_model_destroy(model);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(faults_of_operations_are_named),
      cmocka_unit_test(silent_failure_behind_an_older_error),
      cmocka_unit_test(stop_is_not_halved),
      cmocka_unit_test(patterns_out_of_range_are_refused),
      cmocka_unit_test(affine_with_matrices_that_change_is_refused),
      cmocka_unit_test(types_without_a_name_are_refused),
      cmocka_unit_test(describe_shows_the_users_own),
      cmocka_unit_test(blocks_of_laws_are_checked),
      cmocka_unit_test(block_that_grows_between_steps_is_refused),
      cmocka_unit_test(faults_of_integrators_are_named),
  };
  return cmocka_run_group_tests_name("kernel.own_types", tests, NULL, NULL);
}
