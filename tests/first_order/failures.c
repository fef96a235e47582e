/*
 * Steps that fail: a user function gone wrong, a singular iteration matrix, a problem without a
 * solution. The message says what, where and when; the model keeps the last good state, and the
 * same simulation goes on from it once the cause is gone.
 */
#include "support.h"

#include <stdio.h>

/* ---- user functions ---- */

/* Which function goes wrong, how, and from which time on. */
typedef enum fault { fine, gives_nan, gives_inf, returns_positive, returns_negative } fault;

typedef struct trap {
  const char *function;
  fault how;
} trap;

static trap set; /* functions have no other way to tell which of them is asked */

static int spring(const char *name, double t, double *out, int code) {
  if (!set.function || strcmp(set.function, name) != 0 || t < 0.45) return code;
  if (set.how == gives_nan) *out = NAN;
  if (set.how == gives_inf) *out = INFINITY;
  return set.how == returns_positive ? 3 : set.how == returns_negative ? -3 : code;
}

#define TRAPPED_AS(name, field, ...)                                                               \
  static int name(const nsds_arguments *in, double *out, void *user) {                             \
    (void)user;                                                                                    \
    out[0] = __VA_ARGS__;                                                                          \
    return spring(field, in->t, out, 0);                                                           \
  }
#define TRAPPED(name, ...) TRAPPED_AS(name, #name, __VA_ARGS__)

TRAPPED(f_fn, -in->x[0] * in->x[0])
TRAPPED(jac_f_x_fn, -2.0 * in->x[0])
TRAPPED_AS(control_map_fn, "control.map_fn", 1.0)
TRAPPED_AS(control_fn, "control.fn", 0.1 * sin(in->t))
TRAPPED(mass_fn, 1.0 + 0.1 * in->t)
TRAPPED(A_fn, -1.0 - 0.1 * in->t)
TRAPPED(b_fn, 0.2 * in->t)
TRAPPED(output_fn, in->x[0] + in->x[1] + in->lambda[0] - 0.4)
TRAPPED(jac_output_lambda_fn, 1.0)
TRAPPED(C_fn, 1.0)
TRAPPED(D_fn, 0.5)
TRAPPED(B_fn, 1.0)
TRAPPED(F_fn, 0.3)
TRAPPED(e_fn, -0.2 * in->t)

static int jac_output_x_fn(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = out[1] = 1.0;
  return spring("jac_output_x_fn", in->t, out, 0);
}

static int input_fn(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = out[1] = in->lambda[0];
  return spring("input_fn", in->t, out, 0);
}

static int jac_input_lambda_fn(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = out[1] = 1.0;
  return spring("jac_input_lambda_fn", in->t, out, 0);
}

static int jac_input_x_fn(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  return spring("jac_input_x_fn", in->t, out, 0);
}

/* Every function there is, in one model. */
static nsds_simulation *build(nsds_model *model) {
  nsds_ds *ds[2] = {
      nsds_first_order(model, &(nsds_first_order_def){.name = "curved",
                                                      .n = 1,
                                                      .x0 = (double[]){1.0},
                                                      .mass_fn = mass_fn,
                                                      .f_fn = f_fn,
                                                      .jac_f_x_fn = jac_f_x_fn,
                                                      .control.n = 1,
                                                      .control.map_fn = control_map_fn,
                                                      .control.fn = control_fn,
                                                      .control.jac_x_fn = nsds_zero}),
      nsds_first_order_linear(model, &(nsds_first_order_linear_def){.name = "straight",
                                                                    .n = 1,
                                                                    .A_fn = A_fn,
                                                                    .b_fn = b_fn,
                                                                    .nz = 1,
                                                                    .z = &(double){1.0}})};
  nsds_relation *general = nsds_first_order_relation(
      model, &(nsds_first_order_relation_def){.name = "general",
                                              .ny = 1,
                                              .nx = 2,
                                              .output_fn = output_fn,
                                              .jac_output_x_fn = jac_output_x_fn,
                                              .jac_output_lambda_fn = jac_output_lambda_fn,
                                              .input_fn = input_fn,
                                              .jac_input_lambda_fn = jac_input_lambda_fn,
                                              .jac_input_x_fn = jac_input_x_fn});
  nsds_relation *varying = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.name = "varying",
                                                     .ny = 1,
                                                     .nx = 1,
                                                     .nZ = 1,
                                                     .C_fn = C_fn,
                                                     .D_fn = D_fn,
                                                     .B_fn = B_fn,
                                                     .F_fn = F_fn,
                                                     .e_fn = e_fn});
  nsds_connect(model, general, nsds_complementarity(model), 2, ds);
  nsds_connect(model, varying, nsds_complementarity(model), 1, &ds[1]);
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1});
  assert_sound(model);
  return simulation;
}

