/* Calls on contexts, solvers, problems and files, see inside.h. */
#include "inside.h"

#include <stdio.h>
#include <stdlib.h>

static double zero[8], one[4] = {2.0, 0.0, 0.0, 2.0}, q[2] = {-1.0, -1.0};
static const double attitude[7] = {[3] = 1.0};
static const nsds_block block[] = {{.set = NSDS_SET_NONNEGATIVE, .size = 2}};
static const nsds_block contact[] = {{.set = NSDS_SET_COULOMB, .size = 2, .mu = 0.5}};
#define TWO                                                                                        \
  { .storage = NSDS_DENSE, .n = 2, .x = one }
static const nsds_problem problem = {.n = 2, .nblock = 1, .block = block, .M = TWO, .q = q};
static const nsds_problem friction = {.n = 2, .nblock = 1, .block = contact, .M = TWO, .q = q};
static const nsds_shape_def sphere_of_one = {.kind = NSDS_SPHERE, .radius = 1.0};
static const nsds_mass_def weighed = {.nshape = 1, .shape = &sphere_of_one, .density = 1.0};
static int p[] = {0, 1, 2}, i[] = {0, 1};
static const nsds_global_problem global = {.nv = 2,
                                           .n = 2,
                                           .nblock = 1,
                                           .block = contact,
                                           .M = TWO,
                                           .H = {2, 2, p, i, (double[]){1.0, 1.0}},
                                           .f = q,
                                           .w = zero};

static nsds_status solve_nothing(void *self, nsds_solver_task *task, double *z) {
  (void)self, (void)task, (void)z;
  return NSDS_OK;
}

/* Registered as often as asked, under other names. */
static nsds_status register_another(scene *s) {
  static char name[64][16];
  static nsds_solver_ops ops[64];
  static unsigned count;
  unsigned k = count++ % 64;
  snprintf(name[k], sizeof name[k], "another %u", count);
  ops[k] = (nsds_solver_ops){.name = name[k],
                             .sets = NSDS_SET_NONNEGATIVE,
                             .storages = NSDS_DENSE,
                             .solve = solve_nothing};
  return nsds_solver_register(s->context, &ops[k]);
}

static nsds_status make_model(scene *s) {
  nsds_model *model = nsds_model_create(s->context);
  nsds_model_destroy(model);
  return made(s, model);
}

static nsds_status make_context(scene *s) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_context_destroy(context);
  return made(s, context);
}

static nsds_status make_solver(scene *s) {
  nsds_solver *solver = nsds_solver_create(s->context, "lemke");
  nsds_solver_destroy(solver);
  return made(s, solver);
}

/* Something of one's own is destroyed; in a hook, where nothing can be made, what there is. */
static nsds_status destroy_solver(scene *s) {
  nsds_solver_destroy(s->place == HOOKS ? s->tool : nsds_solver_create(s->context, NULL));
  return left(s);
}

static nsds_status destroy_file(scene *s) {
  nsds_problem_file *made_here = NULL;
  if (s->place != HOOKS)
    made_here = nsds_problem_read(s->context, "inside_step.dat", NSDS_FORMAT_AUTO);
  nsds_problem_file_destroy(made_here ? made_here : s->file);
  return left(s);
}

static nsds_status make_series(scene *s) {
  nsds_vtk *series = nsds_vtk_create(s->context, &(nsds_vtk_def){.path = "inside_step_made"});
  nsds_status status = made(s, series);
  nsds_vtk_destroy(series);
  remove("inside_step_made.pvd");
  return status;
}

/* In a hook, where nothing can be made, the series that there is, which stays. */
static nsds_status destroy_series(scene *s) {
  nsds_vtk *series = s->place == HOOKS ? s->series : NULL;
  if (s->place != HOOKS)
    series = nsds_vtk_create(s->context, &(nsds_vtk_def){.path = "inside_step_made"});
  nsds_vtk_destroy(series);
  return left(s);
}

static nsds_status read_file(scene *s) {
  nsds_problem_file *file = nsds_problem_read(s->context, "inside_step.dat", NSDS_FORMAT_AUTO);
  nsds_problem_file_destroy(file);
  return made(s, file);
}

static nsds_status read_memory(scene *s) {
  static const char text[] = "1 0 1 1 1 1 2 -1";
  nsds_problem_file *file =
      nsds_problem_read_memory(s->context, "text", text, sizeof text - 1, NSDS_FORMAT_LCP);
  nsds_status status = made(s, file);
  if (file) nsds_problem_file_destroy(file);
  return status;
}

