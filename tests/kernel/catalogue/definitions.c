/*
 * Definitions that cannot be: none at all, operations that do not go together, Jacobians of functions that are
 * not there, matrices that are not matrices. Each call returns NULL or a status, names what is wrong, and leaves
 * a model in which a sound definition still goes.
 */
#include "support.h"

#include <limits.h>

static void refused(nsds_model *model, const void *made, const char *word, const char *other) {
  nsds_context *context = nsds_model_context(model);
  const char *const words[] = {word, other};
  if (made) fail_msg("'%s' was accepted", word);
  assert_int_not_equal(nsds_error(context), NSDS_OK);
  assert_words(nsds_error_message(context), words, 2);
  nsds_error_clear(context);
}

static void still_sound(nsds_model *model) {
  assert_non_null(nsds_equality(model));
  assert_sound(model);
  nsds_model_destroy(model);
}

/* ---- none ---- */

static void no_model(const void *made, const char *call) {
  const char *const words[] = {call, "model is NULL"};
  assert_null(made);
  assert_words(nsds_error_message(NULL), words, 2);
}

#define NONE(model, call)                                                                          \
  do {                                                                                             \
    refused(model, call(model, NULL), #call, "def is NULL");                                       \
    no_model(call(NULL, NULL), #call);                                                             \
  } while (0)

static void definitions_that_are_null(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  NONE(m, nsds_lagrangian);
  NONE(m, nsds_lagrangian_linear);
  NONE(m, nsds_rigid_body);
  NONE(m, nsds_rigid_body_2d);
  NONE(m, nsds_first_order);
  NONE(m, nsds_first_order_linear);
  NONE(m, nsds_first_order_linear_relation);
  NONE(m, nsds_first_order_relation);
  NONE(m, nsds_mixed_linear_relation);
  NONE(m, nsds_mixed_relation);
  NONE(m, nsds_lagrangian_linear_relation);
  NONE(m, nsds_lagrangian_relation);
  NONE(m, nsds_joint);
  NONE(m, nsds_contact_relation);
  NONE(m, nsds_sphere_plane_relation);
  NONE(m, nsds_sphere_sphere_relation);
  NONE(m, nsds_sensor_create);
  NONE(m, nsds_balls);
  NONE(m, nsds_spheres);
  NONE(m, nsds_shapes);
  NONE(m, nsds_custom_contact_set);
  NONE(m, nsds_distributing_impact);
  NONE(m, nsds_newton_impact_friction);
  NONE(m, nsds_fremond_impact_friction);
  NONE(m, nsds_newton_impact_rolling);
  const double one = 1.0;
  refused(m, nsds_normal_cone(m, 1, 1, NULL, &one), "nsds_normal_cone", "H is NULL");
  refused(m, nsds_normal_cone(m, 1, 1, &one, NULL), "nsds_normal_cone", "K is NULL");
  still_sound(m);
}

/* ---- relations ---- */

static nsds_status number(void *self, const nsds_arguments *in, double *out) {
  (void)self, (void)in;
  out[0] = 1.0;
  return NSDS_OK;
}

#define MIXED .output = number, .jacobian_q = number, .jacobian_v = number, .input = number

static const struct {
  const char *words;
  nsds_relation_ops ops;
  nsds_custom_relation_def def;
} relations[] = {
    {"mixed relations need", {.output = number}, {.mixed = true}},
    {"mixed relations need", {.output = number, .jacobian_q = number}, {.mixed = true}},
    {"mixed relations need",
     {.output = number, .jacobian_q = number, .jacobian_v = number},
     {.mixed = true}},
    {"mixed relations need", {MIXED}, {.mixed = true}},
    {"mixed relations need", {MIXED, .input_lambda = number}, {.mixed = true, .nx = 1}},
    {"excludes affine", {MIXED, .input_lambda = number}, {.mixed = true, .affine = true}},
    {"excludes affine", {MIXED, .input_lambda = number, .gradient_v = number}, {.mixed = true}},
    {"for mixed relations only", {MIXED, .input_lambda = number, .input_q = number}, {0}},
    {"for mixed relations only", {MIXED, .input_lambda = number, .input_v = number}, {0}},
    {"required operations", {.jacobian_q = number}, {0}},
    {"required operations", {.output = number}, {0}},
    {"go together", {.output = number, .jacobian_q = number, .input = number}, {0}},
    {"go together", {.output = number, .jacobian_q = number, .input_lambda = number}, {0}},
    {"gradient_v excludes", {.output = number, .jacobian_q = number, .gradient_v = number}, {0}},
    {"gradient_v excludes", {.output = number, .gradient_v = number}, {.affine = true}},
    {"gradient_v excludes",
     {.output = number, .gradient_v = number, .input = number, .input_lambda = number},
     {0}},
    {"jacobian_lambda excludes",
     {.output = number, .jacobian_q = number, .jacobian_lambda = number},
     {.affine = true}},
    {"jacobian_lambda excludes",
     {.output = number, .jacobian_q = number, .jacobian_lambda = number, .feedthrough = number},
     {0}},
    {"impulsive excludes",
     {.output = number, .jacobian_q = number},
     {.impulsive = true, .affine = true}},
    {"impulsive excludes",
     {.output = number, .jacobian_q = number, .jacobian_lambda = number},
     {.impulsive = true}},
    {"impulsive excludes",
     {.output = number, .jacobian_q = number, .input = number, .input_lambda = number},
     {.impulsive = true}},
    {"jacobian_t excludes",
     {.output = number, .jacobian_q = number, .jacobian_t = number},
     {.affine = true}},
    {"bias excludes", {.output = number, .jacobian_q = number, .bias = number}, {.affine = true}},
    {"bias excludes",
     {.output = number,
      .jacobian_q = number,
      .bias = number,
      .input = number,
      .input_lambda = number},
     {0}},
    {"nv", {.output = number, .jacobian_q = number}, {.nv = -1}},
    {"nx", {.output = number, .jacobian_q = number}, {.nx = -1}},
    {"its Jacobian", {.output = number, .jacobian_q = number}, {.ny = 1 << 16, .nq = 1 << 16}},
    {"its gradient", {.output = number, .jacobian_q = number}, {.ny = 1 << 16, .nv = 1 << 16}},
    {"its D", {.output = number, .jacobian_q = number, .feedthrough = number}, {.ny = 1 << 16}},
    {"its input's Jacobian",
     {.output = number,
      .jacobian_q = number,
      .input = number,
      .input_lambda = number,
      .input_x = number},
     {.nq = 1 << 16}},
    {"its input's Jacobian",
     {MIXED, .jacobian_x = number, .input_lambda = number, .input_q = number},
     {.mixed = true, .nx = INT_MAX}},
};

static void relations_that_cannot_be(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  for (size_t k = 0; k < sizeof relations / sizeof *relations; ++k) {
    nsds_relation_ops ops = relations[k].ops;
    nsds_custom_relation_def def = relations[k].def;
    ops.type = "odd";
    def.ops = &ops;
    if (def.ny == 0) def.ny = 1;
    if (def.nq == 0) def.nq = 1;
    refused(m, nsds_custom_relation(m, &def), "odd", relations[k].words);
  }
  still_sound(m);
}

/* ---- systems ---- */

static nsds_status move(void *self, const nsds_arguments *in, const double *step, double *q) {
  (void)self;
  q[0] = in->q[0] + step[0];
  return NSDS_OK;
}

static const nsds_matrix_shape here = {.present = true},
                               constant = {.present = true, .constant = true};

static void systems_that_cannot_be(void **state) {
  (void)state;
  static const int p[] = {0, 1}, above[] = {0, 1, 0}, i[] = {0}, far[] = {1}, late[] = {1, 1};
  const struct {
    const char *words;
    nsds_second_order_ops ops;
    nsds_custom_second_order_def def;
  } rows[] = {
      {"required operations", {.mass = number}, {0}},
      {"required operations", {.force = number}, {0}},
      {"required operations", {.mass = number, .force = number}, {.damping = here}},
      {"required operations", {.mass = number, .force = number}, {.stiffness = here}},
      {"affine needs constant", {.mass = number, .force = number}, {.affine = true}},
      {"affine needs constant",
       {.mass = number, .force = number, .damping = number},
       {.affine = true, .mass = constant, .damping = here}},
      {"affine needs constant",
       {.mass = number, .force = number, .stiffness = number},
       {.affine = true, .mass = constant, .stiffness = here}},
      {"go together", {.mass = number, .force = number, .velocity_map = number}, {0}},
      {"go together", {.mass = number, .force = number, .advance = move}, {0}},
      {"go together", {.mass = number, .force = number}, {.nq = 2}},
      {"explicit_force excludes",
       {.mass = number, .force = number},
       {.explicit_force = true, .affine = true, .mass = constant}},
      {"explicit_force excludes",
       {.mass = number, .force = number, .damping = number},
       {.explicit_force = true, .damping = here}},
      {"explicit_force excludes",
       {.mass = number, .force = number, .stiffness = number},
       {.explicit_force = true, .stiffness = here}},
      {"affine excludes velocity_map",
       {.mass = number, .force = number, .velocity_map = number, .advance = move},
       {.affine = true, .mass = constant}},
      {"mass", {.mass = number, .force = number}, {.mass = {.present = true, .p = p}}},
      {"mass", {.mass = number, .force = number}, {.mass = {.present = true, .i = i}}},
      {"mass", {.mass = number, .force = number}, {.mass = {.present = true, .p = late, .i = i}}},
      {"mass", {.mass = number, .force = number}, {.mass = {.present = true, .p = p, .i = far}}},
      {"mass",
       {.mass = number, .force = number},
       {.ndof = 2, .mass = {.present = true, .p = above, .i = i}}},
      {"damping",
       {.mass = number, .force = number, .damping = number},
       {.mass = constant, .damping = {.present = true, .p = p}}},
      {"stiffness",
       {.mass = number, .force = number, .stiffness = number},
       {.mass = constant, .stiffness = {.present = true, .p = p}}},
      {"its velocity map",
       {.mass = number, .force = number, .velocity_map = number, .advance = move},
       {.ndof = 1 << 16, .nq = 1 << 16}},
  };
  nsds_model *m = nsds_model_create(NULL);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    nsds_second_order_ops ops = rows[k].ops;
    nsds_custom_second_order_def def = rows[k].def;
    ops.type = "odd";
    def.ops = &ops;
    if (def.ndof == 0) def.ndof = 1;
    if (!def.mass.present) def.mass = here;
    refused(m, nsds_custom_second_order(m, &def), "odd", rows[k].words);
  }
  still_sound(m);
}

static nsds_status made(nsds_integration *s) { return (void)s, NSDS_OK; }
static void applied(const nsds_integration *s, int nrhs, double *b) {
  (void)s, (void)nrhs, (void)b;
}

static void integrators_that_cannot_be(void **state) {
  (void)state;
#define ODD .name = "odd", .order = 2
  static const nsds_integrator rows[] = {
      {.order = 2, .refresh = made, .free = made, .apply = applied, .advance = made},
      {ODD, .free = made, .apply = applied, .advance = made},
      {ODD, .refresh = made, .apply = applied, .advance = made},
      {ODD, .refresh = made, .free = made, .advance = made},
      {ODD, .refresh = made, .free = made, .apply = applied},
      {ODD, .refresh = made, .free = made, .apply = applied, .advance = made, .evaluate = made},
      {ODD, .refresh = made, .free = made, .apply = applied, .advance = made, .tangent = made},
      {ODD, .refresh = made, .free = made, .apply = applied, .advance = made, .solve = made},
      {ODD, .refresh = made, .free = made, .apply = applied, .advance = made, .evaluate = made,
       .tangent = made},
      {.order = 1, .refresh = made, .free = made, .apply = applied}};
#undef ODD
  nsds_model *m = nsds_model_create(NULL);
  const double mass = 1.0;
  nsds_ds *ds = nsds_lagrangian_linear(m, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &mass});
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    assert_int_equal(nsds_ds_set_integrator(ds, &rows[k]), NSDS_ERROR_ARGUMENT);
    refused(m, NULL, "nsds_ds_set_integrator", k == 9 ? "of order 1" : "required operations");
  }
  still_sound(m);
}