static uint64_t undisturbed_run(void) {
  set = (trap){NULL, fine};
  nsds_model *model = nsds_model_create(NULL);
  nsds_simulation *simulation = build(model);
  uint64_t hash = 0;
  for (int k = 0; k < 10; ++k) {
    assert_ok(model, nsds_step(simulation));
    hash = state_hash(model, hash);
  }
  nsds_model_destroy(model);
  return hash;
}

static void functions_gone_wrong(void **state) {
  (void)state;
  static const struct {
    const char *function, *object;
  } functions[] = {{"f_fn", "curved"},
                   {"jac_f_x_fn", "curved"},
                   {"control.map_fn", "curved"},
                   {"control.fn", "curved"},
                   {"mass_fn", "curved"},
                   {"A_fn", "straight"},
                   {"b_fn", "straight"},
                   {"output_fn", "general"},
                   {"jac_output_x_fn", "general"},
                   {"jac_output_lambda_fn", "general"},
                   {"input_fn", "general"},
                   {"jac_input_lambda_fn", "general"},
                   {"jac_input_x_fn", "general"},
                   {"C_fn", "varying"},
                   {"D_fn", "varying"},
                   {"B_fn", "varying"},
                   {"F_fn", "varying"},
                   {"e_fn", "varying"}};
  uint64_t expected = undisturbed_run();
  for (size_t k = 0; k < sizeof functions / sizeof *functions; ++k)
    for (fault how = gives_nan; how <= returns_negative; ++how) {
      set = (trap){functions[k].function, how};
      nsds_model *model = nsds_model_create(NULL);
      nsds_context *context = nsds_model_context(model);
      nsds_simulation *simulation = build(model);
      uint64_t hash = 0;
      for (int i = 0; i < 4; ++i) {
        assert_ok(model, nsds_step(simulation));
        hash = state_hash(model, hash);
      }
      snapshot before = snapshot_take(model);
      nsds_status status = nsds_step(simulation);
      assert_status(model, status,
                    how == returns_negative ? NSDS_ERROR_ABORTED : NSDS_ERROR_CALLBACK);
      const char *entry = how == gives_nan          ? "nan"
                          : how == gives_inf        ? "inf"
                          : how == returns_positive ? "returned 3"
                                                    : "returned -3";
      assert_words(nsds_error_message(context),
                   ((const char *[]){functions[k].function, functions[k].object, entry, "t = 0."}),
                   4);
      snapshot_check(&before, model, functions[k].function);
      assert_near(nsds_time(simulation), 0.4, 1e-15);
      nsds_error_clear(context);
      assert_status(model, nsds_step(simulation), status); /* and again */
      snapshot_check(&before, model, functions[k].function);
      nsds_error_clear(context);
      set = (trap){NULL, fine};
      for (int i = 4; i < 10; ++i) {
        assert_ok(model, nsds_step(simulation));
        hash = state_hash(model, hash);
      }
      if (hash != expected)
        fail_msg("%s: the run after the failure is another", functions[k].function);
      snapshot_free(&before);
      nsds_model_destroy(model);
    }
}

/* ---- singular iteration matrix ---- */

/* W = 1 - h theta A vanishes when A jumps to z = 2/h: the system and the time are named. */
static int growing(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->t > 0.45 ? in->z[0] : -1.0;
  return 0;
}

static void singular_w(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_context *context = nsds_model_context(model);
  nsds_first_order_linear(model, &(nsds_first_order_linear_def){.name = "quiet", .n = 2});
  nsds_ds *ds =
      nsds_first_order_linear(model, &(nsds_first_order_linear_def){.name = "blown up",
                                                                    .n = 1,
                                                                    .x0 = (double[]){1.0},
                                                                    .A_fn = growing,
                                                                    .nz = 1,
                                                                    .z = (double[]){16.0}});
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.125});
  assert_sound(model);
  for (int k = 0; k < 3; ++k) assert_ok(model, nsds_step(simulation));
  snapshot before = snapshot_take(model);
  assert_status(model, nsds_step(simulation), NSDS_ERROR_SINGULAR);
  assert_words(nsds_error_message(context),
               ((const char *[]){"'blown up'", "t = 0.375", "h = 0.125", "singular"}), 4);
  snapshot_check(&before, model, "singular W");
  nsds_error_clear(context);
  assert_ok(model, nsds_ds_set_z(ds, 1, (double[]){-2.0}));
  assert_status(model, nsds_run(simulation), NSDS_END);
  nsds_model_destroy(model);
  snapshot_free(&before);
  /* with halving the same step passes: h/2 is no longer singular */
  model = nsds_model_create(NULL);
  nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){
                 .n = 1, .x0 = (double[]){1.0}, .A_fn = growing, .nz = 1, .z = (double[]){16.0}});
  simulation = nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = 0.5, .h = 0.125, .max_halvings = 3});
  assert_status(model, nsds_run(simulation), NSDS_END);
  assert_int_equal(nsds_simulation_info(simulation)->substeps, 2);
  nsds_model_destroy(model);
}

