/* Simulations, settings between steps and plugins that cannot be right. */
#include "bad_input.h"

static const double one[2] = {1.0, 1.0}, nan_1[1] = {NAN}, inf_1[1] = {INFINITY};

static int f(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

static nsds_status take(bench *b, const char *file, const char *name, nsds_kind kind) {
  nsds_plugin *plugin = nsds_plugin_open(b->model, file);
  nsds_operator function = nsds_plugin_get(plugin, name, kind);
  return function ? NSDS_OK : nsds_error(b->context);
}

static nsds_status explicit_compliance(bench *b) {
  nsds_model *model = nsds_model_create(b->context);
  nsds_ds *ds =
      nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = one});
  nsds_relation *soft = nsds_lagrangian_relation(
      model,
      &(nsds_lagrangian_relation_def){
          .ny = 1, .nq = 1, .output_fn = f, .jac_output_q_fn = f, .jac_output_lambda_fn = f});
  nsds_connect(model, soft, nsds_complementarity(model), 1, &ds);
  nsds_status status =
      made(b, nsds_time_stepping(
                  model, &(nsds_time_stepping_def){
                             .t1 = 1.0, .h = 0.1, .second_order = nsds_moreau_jean(0.0, 1.0)}));
  nsds_model_destroy(model);
  return status;
}

#define STEPPING(...) made(b, nsds_time_stepping(b->model, &(nsds_time_stepping_def){__VA_ARGS__}))
#define FILE_OF(name) NSDS_TEST_PLUGINS "/" name

