/*
 * Wrong uses of first-order systems, relations and laws: one row each, with the status and words of
 * the message. Afterwards the model of a running simulation is as it was, the error sticks until it
 * is cleared, and the run goes on as if nothing had happened.
 */
#include "support.h"

typedef struct world {
  nsds_model *model;
  nsds_ds *circuit, *pair, *mass; /* of order 1 with 2 states, 1 state and z, and of order 2 */
  nsds_relation *diode;           /* one row over the circuit */
  nsds_law *ideal;
  nsds_interaction *connection;
  nsds_simulation *simulation;
} world;

typedef struct misuse {
  const char *name;
  nsds_status (*commit)(world *w);
  nsds_status expected;
  const char *words[4];
} misuse;

static const double one[16] = {1.0, 0.0, 0.0, 1.0}, nan_4[4] = {1.0, 0.0, NAN, 1.0};
static const double thirty_three[33] = {1.0};
static const double inf_1[1] = {INFINITY}, nan_1[1] = {NAN};

static int f(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

static nsds_status made(const world *w, const void *object) {
  return object ? NSDS_OK : nsds_error(nsds_model_context(w->model));
}

static nsds_status connect(world *w, nsds_relation *relation, nsds_law *law, int n, nsds_ds *d0,
                           nsds_ds *d1) {
  return made(w, nsds_connect(w->model, relation, law, n, (nsds_ds *[]){d0, d1}));
}

static nsds_relation *over(world *w, int nx) {
  return nsds_first_order_linear_relation(
      w->model, &(nsds_first_order_linear_relation_def){
                    .name = "wide", .ny = 1, .nx = nx, .C = one, .B = one});
}

static nsds_relation *mechanical(world *w) {
  return nsds_lagrangian_linear_relation(
      w->model, &(nsds_lagrangian_linear_relation_def){.name = "gap", .ny = 1, .nq = 1, .H = one});
}

static nsds_relation *with_parameters(world *w) {
  return nsds_first_order_linear_relation(
      w->model,
      &(nsds_first_order_linear_relation_def){
          .name = "shifted", .ny = 1, .nx = 2, .nZ = 1, .nz = 2, .C = one, .B = one, .F = one});
}

/* A second model whose simulation is asked for; it goes with its own context's error. */
static nsds_status held(world *w, bool nonlinear_relation) {
  nsds_model *model = nsds_model_create(nsds_model_context(w->model));
  nsds_ds *ds = nonlinear_relation
                    ? nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1})
                    : nsds_first_order(
                          model, &(nsds_first_order_def){
                                     .name = "curved", .n = 1, .f_fn = f, .jac_f_x_fn = nsds_zero});
  if (nonlinear_relation)
    nsds_connect(model,
                 nsds_first_order_relation(
                     model, &(nsds_first_order_relation_def){.ny = 1,
                                                             .nx = 1,
                                                             .output_fn = f,
                                                             .jac_output_x_fn = f,
                                                             .input_fn = f,
                                                             .jac_input_lambda_fn = f}),
                 nsds_complementarity(model), 1, &ds);
  nsds_status status =
      made(w, nsds_time_stepping(model,
                                 &(nsds_time_stepping_def){
                                     .t1 = 1.0, .h = 0.1, .first_order = nsds_zero_order_hold()}));
  nsds_model_destroy(model);
  return status;
}

static nsds_status singular_at_once(world *w) {
  nsds_model *model = nsds_model_create(nsds_model_context(w->model));
  nsds_first_order_linear(model, &(nsds_first_order_linear_def){.name = "stuck",
                                                                .n = 2,
                                                                .mass = (double[]){1, 0, 0, 0},
                                                                .A = (double[]){1, 0, 1, 0}});
  nsds_status status =
      made(w, nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1}));
  nsds_model_destroy(model);
  return status;
}

/* 0 = -x_2 + 1 with x_2 = 0 at the start, which theta = 1/2 would carry on as 0, 2, 0, 2, ... */
static nsds_status algebraic_start(world *w) {
  nsds_model *model = nsds_model_create(nsds_model_context(w->model));
  nsds_first_order_linear(model, &(nsds_first_order_linear_def){.name = "node",
                                                                .n = 2,
                                                                .mass = (double[]){1, 0, 0, 0},
                                                                .A = (double[]){-1, 0, 1, -1},
                                                                .b = (double[]){0, 1}});
  nsds_status status =
      made(w, nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1}));
  nsds_model_destroy(model);
  return status;
}

