/* A model with every kind of function, all of which meddle; see inside.h. */
#include "inside.h"

#include <stdio.h>
#include <stdlib.h>

nsds_status left(const scene *s) {
  if (s->place != HOOKS) return nsds_error(s->context);
  return strstr(nsds_last_message(s->context), "called from the") ? NSDS_ERROR_STATE : NSDS_OK;
}

nsds_status made(const scene *s, const void *object) { return object ? NSDS_OK : left(s); }

void meddle(scene *s, place from) {
  long most = from == EVENTS && s->expected ? 1 : 12; /* what is destroyed is so once */
  const call *c = s->call;
  if (!c || s->place != from || s->tried >= most) return;
  s->call = NULL; /* not again from what it calls */
  nsds_error_clear(s->context);
  nsds_status status = c->make(s);
  if (status != (s->expected ? NSDS_OK : NSDS_ERROR_STATE))
    fail_msg("%s from place %d gave %d: %s", c->name, from, status, nsds_last_message(s->context));
  const char *message = nsds_last_message(s->context);
  bool named = strstr(message, c->name) || (from == HOOKS && strstr(message, "an allocation: "));
  if (!s->expected && !named) fail_msg("%s from place %d: %s", c->name, from, message);
  nsds_error_clear(s->context);
  s->call = c;
  ++s->tried;
}

/* ---- operators ---- */

#define OPERATOR(name, ...)                                                                        \
  static int name(const nsds_arguments *in, double *out, void *user) {                             \
    (void)in;                                                                                      \
    __VA_ARGS__;                                                                                   \
    meddle(user, OPERATORS);                                                                       \
    return 0;                                                                                      \
  }

OPERATOR(mass, out[0] = out[3] = 2.0; out[1] = out[2] = 0.3 * cos(in->q[1]))
OPERATOR(fint, out[0] = 4.0 * in->q[0]; out[1] = 3.0 * sin(in->q[1]))
OPERATOR(fint_q, out[0] = 4.0; out[3] = 3.0 * cos(in->q[1]))
OPERATOR(fint_v, out[0] = 0.0)
OPERATOR(fext, out[0] = -9.81 * in->z[0]; out[1] = sin(in->t))
OPERATOR(moved, out[0] = 0.2 * cos(in->t))
OPERATOR(gap, out[0] = in->q[0] + 0.2 * cos(in->q[1]) - 0.1 * in->z[1])
OPERATOR(gap_q, out[0] = 1.0; out[1] = -0.2 * sin(in->q[1]))

/* ---- a law, an integrator, a geometry and a solver ---- */

static void block(void *self, nsds_block *out) {
  out->set = NSDS_SET_NONNEGATIVE;
  meddle(self, LAWS);
}

static bool active(void *self, const double *y, const double *ydot, double tau, double slack) {
  meddle(self, LAWS);
  return y[0] + tau * ydot[0] <= slack;
}

static void restitution(void *self, const double *ydot, double *q) {
  meddle(self, LAWS);
  q[0] += 0.3 * ydot[0];
}

static const nsds_law_ops law = {
    .type = "impact", .block = block, .active = active, .restitution = restitution};

static scene *driven; /* whose ball is integrated: operations of integrators have no user pointer */

static nsds_status refresh(nsds_integration *s) {
  s->force[0] = -9.81;
  meddle(driven, INTEGRATORS);
  return NSDS_OK;
}

static nsds_status free_state(nsds_integration *s) {
  s->u_free[0] = s->u[0] + s->scheme->h * s->force[0];
  meddle(driven, INTEGRATORS);
  return NSDS_OK;
}

static void apply(const nsds_integration *s, int nrhs, double *b) {
  (void)s, (void)nrhs, (void)b; /* mass 1 */
  meddle(driven, INTEGRATORS);
}

static nsds_status advance(nsds_integration *s) {
  s->q_end[0] = s->q[0] + 0.5 * s->scheme->h * (s->u[0] + s->u_end[0]);
  meddle(driven, INTEGRATORS);
  return NSDS_OK;
}

static const nsds_integrator own = {.name = "own",
                                    .order = 2,
                                    .refresh = refresh,
                                    .free = free_state,
                                    .apply = apply,
                                    .advance = advance};

static nsds_status find(void *self, double t, nsds_contacts *contacts) {
  scene *s = self;
  const double y = nsds_q(s->ball)[0], H = 1.0;
  (void)t;
  nsds_status status = nsds_contacts_add(
      contacts, &(nsds_contact_point){.key = 1, .ds = {s->ball}, .y = &y, .H = &H});
  s->contacts = contacts;
  meddle(s, GEOMETRIES);
  return status;
}

static const nsds_geometry_ops geometry = {.type = "floor", .find = find};