/* clang-format off */
#define RUNNING(X)                                                                                 \
  X(def_null_time_stepping, ARGUMENT, W("nsds_time_stepping", "def is NULL"),                      \
    made(b, nsds_time_stepping(b->model, NULL)))                                                   \
  X(h_zero, VALUE, W("h is 0", "> 0"), STEPPING(.t1 = 1.0))                                   \
  X(h_negative, VALUE, W("h is -0.1", "> 0"), STEPPING(.t1 = 1.0, .h = -0.1))                 \
  X(h_step_nan, VALUE, W("h is nan"), STEPPING(.t1 = 1.0, .h = NAN))                               \
  X(h_step_inf, VALUE, W("h is inf", "finite"), STEPPING(.t1 = 1.0, .h = INFINITY))                \
  X(h_too_small, VALUE, W("h is 1e-20", "t0 = 5"), STEPPING(.t0 = 5.0, .t1 = 6.0, .h = 1e-20))     \
  X(end_before_start, VALUE, W("t1 is 1", "t0 = 2"), STEPPING(.t0 = 2.0, .t1 = 1.0, .h = 0.1))     \
  X(end_is_start, VALUE, W("t1 is 0", "t0 = 0"), STEPPING(.h = 0.1))                               \
  X(end_nan, VALUE, W("t1 is nan"), STEPPING(.t1 = NAN, .h = 0.1))                                 \
  X(theta_above, VALUE, W("theta of second_order is 1.5", "[0, 1]"),                             \
    STEPPING(.t1 = 1.0, .h = 0.1, .second_order = nsds_moreau_jean(1.5, 1.0)))                     \
  X(theta_below, VALUE, W("theta of second_order is -0.5", "[0, 1]"),                              \
    STEPPING(.t1 = 1.0, .h = 0.1, .second_order = nsds_schatzman_paoli(-0.5)))                     \
  X(theta_nan, VALUE, W("theta of second_order is nan", "[0, 1]"),                                 \
    STEPPING(.t1 = 1.0, .h = 0.1, .second_order = nsds_moreau_jean(NAN, 1.0)))                     \
  X(gamma_above, VALUE, W("gamma of second_order is 2", "[0, 1]"),                                 \
    STEPPING(.t1 = 1.0, .h = 0.1, .second_order = nsds_moreau_jean(0.5, 2.0)))                     \
  X(gamma_mass_above, VALUE, W("gamma_mass of second_order is 3", "[0, 1]"),                       \
    STEPPING(.t1 = 1.0, .h = 0.1,                                                                  \
             .second_order = nsds_with_gamma_mass(nsds_moreau_jean(0.5, 1.0), 3.0)))               \
  X(ratio_for_all, ARGUMENT, W("second_order", "nsds_with_step_ratio()", "nsds_ds_discretise()"),  \
    STEPPING(.t1 = 1.0, .h = 0.1,                                                                  \
             .second_order = nsds_with_step_ratio(nsds_moreau_jean(0.5, 1.0), 2)))                 \
  X(once_for_one, ARGUMENT, W("nsds_with_predict_once()", "nsds_time_stepping()"),                 \
    nsds_ds_discretise(nsds_ds_at(b->model, 0),                                                    \
                       nsds_with_predict_once(nsds_moreau_jean(0.5, 1.0))))                        \
  X(once_of_d1_minus, ARGUMENT, W("nsds_d1_minus()", "nsds_with_predict_once()"),                  \
    STEPPING(.t1 = 1.0, .h = 0.1, .second_order = nsds_with_predict_once(nsds_d1_minus())))        \
  X(activation_of_d1_minus, ARGUMENT, W("activation", "nsds_moreau_jean()", "nsds_d1_minus()"),    \
    STEPPING(.t1 = 1.0, .h = 0.1, .second_order = nsds_d1_minus(),                                 \
             .activation = nsds_activation(0.5, 0.0)))                                             \
  X(activation_by_hand, ARGUMENT, W("activation", "nsds_activation()"),                            \
    STEPPING(.t1 = 1.0, .h = 0.1, .activation = {.tolerance = 1e-9}))                              \
  X(prediction_negative, VALUE, W("gamma_prediction of activation is -1"),                         \
    STEPPING(.t1 = 1.0, .h = 0.1, .activation = nsds_activation(-1.0, 1e-12)))                     \
  X(residual_negative, VALUE, W("newton.residual is -1"),                                          \
    STEPPING(.t1 = 1.0, .h = 0.1, .newton = {.residual = -1.0}))                                   \
  X(increment_nan, VALUE, W("newton.increment is nan"),                                            \
    STEPPING(.t1 = 1.0, .h = 0.1, .newton = {.increment = NAN}))                                   \
  X(iterations_negative, SIZE, W("newton.max_iterations is -1"),                                   \
    STEPPING(.t1 = 1.0, .h = 0.1, .newton = {.max_iterations = -1}))                               \
  X(halvings_negative, VALUE, W("max_halvings is -2"),                                             \
    STEPPING(.t1 = 1.0, .h = 0.1, .max_halvings = -2))                                             \
  X(halvings_many, VALUE, W("max_halvings is 31"),                                                 \
    STEPPING(.t1 = 1.0, .h = 0.1, .max_halvings = 31))                                             \
  X(tolerance_above, VALUE, W("tolerance is 2"), STEPPING(.t1 = 1.0, .h = 0.1, .tolerance = 2.0))  \
  X(solver_unknown, ARGUMENT, W("\"magic\"", "lemke", "nsgs"),                                      \
    STEPPING(.t1 = 1.0, .h = 0.1, .solver = "magic"))                                              \
  X(explicit_compliant, UNSUPPORTED, W("interaction #0", "compliant", "theta"),                    \
    explicit_compliance(b))                                                                        \
  X(set_end_before_now, VALUE, W("nsds_simulation_set_end", "t1 is 0.01", "0.0299"),                 \
    nsds_simulation_set_end(b->simulation, 0.01))                                                  \
  X(set_end_nan, VALUE, W("t1 is nan"), nsds_simulation_set_end(b->simulation, NAN))               \
  X(set_h_zero, VALUE, W("nsds_simulation_set_h", "h is 0"),                                       \
    nsds_simulation_set_h(b->simulation, 0.0))                                                     \
  X(set_h_nan, VALUE, W("h is nan"), nsds_simulation_set_h(b->simulation, NAN))                    \
  X(set_solver_unknown, ARGUMENT, W("\"magic\"", "semismooth_newton"),                             \
    nsds_simulation_set_solver(b->simulation, "magic", 0.0))                                       \
  X(solver_global, ARGUMENT, W("\"global\" takes global problems", "such as \"auto\""),              \
    STEPPING(.t1 = 1.0, .h = 0.1, .solver = "global"))                                             \
  X(set_solver_global, ARGUMENT, W("\"global_admm\" takes global problems", "such as \"auto\""),     \
    nsds_simulation_set_solver(b->simulation, "global_admm", 0.0))                                 \
  X(set_solver_tolerance, VALUE, W("tolerance", "is 5"),                                           \
    nsds_simulation_set_solver(b->simulation, "nsgs", 5.0))                                         \
  X(set_solver_tolerance_negative, VALUE, W("tolerance", "is -1"),                                 \
    nsds_simulation_set_solver(b->simulation, "nsgs", -1.0))                                        \
  X(option_unknown, ARGUMENT, W("\"auto\"", "\"speed\"", "max_iterations"),                        \
    nsds_solver_set(nsds_simulation_solver(b->simulation), "speed", 1.0))                          \
  X(option_value, VALUE, W("\"tolerance\"", "-1", "0..1"),                                         \
    nsds_solver_set(nsds_simulation_solver(b->simulation), "tolerance", -1.0))                     \
  X(option_nan, VALUE, W("\"tolerance\"", "nan"),                                                  \
    nsds_solver_set(nsds_simulation_solver(b->simulation), "tolerance", NAN))                      \
  X(set_state_nan, VALUE, W("nsds_set_state", "ball", "q[0] is nan"),                              \
    nsds_set_state(b->ball, nan_1, NULL))                                                          \
  X(set_state_inf, VALUE, W("nsds_set_state", "ball", "v[0] is inf"),                              \
    nsds_set_state(b->ball, one, inf_1))                                                           \
  X(set_z_size, SIZE, W("nsds_ds_set_z", "nz is 2", "1 parameters", "ball"),                       \
    nsds_ds_set_z(b->ball, 2, one))                                                                \
  X(set_z_null, ARGUMENT, W("nsds_ds_set_z", "z is NULL"), nsds_ds_set_z(b->ball, 1, NULL))        \
  X(set_z_nan, VALUE, W("nsds_ds_set_z", "z[0] is nan", "ball"),                                   \
    nsds_ds_set_z(b->ball, 1, nan_1))                                                              \
  X(relation_set_z_size, SIZE, W("nsds_relation_set_z", "nz is 3", "1 parameters", "gap"),         \
    nsds_relation_set_z(b->gap, 3, one))                                                           \
  X(plugin_no_path, ARGUMENT, W("nsds_plugin_open", "path is NULL"),                               \
    made(b, nsds_plugin_open(b->model, NULL)))                                                     \
  X(plugin_missing, PLUGIN, W("/nowhere/at_all.so", "No such file"),                               \
    take(b, "/nowhere/at_all.so", "push", NSDS_KIND_FEXT))                                         \
  X(plugin_is_text, PLUGIN, W("text.so", "nsds_plugin_open"),                                      \
    take(b, FILE_OF("text.so"), "push", NSDS_KIND_FEXT))                                           \
  X(plugin_no_table, PLUGIN, W("no_table.so", "nsds_plugin_table", "NSDS_PLUGIN"),                 \
    take(b, FILE_OF("no_table.so"), "push", NSDS_KIND_FEXT))                                       \
  X(plugin_abi, PLUGIN, W("wrong_abi.so", "ABI 4", "this library has ABI"),                        \
    take(b, FILE_OF("wrong_abi.so"), "push", NSDS_KIND_FEXT))                                      \
  X(plugin_nameless, PLUGIN, W("nameless.so", "entry 1", "no name"),                               \
    take(b, FILE_OF("nameless.so"), "push", NSDS_KIND_FEXT))                                       \
  X(plugin_no_function, PLUGIN, W("no_function.so", "entry 0", "no function"),                     \
    take(b, FILE_OF("no_function.so"), "push", NSDS_KIND_FEXT))                                    \
  X(plugin_no_entries, PLUGIN, W("no_entries.so", "entries"),                                      \
    take(b, FILE_OF("no_entries.so"), "push", NSDS_KIND_FEXT))                                     \
  X(plugin_wrong_name, PLUGIN, W("every_kind.so", "'pull'", "fext (fext)"),                        \
    take(b, FILE_OF("every_kind.so"), "pull", NSDS_KIND_FEXT))                                     \
  X(plugin_wrong_kind, PLUGIN, W("'mass'", "every_kind.so", "of kind mass", "not fext"),           \
    take(b, FILE_OF("every_kind.so"), "mass", NSDS_KIND_FEXT))                                     \
  X(plugin_no_name, ARGUMENT, W("nsds_plugin_get", "name is NULL"),                                \
    take(b, FILE_OF("every_kind.so"), NULL, NSDS_KIND_FEXT))

/* clang-format on */

RUNNING(FUNCTION)

const misuse misuses_of_running[] = {RUNNING(OWNED){0}};