#define SYSTEM(...) made(w, nsds_first_order(w->model, &(nsds_first_order_def){__VA_ARGS__}))
#define LINEAR(...)                                                                                \
  made(w, nsds_first_order_linear(w->model, &(nsds_first_order_linear_def){__VA_ARGS__}))
#define RELATION(...)                                                                              \
  made(w, nsds_first_order_linear_relation(w->model,                                               \
                                           &(nsds_first_order_linear_relation_def){__VA_ARGS__}))
#define CURVED(...)                                                                                \
  made(w, nsds_first_order_relation(w->model, &(nsds_first_order_relation_def){__VA_ARGS__}))
#define STEPPING(...)                                                                              \
  made(w, nsds_time_stepping(w->model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1, __VA_ARGS__}))
#define SPARSE(nrow, ncol, p, i) (&(nsds_csc){nrow, ncol, (int[])p, (int[])i, one})
#define LIST(...)                                                                                  \
  { __VA_ARGS__ }
#define W(...) __VA_ARGS__

/* clang-format off */
#define MISUSES(X)                                                                                 \
  X(system_def_null, ARGUMENT, W("nsds_first_order", "def is NULL"),                               \
    made(w, nsds_first_order(w->model, NULL)))                                                     \
  X(linear_def_null, ARGUMENT, W("nsds_first_order_linear", "def is NULL"),                        \
    made(w, nsds_first_order_linear(w->model, NULL)))                                              \
  X(n_zero, SIZE, W("nsds_first_order", "n is 0"), SYSTEM(.n = 0))                                 \
  X(linear_n_negative, SIZE, W("nsds_first_order_linear", "n is -2"), LINEAR(.n = -2))             \
  X(x0_nan, VALUE, W("x0[0] is nan"), SYSTEM(.n = 1, .x0 = nan_1))                                 \
  X(f_without_jacobian, ARGUMENT, W("f_fn", "jac_f_x_fn", "nsds_zero", "nsds_differences"),        \
    SYSTEM(.n = 1, .f_fn = f))                                                                     \
  X(jacobian_without_f, ARGUMENT, W("jac_f_x_fn", "without f_fn"), SYSTEM(.n = 1, .jac_f_x_fn = f))\
  X(two_masses, ARGUMENT, W("both mass and mass_fn"), SYSTEM(.n = 1, .mass = one, .mass_fn = f))   \
  X(mass_nan, VALUE, W("mass[2] is nan"), SYSTEM(.n = 2, .mass = nan_4))                           \
  X(control_without_map, ARGUMENT, W("control.n", "control.map_fn"),                                \
    SYSTEM(.n = 1, .control.n = 1, .control.fn = f))                                                \
  X(control_without_jacobian, ARGUMENT, W("control.fn", "control.jac_x_fn", "nsds_differences"),   \
    SYSTEM(.n = 1, .control.n = 1, .control.map = one, .control.fn = f))                            \
  X(linear_control_without_map, ARGUMENT, W("control.n", "control.map"),                            \
    LINEAR(.n = 1, .control.n = 1, .control.fn = f))                                                \
  X(control_without_size, ARGUMENT, W("control", "control.n is 0"),                                 \
    SYSTEM(.n = 1, .control.fn = f, .control.map_fn = f))                                          \
  X(control_negative, SIZE, W("control.n is -1"), SYSTEM(.n = 1, .control.n = -1))                   \
  X(z_nan, VALUE, W("z[0] is nan"), SYSTEM(.n = 1, .nz = 1, .z = nan_1))                           \
  X(two_matrices, ARGUMENT, W("more than one of A, A_sparse and A_fn"),                            \
    LINEAR(.n = 1, .A = one, .A_fn = f))                                                           \
  X(three_masses, ARGUMENT, W("more than one of mass, mass_sparse and mass_fn"),                   \
    LINEAR(.n = 1, .mass = one, .mass_fn = f))                                                     \
  X(two_inputs, ARGUMENT, W("both b and b_fn"), LINEAR(.n = 1, .b = one, .b_fn = f))               \
  X(matrix_nan, VALUE, W("A[2] is nan"), LINEAR(.n = 2, .A = nan_4))                               \
  X(input_inf, VALUE, W("b[0] is inf"), LINEAR(.n = 1, .b = inf_1))                                \
  X(sparse_shape, SIZE, W("A_sparse", "2"),                                                        \
    LINEAR(.n = 2, .A_sparse = SPARSE(3, 2, LIST(0, 1, 2), LIST(0, 1))))                           \
  X(sparse_row, SIZE, W("A_sparse"),                                                              \
    LINEAR(.n = 2, .A_sparse = SPARSE(2, 2, LIST(0, 1, 2), LIST(0, 2))))                           \
  X(sparse_starts, SIZE, W("A_sparse"),                                                           \
    LINEAR(.n = 2, .A_sparse = SPARSE(2, 2, LIST(0, 2, 1), LIST(0, 1))))                           \
  X(sparse_mass_order, SIZE, W("mass_sparse"),                                                    \
    LINEAR(.n = 2, .mass_sparse = SPARSE(2, 2, LIST(0, 2, 2), LIST(1, 0))))                        \
  X(relation_def_null, ARGUMENT, W("nsds_first_order_linear_relation", "def is NULL"),                         \
    made(w, nsds_first_order_linear_relation(w->model, NULL)))                                                 \
  X(relation_ny, SIZE, W("ny is 0"), RELATION(.nx = 1, .C = one, .B = one))                        \
  X(relation_nx, SIZE, W("nx is 0"), RELATION(.ny = 1, .C = one, .B = one))                        \
  X(relation_without_C, ARGUMENT, W("C and C_fn are NULL"), RELATION(.ny = 1, .nx = 1, .B = one))  \
  X(relation_without_B, ARGUMENT, W("B and B_fn are NULL"), RELATION(.ny = 1, .nx = 1, .C = one))  \
  X(relation_C_twice, ARGUMENT, W("both C and C_fn"),                                              \
    RELATION(.ny = 1, .nx = 1, .C = one, .C_fn = f, .B = one))                                     \
  X(relation_D_nan, VALUE, W("D[0] is nan"),                                                       \
    RELATION(.ny = 1, .nx = 1, .C = one, .B = one, .D = nan_1))                                    \
  X(relation_e_inf, VALUE, W("e[0] is inf"),                                                       \
    RELATION(.ny = 1, .nx = 1, .C = one, .B = one, .e = inf_1))                                    \
  X(relation_F_alone, ARGUMENT, W("F and nZ"),                                                     \
    RELATION(.ny = 1, .nx = 1, .C = one, .B = one, .F = one))                                      \
  X(relation_nZ_alone, ARGUMENT, W("F and nZ"),                                                    \
    RELATION(.ny = 1, .nx = 1, .nZ = 2, .C = one, .B = one))                                       \
  X(curved_def_null, ARGUMENT, W("nsds_first_order_relation", "def is NULL"),                        \
    made(w, nsds_first_order_relation(w->model, NULL)))                                              \
  X(curved_without_h, ARGUMENT, W("output_fn is NULL"),                                                 \
    CURVED(.ny = 1, .nx = 1, .jac_output_x_fn = f, .input_fn = f, .jac_input_lambda_fn = f))                    \
  X(curved_without_jac_h, ARGUMENT, W("jac_output_x_fn is NULL"),                                       \
    CURVED(.ny = 1, .nx = 1, .output_fn = f, .input_fn = f, .jac_input_lambda_fn = f))                          \
  X(curved_without_g, ARGUMENT, W("input_fn is NULL"),                                                 \
    CURVED(.ny = 1, .nx = 1, .output_fn = f, .jac_output_x_fn = f, .jac_input_lambda_fn = f))                    \
  X(curved_without_jac_g, ARGUMENT, W("jac_input_lambda_fn is NULL"),                                  \
    CURVED(.ny = 1, .nx = 1, .output_fn = f, .jac_output_x_fn = f, .input_fn = f))                               \
  X(relay_bounds_crossed, VALUE, W("nsds_relay", "row 1", "[1, -1]", "exceed"),                    \
    made(w, nsds_relay(w->model, 2, (double[]){-1.0, 1.0}, (double[]){1.0, -1.0})))                \
  X(relay_bound_nan, VALUE, W("nsds_relay", "row 0", "nan"),                                       \
    made(w, nsds_relay(w->model, 1, nan_1, one)))                                                  \
  X(relay_lower_infinite, VALUE, W("nsds_relay", "row 0", "[inf, inf]"),                           \
    made(w, nsds_relay(w->model, 1, inf_1, inf_1)))                                                \
  X(relay_size, SIZE, W("nsds_relay", "size is 0"), made(w, nsds_relay(w->model, 0, one, one)))    \
  X(relay_null, ARGUMENT, W("nsds_relay", "upper is NULL"),                                        \
    made(w, nsds_relay(w->model, 1, one, NULL)))                                                   \
  X(saturation_slope, VALUE, W("nsds_saturation", "slope is 0"),                                   \
    made(w, nsds_saturation(w->model, 1, (double[]){-1.0}, one, 0.0)))                             \
  X(saturation_crossed, VALUE, W("nsds_saturation", "row 0", "[2, 1]"),                            \
    made(w, nsds_saturation(w->model, 1, (double[]){2.0}, one, 1.0)))                              \
  X(polyhedron_nan, VALUE, W("nsds_normal_cone", "H[2] is nan"),                                   \
    made(w, nsds_normal_cone(w->model, 2, 2, nan_4, one)))                                         \
  X(polyhedron_of_33_rows, VALUE, W("nsds_normal_cone", "size is 33", "32"),                       \
    made(w, nsds_normal_cone(w->model, 33, 1, thirty_three, one)))                                 \
  X(polyhedron_facets, SIZE, W("nsds_normal_cone", "nfacet is 0"),                                 \
    made(w, nsds_normal_cone(w->model, 2, 0, one, one)))                                           \
  X(orders_mixed, ARGUMENT, W("'mass'", "order 2", "order 1"),                                     \
    connect(w, over(w, 3), w->ideal, 2, w->circuit, w->mass))                                      \
  X(order_of_relation, ARGUMENT, W("'pair'", "order 1", "'gap'", "order 2"),                       \
    connect(w, mechanical(w), w->ideal, 1, w->pair, NULL))                                         \
  X(size_of_X, SIZE, W("'wide'", "3", "have 2", "'circuit'"),                                      \
    connect(w, over(w, 3), w->ideal, 1, w->circuit, NULL))                                         \
  X(size_of_Z, SIZE, W("'shifted'", "1 parameters", "have 2"),                                     \
    connect(w, with_parameters(w), w->ideal, 1, w->circuit, NULL))                                 \
  X(size_of_law, SIZE, W("nsds_relay", "size 2", "ny = 1"),                                        \
    connect(w, w->diode, nsds_relay(w->model, 2, (double[]){-1.0, -1.0}, (double[]){1.0, 1.0}), 1, \
            w->circuit, NULL))                                                                     \
  X(twice, ARGUMENT, W("ds[0]", "ds[1]", "'pair'"),                                                \
    connect(w, over(w, 2), w->ideal, 2, w->pair, w->pair))                                         \
  X(set_x_nan, VALUE, W("nsds_set_x", "'pair'", "x[0] is nan"), nsds_set_x(w->pair, nan_1))        \
  X(set_r_nan, VALUE, W("nsds_set_r", "'pair'", "r[0] is nan"), nsds_set_r(w->pair, nan_1))        \
  X(set_r_null, ARGUMENT, W("nsds_set_r", "r is NULL"), nsds_set_r(w->pair, NULL))                 \
  X(set_x_null, ARGUMENT, W("nsds_set_x", "x is NULL"), nsds_set_x(w->pair, NULL))                 \
  X(set_x_of_mechanics, ARGUMENT, W("'mass'", "second order", "nsds_set_state"),                   \
    nsds_set_x(w->mass, one))                                                                      \
  X(set_state_of_circuit, ARGUMENT, W("'circuit'", "first order", "nsds_set_x"),                   \
    nsds_set_state(w->circuit, one, NULL))                                                         \
  X(set_z_size, SIZE, W("'pair'", "nz is 2", "1 parameters"), nsds_ds_set_z(w->pair, 2, one))      \
  X(scheme_unknown, ARGUMENT, W("first_order has the kind 9", "nsds_theta_gamma()"),               \
    STEPPING(.first_order = {.kind = (nsds_scheme_kind)9}))                                        \
  X(scheme_of_mechanics, ARGUMENT, W("first_order is nsds_moreau_jean()", "nsds_euler_moreau()"),  \
    STEPPING(.first_order = nsds_moreau_jean(0.5, 1.0)))                                           \
  X(values_without_scheme, ARGUMENT, W("first_order", "no scheme", "nsds_zero_order_hold()"),      \
    STEPPING(.first_order = {.theta = 1.0}))                                                       \
  X(gamma_above, VALUE, W("gamma of first_order is 1.5", "[0, 1]"),                                \
    STEPPING(.first_order = nsds_theta_gamma(0.5, 1.5)))                                           \
  X(theta_below, VALUE, W("theta of first_order is -0.1", "[0, 1]"),                               \
    STEPPING(.first_order = nsds_euler_moreau(-0.1)))                                              \
  X(slope_of_no_control, ARGUMENT, W("a Jacobian of the control is given without control.fn"),      \
    made(w, nsds_first_order(w->model, &(nsds_first_order_def){                                    \
        .n = 1, .f_fn = f, .jac_f_x_fn = f, .control.jac_x_fn = f})))                              \
  X(held_nonlinear_system, UNSUPPORTED, W("nsds_zero_order_hold()", "'curved'", "nsds_euler_moreau()"),\
    held(w, false))                                                                                \
  X(held_nonlinear_relation, UNSUPPORTED, W("nsds_zero_order_hold()", "nonlinear relation"),         \
    held(w, true))                                                                                 \
  X(singular_w, SINGULAR, W("'stuck'", "W = M - h theta df/dx", "t = 0", "h = 0.1"),               \
    singular_at_once(w))                                                                           \
  X(inconsistent_start, VALUE, W("'node'", "algebraic equation 1", "theta"), algebraic_start(w))