static nsds_status sweep(void *self, nsds_solver_task *task, double *z) {
  enum { most = 8, sweeps = 500 };
  scene *s = self;
  double M[most * most], w[most], work[256];
  int n = task->problem->n;
  assert_true(n <= most && nsds_problem_work(task->problem) <= 256);
  nsds_problem_to_dense(task->problem, M);
  for (int k = 0; k < sweeps; ++k)
    for (int i = 0; i < n; ++i) {
      nsds_problem_multiply(task->problem, z, w, work);
      z[i] = fmax(0.0, z[i] - w[i] / M[i + i * n]);
    }
  s->task = task;
  meddle(s, SOLVERS);
  nsds_solver_stop(task, 1, 0.0);
  return NSDS_OK;
}

static nsds_status room(void *self, const nsds_problem *problem) {
  (void)problem;
  static nsds_solver_task idle;
  ((scene *)self)->task = &idle;
  meddle(self, SOLVERS);
  return NSDS_OK;
}

static int progress(int iteration, double residual, void *user) {
  (void)iteration, (void)residual;
  meddle(user, SOLVERS);
  return 0;
}

static nsds_verdict look(nsds_simulation *simulation, const nsds_solver_info *info, void *user) {
  (void)simulation, (void)info;
  meddle(user, CHECK_SOLVER);
  return NSDS_CONTINUE;
}

/* Also makes the log handler and the allocator be called. */
static int sample(nsds_simulation *simulation, void *user) {
  scene *s = user;
  meddle(s, EVENTS);
  nsds_report(s->context, NSDS_ERROR_VALUE, "a message at t = %.17g", nsds_time(simulation));
  nsds_error_clear(s->context);
  return isnan(nsds_kinetic_energy(s->ball));
}

static void heard(nsds_log_level level, const char *message, void *user) {
  (void)level, (void)message;
  meddle(user, HOOKS);
}

static void *take(size_t size, void *user) {
  meddle(user, HOOKS);
  return malloc(size);
}

static void give(void *memory, void *user) {
  (void)user;
  free(memory);
}

/* ---- the scene ---- */

static void add_systems(scene *s) {
  nsds_model *m = s->model;
  s->body = nsds_lagrangian(m, &(nsds_lagrangian_def){.name = "body",
                                                      .ndof = 2,
                                                      .q0 = (double[]){-0.19, 0.4},
                                                      .mass_fn = mass,
                                                      .fint.fn = fint,
                                                      .fint.jac_q_fn = fint_q,
                                                      .fint.jac_v_fn = fint_v,
                                                      .fext_fn = fext,
                                                      .nz = 1,
                                                      .z = (double[]){1.0},
                                                      .user = s});
  s->plate = nsds_lagrangian_linear(m, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                     .mass = (double[]){1.0},
                                                                     .prescribed.n = 1,
                                                                     .prescribed.index = (int[]){0},
                                                                     .prescribed.fn = moved,
                                                                     .user = s});
  s->ball = nsds_lagrangian_linear(
      m,
      &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){1.0}, .q0 = (double[]){-1e-4}});
  nsds_ds_set_integrator(s->ball, &own);
  s->top = nsds_rigid_body(
      m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}});
  s->tank = nsds_first_order_linear(
      m, &(nsds_first_order_linear_def){.n = 1,
                                        .A = (double[]){-1.0},
                                        .b = (double[]){-1.0},
                                        .x0 = (double[]){0.01},
                                        .control.n = 1,
                                        .control.map = (double[]){1.0},
                                        .control.fn = nsds_zero,
                                        .ndata = 1,
                                        .data =
                                            &(nsds_operator_data){.function = nsds_zero, .nz = 1}});
}

static void connect_all(scene *s) {
  nsds_model *m = s->model;
  const double one = 1.0;
  const nsds_lagrangian_relation_def def = {
      .ny = 1,
      .nq = 2,
      .output_fn = gap,
      .jac_output_q_fn = gap_q,
      .bias_fn = nsds_zero,
      .nz = 1,
      .user = s,
      .ndata = 1,
      .data = &(nsds_operator_data){.function = nsds_zero, .nz = 1}};
  s->relation = nsds_lagrangian_relation(m, &def);
  s->unused = nsds_lagrangian_relation(m, &def);
  s->law = nsds_custom_law(m, &(nsds_custom_law_def){.ops = &law, .self = s});
  s->ia[0] = nsds_connect(m, s->relation, s->law, 1, &s->body);
  s->ia[1] = nsds_connect(m, s->relation, s->law, 1, &s->body);
  nsds_interaction_set_z(s->ia[1], 1, (double[]){0.5});
  nsds_relation *level = nsds_first_order_linear_relation(
      m, &(nsds_first_order_linear_relation_def){.ny = 1, .nx = 1, .C = &one, .B = &one});
  s->valve = nsds_connect(m, level, nsds_complementarity(m), 1, &s->tank);
  nsds_relation *angle = nsds_joint_coordinate(
      m,
      &(nsds_joint_coordinate_def){
          .kind = NSDS_COORDINATE_ANGLE, .ds = {s->top}, .axis = {0.0, 0.0, 1.0}, .offset = 1.0});
  s->hinge = nsds_connect(m, angle, nsds_newton_impact(m, 0.0), 1, &s->top);
  nsds_joint_drive_def act = {
      .coordinate = {.kind = NSDS_COORDINATE_ANGLE, .ds = {s->top}, .axis = {0.0, 0.0, 1.0}},
      .damping = 1e-3};
  s->drive = nsds_connect(m, nsds_joint_drive(m, &act), nsds_complementarity(m), 1, &s->top);
  nsds_relation *far = nsds_sphere_plane_relation(
      m, &(nsds_sphere_plane_relation_def){.rows = 1, .normal = {0.0, 0.0, 1.0}, .offset = -1e3});
  s->touch = nsds_connect(m, far, nsds_newton_impact(m, 0.0), 1, &s->top);
  s->set = nsds_custom_contact_set(
      m, &(nsds_custom_contact_set_def){.ops = &geometry, .self = s, .law = s->law});
  s->shapes = nsds_shapes(
      m, &(nsds_shapes_def){.law = s->law,
                            .nshape = 2,
                            .shape = (nsds_shape_def[]){
                                {.kind = NSDS_SPHERE, .ds = s->top, .radius = 1e-3},
                                {.kind = NSDS_SPHERE, .radius = 1e-3, .position = {1e4}}}});
  s->spare =
      nsds_lagrangian_linear(m, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){1.0}});
  s->plugin = nsds_plugin_open(m, NSDS_TEST_PLUGINS "/every_kind.so");
  s->laws = nsds_plugin_open(m, NSDS_TEST_PLUGINS "/laws_and_solvers.so");
}