/* ---- functions and matrices of the built-in types ---- */

static int nothing(const nsds_arguments *in, double *out, void *user) {
  return (void)in, (void)out, (void)user, 0;
}

static void parts_that_do_not_fit(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  const double one = 1.0;
  const nsds_lagrangian_def lagrangian[] = {
      {.nnl.jac_q_fn = nothing},        {.nnl.jac_v_fn = nothing},
      {.fint.jac_q_fn = nothing},       {.fint.jac_v_fn = nothing},
      {.control.jac_q_fn = nothing},    {.control.jac_v_fn = nothing},
      {.control.jac_map_q_fn = nothing}};
  static const char *const of[] = {"NNL", "NNL", "F_int", "F_int", "control", "control", "control"};
  for (size_t k = 0; k < sizeof lagrangian / sizeof *lagrangian; ++k) {
    nsds_lagrangian_def def = lagrangian[k];
    def.ndof = 1;
    def.mass = &one;
    refused(m, nsds_lagrangian(m, &def), "a Jacobian of", of[k]);
  }
  const nsds_first_order_def first[] = {{.control.jac_x_fn = nothing},
                                        {.control.jac_xdot_fn = nothing},
                                        {.control.jac_map_x_fn = nothing}};
  for (size_t k = 0; k < sizeof first / sizeof *first; ++k) {
    nsds_first_order_def def = first[k];
    def.n = 1;
    def.f_fn = nothing;
    def.jac_f_x_fn = nothing;
    refused(m, nsds_first_order(m, &def), "control", "given");
  }
  static const int p[] = {0, 1}, i[] = {0};
  const nsds_csc sound = {.nrow = 1, .ncol = 1, .p = p, .i = i, .x = &one};
  const nsds_csc wrong[] = {{.nrow = 2, .ncol = 1, .p = p, .i = i, .x = &one},
                            {.nrow = 1, .ncol = 2, .p = p, .i = i, .x = &one},
                            {.nrow = 1, .ncol = 1, .p = p, .x = &one},
                            {.nrow = 1, .ncol = 1, .p = p, .i = i}};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    nsds_lagrangian_linear_def def = {.ndof = 1, .mass_sparse = &wrong[k]};
    refused(m, nsds_lagrangian_linear(m, &def), "nsds_lagrangian_linear", "mass_sparse");
    def =
        (nsds_lagrangian_linear_def){.ndof = 1, .mass_sparse = &sound, .damping_sparse = &wrong[k]};
    refused(m, nsds_lagrangian_linear(m, &def), "nsds_lagrangian_linear", "damping_sparse");
    def = (nsds_lagrangian_linear_def){
        .ndof = 1, .mass_sparse = &sound, .stiffness_sparse = &wrong[k]};
    refused(m, nsds_lagrangian_linear(m, &def), "nsds_lagrangian_linear", "stiffness_sparse");
  }
  still_sound(m);
}