static nsds_status write_global(scene *s) {
  nsds_status status =
      nsds_global_write(s->context, &global, NULL, "inside_step.h5", NSDS_FORMAT_FCLIB);
  remove("inside_step.h5");
  return status == NSDS_ERROR_UNSUPPORTED ? NSDS_OK : status; /* built without HDF5 */
}

static nsds_status write_columns(scene *s) {
  static const double x[2] = {1.0, 2.0};
  const nsds_table_column column = {.name = "x", .x = x};
  nsds_status status =
      nsds_table_write(s->context, &(nsds_table_def){.nrows = 2, .ncolumns = 1, .columns = &column},
                       "inside_step.h5");
  remove("inside_step.h5");
  return status == NSDS_ERROR_UNSUPPORTED ? NSDS_OK : status; /* built without HDF5 */
}

static nsds_status solve(scene *s) {
  double z[2] = {0.0}, w[2];
  return nsds_solve(s->tool, &friction, z, w, NULL);
}

static int grows(const double *z, double *F, void *user) {
  (void)user;
  for (int k = 0; k < 2; ++k) F[k] = z[k] * z[k] * z[k] + z[k] - 1.0;
  return 0;
}

static nsds_status solve_nonlinear(scene *s) {
  const nsds_block bounded = {.set = NSDS_SET_NONNEGATIVE, .size = 2};
  const nsds_nonlinear_problem curved = {.n = 2, .nblock = 1, .block = &bounded, .F = grows};
  double z[2] = {0.0}, w[2];
  return nsds_nonlinear_solve(s->tool, &curved, 0, z, w, NULL);
}

static nsds_status solve_global(scene *s) {
  double v[2] = {0.0}, r[2] = {0.0}, u[2];
  return nsds_global_solve(s->global, &global, v, r, u, NULL, NULL);
}

static int step_on(int iteration, double residual, void *user) {
  (void)iteration, (void)residual, (void)user;
  return 0;
}

static nsds_status certify(scene *s) {
  double work[16];
  nsds_certificate certificate;
  assert_true(nsds_problem_work(&problem) <= 16);
  nsds_certify(&problem, zero, work, &certificate);
  return left(s);
}

static nsds_status judge(scene *s) {
  double z[2] = {0.0}, w[2];
  nsds_status status = nsds_judge_answer(s->tool, &friction, z, w, NULL);
  return status == NSDS_ERROR_SOLVER ? NSDS_OK : status; /* z = 0 is no solution */
}

static nsds_status check_limit(scene *s) {
  assert_true(nsds_violation_limit(&problem, 1e-8) == 1e-8);
  return left(s);
}

static nsds_status check_reach(scene *s) {
  double work[16];
  assert_true(nsds_certify_reach(&problem, zero, work) == 0.0);
  return left(s);
}

static nsds_status check_proof(scene *s) {
  double work[16];
  assert_false(nsds_certify_no_solution(&problem, zero, work));
  return left(s);
}

static nsds_status certify_global(scene *s) {
  nsds_global_certificate certificate;
  double *work = calloc(nsds_global_work(&global) + 1, sizeof *work);
  nsds_global_certify(&global, zero, zero, NULL, work, &certificate);
  free(work);
  return left(s);
}

static nsds_status to_csc(scene *s) {
  int first[3], *work = calloc(nsds_problem_csc_work(&problem) + 1, sizeof *work);
  nsds_problem_to_csc(&problem, first, NULL, NULL, work);
  free(work);
  return left(s);
}

#define DEFINE(name, ...)                                                                          \
  static nsds_status call_##name(scene *s) {                                                       \
    (void)s;                                                                                       \
    __VA_ARGS__;                                                                                   \
  }
#define ROW(name, ...) {#name, call_##name},
#define MADE(name, ...) X(name, return made(s, name(__VA_ARGS__)))
#define READ(name, ...) X(name, (void)name(__VA_ARGS__); return left(s))
#define DOES(name, ...) X(name, name(__VA_ARGS__); return left(s))
#define SAYS(name, ...) X(name, return name(__VA_ARGS__))

/* There and back. */
static nsds_status swap_log(scene *s) {
  nsds_log_fn log = NULL;
  void *user = NULL;
  nsds_status status = nsds_context_swap_log(s->context, &log, &user);
  return status ? status : nsds_context_swap_log(s->context, &log, &user);
}

static nsds_status swap_stop(scene *s) {
  nsds_stop_fn stop = NULL;
  void *user = NULL;
  nsds_status status = nsds_context_swap_stop(s->context, &stop, &user);
  return status ? status : nsds_context_swap_stop(s->context, &stop, &user);
}