#define FUNCTION(name, status, words, ...)                                                         \
  static nsds_status name(world *w) {                                                              \
    (void)w;                                                                                       \
    return __VA_ARGS__;                                                                            \
  }
#define ROW(name, status, words, ...) {#name, name, NSDS_ERROR_##status, {words}},
/* clang-format on */

MISUSES(FUNCTION)

static const misuse misuses[] = {MISUSES(ROW)};

static world build(void) {
  world w = {.model = nsds_model_create(NULL)};
  w.circuit = nsds_first_order_linear(w.model, &(nsds_first_order_linear_def){
                                                   .name = "circuit",
                                                   .n = 2,
                                                   .x0 = (double[]){1.0, 0.0},
                                                   .A = (double[]){0.0, 10.0, -10.0, 0.0},
                                               });
  w.pair = nsds_first_order_linear(
      w.model, &(nsds_first_order_linear_def){.name = "pair", .n = 1, .b_fn = f, .nz = 1});
  w.mass = nsds_lagrangian_linear(
      w.model, &(nsds_lagrangian_linear_def){.name = "mass", .ndof = 1, .mass = one});
  w.diode = nsds_first_order_linear_relation(
      w.model, &(nsds_first_order_linear_relation_def){.name = "diode",
                                                       .ny = 1,
                                                       .nx = 2,
                                                       .C = (double[]){-1.0, 0.0},
                                                       .D = (double[]){2.0},
                                                       .B = (double[]){-1.0, 0.0}});
  w.ideal = nsds_complementarity(w.model);
  w.connection = nsds_connect(w.model, w.diode, w.ideal, 1, &w.circuit);
  w.simulation = nsds_time_stepping(w.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-2});
  assert_sound(w.model);
  for (int k = 0; k < 3; ++k) assert_ok(w.model, nsds_step(w.simulation));
  return w;
}