/* ---- no solution ---- */

/*
 * Two charged capacitors feed a node through diodes that only lead to it, and J(t) = z - t is drawn
 * from the node:
 *   lambda = (v, i_1, i_2),  y = (J - i_1 - i_2, v - x_1, v - x_2),  dx_k/dt = -i_k / C
 * with v free and 0 <= i_k perp v - x_k >= 0. For J < 0, current forced into both diodes from
 * behind, there is no solution.
 */
static int drawn(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->z[0] - in->t;
  return 0;
}

static void diodes_forced_against_each_other(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_context *context = nsds_model_context(model);
  nsds_ds *ds = nsds_first_order_linear(
      model,
      &(nsds_first_order_linear_def){.name = "capacitors", .n = 2, .x0 = (double[]){2.0, 1.5}});
  nsds_relation *node = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .name = "node",
                 .ny = 3,
                 .nx = 2,
                 .C = (double[]){0.0, -1.0, 0.0, 0.0, 0.0, -1.0},
                 .D = (double[]){0.0, 1.0, 1.0, -1.0, 0.0, 0.0, -1.0, 0.0, 0.0},
                 .B = (double[]){0.0, 0.0, -1.0, 0.0, 0.0, -1.0},
                 .e_fn = drawn,
                 .nz = 1,
                 .z = (double[]){0.55}});
  nsds_interaction *ia = nsds_connect(model, node,
                                      nsds_relay(model, 3, (double[]){-INFINITY, 0.0, 0.0},
                                                 (double[]){INFINITY, INFINITY, INFINITY}),
                                      1, &ds);
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1});
  assert_sound(model);
  const double *x = nsds_x(ds), *lambda = nsds_lambda(ia);
  for (int k = 0; k < 5; ++k) {
    assert_ok(model, nsds_step(simulation));
    assert_near(lambda[1] + lambda[2], 0.55 - nsds_time(simulation), 1e-13);
    assert_near(lambda[0], fmax(x[0], x[1]), 1e-13);
  }
  snapshot before = snapshot_take(model);
  assert_status(model, nsds_step(simulation), NSDS_ERROR_SOLVER);
  assert_words(nsds_error_message(context),
               ((const char *[]){"t = 0.6", "no solution", "3 rows", "'capacitors'"}), 4);
  snapshot_check(&before, model, "no solution");
  assert_near(nsds_time(simulation), 0.5, 1e-15);
  assert_int_equal(nsds_step_count(simulation), 5);
  nsds_error_clear(context);
  assert_ok(model, nsds_relation_set_z(node, 1, (double[]){2.0})); /* drawn again */
  assert_status(model, nsds_run(simulation), NSDS_END);
  assert_near(lambda[1] + lambda[2], 1.0, 1e-13);
  /* the charge drawn is that of both capacitors: sum of J h over all steps */
  assert_near(x[0] + x[1],
              3.5 - 0.1 * (0.45 + 0.35 + 0.25 + 0.15 + 0.05 + 1.4 + 1.3 + 1.2 + 1.1 + 1.0), 1e-13);
  snapshot_free(&before);
  nsds_model_destroy(model);
}

/* ---- overflow ---- */

static void overflow(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){
                 .name = "bomb", .n = 1, .x0 = (double[]){1.0}, .A = (double[]){1e3}});
  nsds_simulation *simulation = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){.t1 = 50.0, .h = 0.1, .first_order = nsds_euler_moreau(0.0)});
  assert_sound(model);
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
  }
  assert_status(model, status, NSDS_ERROR_VALUE);
  assert_words(nsds_error_message(nsds_model_context(model)),
               ((const char *[]){"'bomb'", "not finite"}), 2);
  assert_true(isfinite(nsds_x(ds)[0]));
  nsds_error_clear(nsds_model_context(model));
  assert_ok(model, nsds_set_x(ds, (double[]){1e-3}));
  assert_ok(model, nsds_step(simulation));
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_gone_wrong),
      cmocka_unit_test(singular_w),
      cmocka_unit_test(diodes_forced_against_each_other),
      cmocka_unit_test(overflow),
  };
  return cmocka_run_group_tests_name("first_order.failures", tests, NULL, NULL);
}