static nsds_status swap_limit(scene *s) {
  nsds_memory_limit limit = {0};
  nsds_status status = nsds_context_swap_limit(s->context, &limit);
  return status ? status : nsds_context_swap_limit(s->context, &limit);
}

static nsds_status take_memory(scene *s) {
  void *memory = nsds_alloc(s->context, "a test", 3, 5);
  if (!memory) return nsds_error(s->context);
  nsds_free(memory);
  return NSDS_OK;
}

static nsds_status write_output(scene *s) {
  nsds_output *output;
  nsds_status status = nsds_output_open(s->context, "", "inside_step.dat", &output);
  return status ? status : nsds_output_close(output, false);
}

static nsds_status close_output(scene *s) {
  nsds_status status = nsds_output_close(s->output, false);
  if (!status) status = nsds_output_open(s->context, "", "inside_step.out", &s->output);
  return status;
}

/* clang-format off */
#define CALLS                                                                                      \
  MADE(nsds_status_text, NSDS_OK)                                                                  \
  X(nsds_version, return made(s, nsds_version()))                                                  \
  MADE(nsds_outcome_text, NSDS_SOLVED)                                                             \
  MADE(nsds_kind_text, NSDS_KIND_MASS)                                                             \
  X(nsds_number_text, char text[32]; (void)s;                                                      \
    return nsds_number_text(0.1, text, sizeof text) == 3 ? NSDS_OK : NSDS_ERROR_VALUE)             \
  MADE(nsds_format_text, NSDS_FORMAT_LCP)                                                          \
  X(nsds_plain_text, char text[] = "a"; (void)s;                                                   \
    return nsds_plain_text(text) == text ? NSDS_OK : NSDS_ERROR_VALUE)                             \
  X(nsds_output_stream, (void)s; return nsds_output_stream(NULL) ? NSDS_ERROR_VALUE : NSDS_OK)     \
  READ(nsds_context_stops, s->context)                                                             \
  MADE(nsds_solver_table, 0)                                                                       \
  READ(nsds_zero, NULL, zero, NULL)                                                                \
  READ(nsds_differences, NULL, zero, NULL)                                                         \
  MADE(nsds_integrator_named, "Moreau-Jean")                                                       \
  READ(nsds_euler_moreau, 0.5)                                                                     \
  READ(nsds_theta_gamma, 0.5, 0.5)                                                                 \
  READ(nsds_full_theta_gamma, 0.5, 0.5)                                                            \
  X(nsds_zero_order_hold, (void)nsds_zero_order_hold(); return left(s))                            \
  READ(nsds_moreau_jean, 0.5, 1.0)                                                                 \
  READ(nsds_schatzman_paoli, 0.5)                                                                  \
  X(nsds_d1_minus, (void)nsds_d1_minus(); return left(s))                                          \
  X(nsds_rattle, (void)nsds_rattle(); return left(s))                                              \
  READ(nsds_with_gamma_mass, nsds_moreau_jean(0.5, 1.0), 0.5)                                      \
  READ(nsds_with_predict_once, nsds_moreau_jean(0.5, 1.0))                                         \
  READ(nsds_with_input_at_theta, nsds_euler_moreau(0.5))                                           \
  READ(nsds_with_f_at_theta, nsds_euler_moreau(0.5))                                               \
  READ(nsds_with_initial_lambda, nsds_theta_gamma(0.5, 0.5))                                       \
  READ(nsds_with_step_ratio, nsds_moreau_jean(0.5, 1.0), 2)                                        \
  READ(nsds_activation, 0.5, 1e-12)                                                                \
  READ(nsds_by_rows, 1, 1, q, (double[1]){0.0})                                                    \
  SAYS(nsds_triplets_to_csc, 1, 1, 0, NULL, (int[2]){0}, NULL, NULL, &(nsds_csc){0})               \
  DOES(nsds_center_shapes, 0, NULL, NULL)                                                          \
  DOES(nsds_to_world, attitude, (double[3]){1.0}, (double[3]){0.0})                                \
  DOES(nsds_to_body, attitude, (double[3]){1.0}, (double[3]){0.0})                                 \
  READ(nsds_problem_work, &problem)                                                                \
  DOES(nsds_problem_multiply, &problem, q, (double[2]){0.0}, NULL)                                 \
  DOES(nsds_problem_to_dense, &problem, (double[4]){0.0})                                          \
  READ(nsds_problem_csc_work, &problem)                                                            \
  X(nsds_problem_to_csc, return to_csc(s))                                                         \
  X(nsds_certify, return certify(s))                                                               \
  X(nsds_certify_no_solution, return check_proof(s))                                               \
  X(nsds_certify_reach, return check_reach(s))                                                     \
  X(nsds_violation_limit, return check_limit(s))                                                   \
  READ(nsds_global_work, &global)                                                                  \
  X(nsds_global_certify, return certify_global(s))                                                 \
  X(nsds_context_create, return make_context(s))                                                   \
  READ(nsds_error, s->context)                                                                     \
  MADE(nsds_error_message, s->context)                                                             \
  MADE(nsds_last_message, s->context)                                                              \
  READ(nsds_context_threads, s->context)                                                           \
  DOES(nsds_error_clear, s->context)                                                               \
  X(nsds_report, (void)nsds_report(s->context, NSDS_ERROR_VALUE, "so"); return NSDS_OK)            \
  MADE(nsds_solver_registered, s->context, 0)                                                      \
  MADE(nsds_solver_get_row, s->tool)                                                               \
  READ(nsds_solver_get, s->tool, "tolerance")                                                      \
  X(nsds_solver_proof, assert_null(nsds_solver_proof(s->tool)); return left(s))                    \
  X(nsds_solver_low, assert_null(nsds_solver_low(s->tool)); return left(s))                        \
  MADE(nsds_solver_inner, s->global)                                                               \
  SAYS(nsds_problem_check, s->context, &problem)                                                   \
  SAYS(nsds_global_check, s->context, &global)                                                     \
  MADE(nsds_problem_file_kind, s->file)                                                            \
  MADE(nsds_problem_file_problem, s->file)                                                         \
  READ(nsds_problem_file_global, s->file)                                                          \
  MADE(nsds_problem_file_matrix, s->file)                                                          \
  MADE(nsds_problem_file_storage, s->file)                                                         \
  MADE(nsds_problem_file_notes, s->file)                                                           \
  READ(nsds_problem_file_solution, s->file)                                                        \
  READ(nsds_problem_file_nguess, s->file)                                                          \
  READ(nsds_problem_file_guess, s->file, 0)                                                        \
  X(nsds_context_swap_log, return swap_log(s))                                                     \
  X(nsds_context_swap_stop, return swap_stop(s))                                                   \
  X(nsds_context_swap_limit, return swap_limit(s))                                                 \
  READ(nsds_context_bytes, s->context)                                                             \
  X(nsds_alloc, return take_memory(s))                                                             \
  X(nsds_free, return take_memory(s))                                                              \
  X(nsds_output_open, return write_output(s))                                                      \
  X(nsds_output_close, return close_output(s))                                                     \
  SAYS(nsds_context_set_threads, s->context, 2)                                                    \
  X(nsds_model_create, return make_model(s))                                                       \
  X(nsds_solver_register, return register_another(s))                                              \
  X(nsds_solver_create, return make_solver(s))                                                     \
  X(nsds_solver_destroy, return destroy_solver(s))                                                 \
  SAYS(nsds_solver_set, s->tool, "tolerance", 1e-8)                                                \
  DOES(nsds_solver_set_progress, s->tool, step_on, NULL)                                           \
  SAYS(nsds_solver_reserve, s->tool, &friction)                                                    \
  X(nsds_solve, return solve(s))                                                                   \
  X(nsds_judge_answer, return judge(s))                                                            \
  SAYS(nsds_solver_judge_by_terms, s->tool)                                                        \
  X(nsds_nonlinear_solve, return solve_nonlinear(s))                                               \
  X(nsds_mass_properties, nsds_mass mass;                                                          \
    return nsds_mass_properties(s->model, &weighed, &mass))                                        \
  SAYS(nsds_enumerate, s->basis, &problem, NULL, NULL, NULL)                                       \
  X(nsds_global_solve, return solve_global(s))                                                     \
  X(nsds_problem_read, return read_file(s))                                                        \
  X(nsds_problem_read_memory, return read_memory(s))                                               \
  X(nsds_problem_file_destroy, return destroy_file(s))                                             \
  SAYS(nsds_problem_write, s->context, &problem, NULL, "inside_step.dat", NSDS_FORMAT_AUTO)        \
  X(nsds_global_write, return write_global(s))                                                     \
  X(nsds_vtk_create, return make_series(s))                                                        \
  X(nsds_vtk_destroy, return destroy_series(s))                                                    \
  X(nsds_table_write, return write_columns(s))                                                     \
  DOES(nsds_context_destroy, s->context)                                                           \
  X(nsds_solver_stop, (void)nsds_solver_stop(s->task, 1, 1.0); return left(s))
/* clang-format on */

#define X(name, ...) DEFINE(name, __VA_ARGS__)
CALLS
#undef X
#define X ROW
const call numerics_calls[] = {CALLS{0}};