static uint64_t go_on(const world *w) {
  uint64_t hash = 0;
  for (int k = 0; k < 40; ++k) {
    assert_ok(w->model, nsds_step(w->simulation));
    hash = state_hash(w->model, hash);
  }
  return hash;
}

static void check(void **state) {
  const misuse *wrong = *state;
  world w = build();
  uint64_t undisturbed = go_on(&w);
  nsds_model_destroy(w.model);
  w = build();
  nsds_context *context = nsds_model_context(w.model);
  snapshot before = snapshot_take(w.model);
  nsds_status status = wrong->commit(&w);
  if (status != wrong->expected) {
    print_error("%d (%s) instead of %d (%s), message \"%s\"\n", status, nsds_status_text(status),
                wrong->expected, nsds_status_text(wrong->expected), nsds_error_message(context));
    fail();
  }
  assert_words(nsds_error_message(context), wrong->words, 4);
  assert_int_equal(nsds_error(context), wrong->expected);
  snapshot_check(&before, w.model, wrong->name);
  assert_int_equal(nsds_ds_count(w.model), 3);
  assert_int_equal(nsds_interaction_count(w.model), 1);
  nsds_error_clear(context);
  assert_true(go_on(&w) == undisturbed);
  snapshot_free(&before);
  nsds_model_destroy(w.model);
}

/* One test per row, so that each row that fails is named. */
int main(void) {
  enum { count = sizeof misuses / sizeof *misuses };
  static struct CMUnitTest tests[count];
  for (size_t k = 0; k < count; ++k)
    tests[k] = (struct CMUnitTest){.name = misuses[k].name,
                                   .test_func = check,
                                   .initial_state = (void *)(uintptr_t)&misuses[k]};
  return _cmocka_run_group_tests("first_order.bad_input", tests, count, NULL, NULL);
}