static void make_tools(scene *s) {
  const double one = 1.0, minus = -1.0;
  const nsds_block row = {.set = NSDS_SET_NONNEGATIVE, .size = 1};
  const nsds_problem problem = {.n = 1,
                                .nblock = 1,
                                .block = &row,
                                .M = {.storage = NSDS_DENSE, .n = 1, .x = &one},
                                .q = &minus};
  assert_ok(s->model,
            nsds_problem_write(s->context, &problem, NULL, "inside_step.dat", NSDS_FORMAT_AUTO));
  s->file = nsds_problem_read(s->context, "inside_step.dat", NSDS_FORMAT_AUTO);
  s->tool = nsds_solver_create(s->context, "admm");
  nsds_output_open(s->context, "", "inside_step.out", &s->output);
  s->basis = nsds_solver_create(s->context, "enumeration");
  s->global = nsds_solver_create(s->context, "global");
}

void scene_build(scene *s) {
  static nsds_solver_ops solver = {.name = "scripted",
                                   .sets = NSDS_SET_NONNEGATIVE,
                                   .storages = NSDS_DENSE | NSDS_FACTORED,
                                   .reserve = room,
                                   .solve = sweep};
  const call *kept = s->call;
  s->call = NULL;
  driven = s;
  solver.user = s;
  s->context = nsds_context_create(&(nsds_context_def){
      .alloc = take, .release = give, .alloc_user = s, .log = heard, .log_user = s});
  s->model = nsds_model_create(s->context);
  assert_ok(s->model, nsds_solver_register(s->context, &solver));
  add_systems(s);
  connect_all(s);
  make_tools(s);
  assert_sound(s->model);
  const nsds_time_stepping_def def = {.t1 = 1e3,
                                      .h = 2e-3,
                                      .tolerance = 1e-6,
                                      .solver = "scripted",
                                      .check_solver = look,
                                      .check_solver_user = s};
  s->simulation = nsds_time_stepping(s->model, &def);
  s->other = nsds_time_stepping(s->model, &def);
  s->tree = nsds_tree_create(s->model);
  s->sensor = nsds_sensor_create(
      s->model, &(nsds_sensor_def){.name = "imu", .kind = NSDS_SENSOR_IMU, .ds = s->top});
  assert_sound(s->model);
  nsds_solver_set_progress(nsds_simulation_solver(s->simulation), progress, s);
  assert_ok(s->model, nsds_simulation_save(s->simulation));
  s->snapshot = nsds_snapshot_take(s->simulation);
  assert_non_null(s->snapshot);
  s->series = nsds_vtk_create(s->context, &(nsds_vtk_def){.path = "inside_step"});
  assert_non_null(s->series);
  assert_ok(s->model,
            nsds_simulation_sample(
                s->simulation, &(nsds_sampler_def){.period = 2e-3, .sample = sample, .user = s}));
  s->call = kept;
}

void scene_destroy(scene *s) {
  s->call = NULL;
  nsds_problem_file_destroy(s->file);
  nsds_snapshot_destroy(s->snapshot);
  nsds_vtk_destroy(s->series);
  nsds_solver_destroy(s->tool);
  if (s->output) nsds_output_close(s->output, false);
  nsds_solver_destroy(s->basis);
  nsds_solver_destroy(s->global);
  nsds_tree_destroy(s->tree);
  nsds_model_destroy(s->model);
  assert_int_equal(nsds_error(s->context), NSDS_OK);
  nsds_context_destroy(s->context);
}