/* ---- a law whose block loses its arrays ---- */

typedef struct region {
  const double *lower, *upper, *H, *K;
} region;

static void box(void *self, nsds_block *block) {
  const region *r = self;
  block->set = NSDS_SET_BOX;
  block->lower = r->lower;
  block->upper = r->upper;
}

static void polyhedron(void *self, nsds_block *block) {
  const region *r = self;
  block->set = NSDS_SET_POLYHEDRON;
  block->nfacet = 1;
  block->H = r->H;
  block->K = r->K;
}

static void blocks_that_lose_their_arrays(void **state) {
  (void)state;
  static const double low = -1.0, high = 1.0;
  static const nsds_law_ops ops[] = {{.type = "own box", .block = box},
                                     {.type = "own polyhedron", .block = polyhedron}};
  for (int missing = 0; missing < 4; ++missing) {
    nsds_model *m = nsds_model_create(NULL);
    region r = {&low, &high, &high, &low};
    const double mass = 1.0;
    nsds_ds *ds = nsds_lagrangian_linear(
        m, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &mass, .fext = &high});
    nsds_relation *along = nsds_lagrangian_linear_relation(
        m, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = &high});
    nsds_law *law = nsds_custom_law(
        m, &(nsds_custom_law_def){.ops = &ops[missing / 2], .self = &r, .level = NSDS_LEVEL_FORCE});
    nsds_connect(m, along, law, 1, &ds);
    nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1});
    assert_sound(m);
    assert_ok(m, nsds_step(s));
    const region whole = r;
    if (missing == 0) r.lower = NULL;
    if (missing == 1) r.upper = NULL;
    if (missing == 2) r.H = NULL;
    if (missing == 3) r.K = NULL;
    assert_ok(m, nsds_simulation_set_h(s, 0.05)); /* the block of the impulse is another one */
    assert_int_equal(nsds_step(s), NSDS_ERROR_CALLBACK);
    refused(m, NULL, ops[missing / 2].type, "without its arrays");
    r = whole;
    assert_ok(m, nsds_step(s));
    nsds_model_destroy(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(definitions_that_are_null), cmocka_unit_test(relations_that_cannot_be),
      cmocka_unit_test(systems_that_cannot_be),    cmocka_unit_test(integrators_that_cannot_be),
      cmocka_unit_test(parts_that_do_not_fit),     cmocka_unit_test(blocks_that_lose_their_arrays),
  };
  return cmocka_run_group_tests_name("kernel.definitions", tests, NULL, NULL);
}
