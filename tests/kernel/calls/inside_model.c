/* Calls on models and simulations, see inside.h. */
#include "inside.h"

#include <stdlib.h>

static double one[4] = {1.0, 0.0, 0.0, 1.0};
static const double sphere[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};

static int touch(const nsds_arguments *in, nsds_body_contact *contact, void *user) {
  (void)in, (void)user;
  contact->normal[0] = 1.0;
  return 0;
}

static int unit(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

static int nothing(nsds_simulation *simulation, void *user) {
  (void)simulation, (void)user;
  return 0;
}

static nsds_status of_self(void *self, const nsds_arguments *in, double *out) {
  (void)self, (void)in;
  out[0] = 1.0;
  return NSDS_OK;
}

static void a_block(void *self, nsds_block *block) {
  (void)self;
  block->set = NSDS_SET_NONNEGATIVE;
}

static nsds_status no_contacts(void *self, double t, nsds_contacts *contacts) {
  (void)self, (void)t, (void)contacts;
  return NSDS_OK;
}

static const nsds_second_order_ops second = {.type = "a second", .mass = of_self, .force = of_self};
static const nsds_first_order_ops first = {.type = "a first", .rhs = of_self};
static const nsds_relation_ops relation = {
    .type = "a relation", .output = of_self, .jacobian_q = of_self};
static const nsds_law_ops law = {.type = "a law", .block = a_block};
static const nsds_geometry_ops geometry = {.type = "a geometry", .find = no_contacts};
static const nsds_lagrangian_relation_def gap = {
    .ny = 1, .nq = 1, .output_fn = unit, .jac_output_q_fn = unit};

/* A call that was not refused says that the simulation has no events. */
static nsds_status of_time_stepping(scene *s, nsds_status status) {
  if (status != NSDS_ERROR_ARGUMENT) return status;
  nsds_error_clear(s->context);
  return NSDS_OK;
}

/* Contacts go to the geometry's own list, which a step takes as they are: this one is far away. */
static nsds_status add_contact(scene *s) {
  return nsds_contacts_add(
      s->contacts,
      &(nsds_contact_point){.key = 7, .ds = {s->ball}, .y = (double[]){1e3}, .H = one});
}

static nsds_status take_snapshot(scene *s) {
  nsds_snapshot *taken = nsds_snapshot_take(s->simulation);
  nsds_snapshot_destroy(taken);
  return made(s, taken);
}

static nsds_status copy_snapshot(scene *s) {
  size_t size;
  const void *bytes = nsds_snapshot_bytes(s->snapshot, &size);
  nsds_snapshot *taken = nsds_snapshot_from_bytes(s->context, bytes, size);
  nsds_snapshot_destroy(taken);
  return made(s, taken);
}

static nsds_status destroy_snapshot(scene *s) {
  size_t size;
  const void *bytes = nsds_snapshot_bytes(s->snapshot, &size);
  nsds_snapshot *made_here = NULL;
  if (s->place != HOOKS) made_here = nsds_snapshot_from_bytes(s->context, bytes, size);
  nsds_snapshot_destroy(made_here);
  return left(s);
}

static nsds_joint_coordinate_def turning(const scene *s) {
  return (nsds_joint_coordinate_def){
      .kind = NSDS_COORDINATE_ANGLE, .ds = {s->top}, .axis = {0.0, 0.0, 1.0}};
}

enum { most_of_tree = 4096 };
static double tree_numbers[2 * most_of_tree], tree_state[most_of_tree];
static const double no_numbers[most_of_tree];

/* The tree of one free body at the origin. */
static const double *state_of_tree(const scene *s) {
  (void)s;
  tree_state[3] = 1.0;
  return tree_state;
}

/* The solver of the scene takes no equalities: the coupler goes again. */
static nsds_status couple(scene *s) {
  nsds_interaction *coupler = nsds_joint_couple(
      s->model,
      &(nsds_joint_couple_def){
          .nterm = 1, .term = &(nsds_joint_term){.coordinate = turning(s), .weight = 1.0}});
  if (coupler) nsds_disconnect(coupler);
  return made(s, coupler);
}

static nsds_status act(scene *s) {
  nsds_joint_actions parts;
  nsds_joint_act_def def = {.coordinate = turning(s), .damping = 1.0};
  nsds_status status = nsds_joint_act(s->model, &def, &parts);
  if (!status) nsds_disconnect(parts.spring);
  return status;
}

static nsds_sensor *sense(const scene *s) {
  return nsds_sensor_create(s->model, &(nsds_sensor_def){.kind = NSDS_SENSOR_MOTION, .ds = s->top});
}

/* The sensor of the scene stays where the call is refused. */
static nsds_status destroy_sensor(scene *s) {
  nsds_sensor_destroy(s->expected ? sense(s) : s->sensor);
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

static const nsds_quantity *energy_quantity(void) {
  return nsds_quantity_find(NSDS_OWNER_SYSTEM, "kinetic_energy");
}

/* clang-format off */
#define CALLS                                                                                      \
  MADE(nsds_model_context, s->model)                                                               \
  READ(nsds_ds_count, s->model)                                                                    \
  MADE(nsds_ds_at, s->model, 0)                                                                    \
  READ(nsds_ds_index, s->ball)                                                                     \
  READ(nsds_interaction_count, s->model)                                                           \
  MADE(nsds_interaction_at, s->model, 0)                                                           \
  READ(nsds_interaction_ds_count, s->ia[0])                                                        \
  MADE(nsds_interaction_ds, s->ia[0], 0)                                                           \
  READ(nsds_linked_interactions, s->ia[0], 0, NULL)                                                \
  MADE(nsds_ds_name, s->body)                                                                      \
  MADE(nsds_model_name, s->model)                                                                  \
  READ(nsds_model_user, s->model)                                                                  \
  SAYS(nsds_model_set_name, s->model, "named")                                                     \
  SAYS(nsds_model_set_user, s->model, NULL)                                                        \
  MADE(nsds_relation_name, s->relation)                                                            \
  READ(nsds_relation_user, s->relation)                                                            \
  SAYS(nsds_relation_set_name, s->relation, "named")                                               \
  SAYS(nsds_relation_set_user, s->relation, NULL)                                                  \
  MADE(nsds_law_name, s->law)                                                                      \
  READ(nsds_law_user, s->law)                                                                      \
  SAYS(nsds_law_set_name, s->law, "named")                                                         \
  SAYS(nsds_law_set_user, s->law, NULL)                                                            \
  MADE(nsds_contact_set_name, s->set)                                                              \
  READ(nsds_contact_set_user, s->set)                                                              \
  SAYS(nsds_contact_set_set_name, s->set, "named")                                                 \
  SAYS(nsds_contact_set_set_user, s->set, NULL)                                                    \
  MADE(nsds_simulation_name, s->simulation)                                                        \
  READ(nsds_simulation_user, s->simulation)                                                        \
  SAYS(nsds_simulation_set_name, s->simulation, "named")                                           \
  SAYS(nsds_simulation_set_user, s->simulation, NULL)                                              \
  READ(nsds_ds_user, s->body)                                                                      \
  SAYS(nsds_ds_set_name, s->body, "named")                                                         \
  SAYS(nsds_ds_set_user, s->body, NULL)                                                            \
  READ(nsds_interaction_user, s->ia[1])                                                            \
  SAYS(nsds_interaction_set_name, s->ia[1], "named")                                               \
  SAYS(nsds_interaction_set_user, s->ia[1], NULL)                                                  \
  X(nsds_spring_read, nsds_spring_motion motion; bool other =                                      \
    nsds_spring_read(s->ia[0], &motion) == NSDS_ERROR_ARGUMENT; return other ? NSDS_OK : left(s))  \
  READ(nsds_state_moves, s->model)                                                                 \
  MADE(nsds_q, s->body)                                                                            \
  MADE(nsds_v, s->body)                                                                            \
  READ(nsds_nq, s->body)                                                                           \
  READ(nsds_nv, s->body)                                                                           \
  MADE(nsds_p, s->body)                                                                            \
  MADE(nsds_prescribed_force, s->body)                                                                     \
  MADE(nsds_x, s->tank)                                                                            \
  READ(nsds_nx, s->tank)                                                                           \
  MADE(nsds_r, s->tank)                                                                            \
  MADE(nsds_ds_z, s->body)                                                                         \
  MADE(nsds_interaction_name, s->ia[1])                                                            \
  MADE(nsds_interaction_z, s->ia[1])                                                               \
  MADE(nsds_relation_z, s->relation)                                                               \
  READ(nsds_interaction_size, s->ia[0])                                                            \
  MADE(nsds_y, s->ia[0])                                                                           \
  MADE(nsds_ydot, s->ia[0])                                                                        \
  MADE(nsds_impulse, s->ia[0])                                                                     \
  MADE(nsds_lambda, s->ia[0])                                                                      \
  READ(nsds_is_active, s->ia[0])                                                                   \
  READ(nsds_is_on, s->ia[0])                                                                       \
  MADE(nsds_interaction_relation, s->ia[0])                                                        \
  X(nsds_joint_drive_read, nsds_joint_drive_motion motion;                                         \
    return nsds_joint_drive_read(s->drive, &motion))                                               \
  SAYS(nsds_joint_drive_set, s->drive, 0.0, 0.0, 0.0)                                              \
  MADE(nsds_joint_drive, s->model,                                                                 \
       &(nsds_joint_drive_def){.coordinate = turning(s), .damping = 1.0})                          \
  X(nsds_joint_couple, return couple(s))                                                           \
  X(nsds_joint_act, return act(s))                                                                 \
  X(nsds_tree_create, nsds_tree *tree = nsds_tree_create(s->model); nsds_tree_destroy(tree);       \
    return made(s, tree))                                                                          \
  DOES(nsds_tree_destroy, NULL)                                                                    \
  READ(nsds_tree_size, s->tree)                                                                    \
  READ(nsds_tree_nq, s->tree)                                                                      \
  READ(nsds_tree_nu, s->tree)                                                                      \
  READ(nsds_tree_left, s->tree, 0)                                                                 \
  X(nsds_tree_at, nsds_tree_body body; return nsds_tree_at(s->tree, 0, &body))                     \
  SAYS(nsds_tree_get_state, s->tree, tree_numbers, tree_numbers + most_of_tree)                    \
  SAYS(nsds_tree_set_state, s->tree, state_of_tree(s), NULL)                                       \
  SAYS(nsds_tree_forward, s->tree, state_of_tree(s), no_numbers, tree_numbers,                     \
       tree_numbers + most_of_tree)                                                                \
  SAYS(nsds_tree_mass, s->tree, state_of_tree(s), tree_numbers)                                    \
  SAYS(nsds_tree_bias, s->tree, state_of_tree(s), no_numbers, tree_numbers)                        \
  SAYS(nsds_tree_inverse, s->tree, state_of_tree(s), no_numbers, no_numbers, tree_numbers)         \
  SAYS(nsds_tree_dynamics, s->tree, state_of_tree(s), no_numbers, no_numbers, tree_numbers)        \
  SAYS(nsds_tree_jacobian, s->tree, state_of_tree(s), 0, (const double[3]){0.0}, tree_numbers)     \
  X(nsds_tree_sum, nsds_tree_sums sums;                                                            \
    return nsds_tree_sum(s->tree, state_of_tree(s), no_numbers, &sums))                            \
  READ(nsds_sensor_count, s->model)                                                                \
  MADE(nsds_sensor_at, s->model, 0)                                                                \
  MADE(nsds_sensor_name, s->sensor)                                                                \
  MADE(nsds_sensor_find, s->model, "imu")                                                          \
  READ(nsds_sensor_size, s->sensor)                                                                \
  MADE(nsds_sensor_unit, s->sensor, 0)                                                             \
  SAYS(nsds_sensor_read, s->sensor, tree_numbers)                                                  \
  X(nsds_quantity_table, return made(s, nsds_quantity_table()))                                    \
  MADE(nsds_quantity_find, NSDS_OWNER_SYSTEM, "kinetic_energy")                                    \
  READ(nsds_quantity_size, energy_quantity(), s->body)                                             \
  MADE(nsds_quantity_unit, energy_quantity(), s->body, 0)                                          \
  READ(nsds_quantity_moment, energy_quantity(), s->simulation, s->body, 0)                         \
  READ(nsds_quantity_read, energy_quantity(), s->simulation, s->body, 0)                           \
  X(nsds_sensor_create, nsds_sensor *sensor = sense(s); if (sensor) nsds_sensor_destroy(sensor);   \
    return made(s, sensor))                                                                        \
  X(nsds_sensor_destroy, return destroy_sensor(s))                                                 \
  READ(nsds_rollout_size, s->model)                                                                \
  SAYS(nsds_rollout_state, s->model, tree_numbers)                                                 \
  SAYS(nsds_rollout, s->simulation, &(nsds_rollout_def){.steps = 1}, NULL)                         \
  X(nsds_joint_read, nsds_joint_motion motion; return nsds_joint_read(s->hinge, &motion))          \
  X(nsds_joint_points, double a[3], b[3]; return nsds_joint_points(s->hinge, a, b))  \
  READ(nsds_model_contact_set_count, s->model)                                                     \
  MADE(nsds_model_contact_set_at, s->model, 0)                                                     \
  READ(nsds_ds_describe, s->body)                                                                  \
  READ(nsds_ds_point, s->body, 0.0, NULL, NULL)                                                    \
  READ(nsds_contact_set_count, s->set)                                                             \
  X(nsds_contact_set_get, nsds_contact_info info;                                                  \
    return nsds_contact_set_count(s->set) ? nsds_contact_set_get(s->set, 0, &info) : NSDS_OK)      \
  X(nsds_shapes_at, nsds_shape_info shape; return nsds_shapes_at(s->shapes, 0, &shape))            \
  X(nsds_shapes_get, nsds_shape_info shape; return nsds_shapes_get(s->shapes, 0, &shape))          \
  READ(nsds_shapes_of_body, s->shapes, s->top, 0, NULL)                                            \
  READ(nsds_shapes_count, s->shapes)                                                               \
  X(nsds_interaction_contact, nsds_contact_info info;                                              \
    return nsds_interaction_contact(s->touch, &info))                                              \
  DOES(nsds_set_contacts, s->set)                                                                  \
  DOES(nsds_body_contacts, s->top)                                                                 \
  DOES(nsds_model_contacts, s->model)                                                              \
  X(nsds_next_contact, nsds_contact_iterator at = nsds_model_contacts(s->model);                   \
    nsds_contact_info info;                                                                        \
    while (nsds_next_contact(&at, &info))                                                          \
      if (info.rows < 1) return NSDS_ERROR_VALUE;                                                  \
    return left(s))                                                                                \
  X(nsds_plugin_solver, nsds_status status = nsds_plugin_solver(s->plugin, "absent");              \
    bool there = status == NSDS_ERROR_PLUGIN; return there ? NSDS_OK : status)                     \
  X(nsds_plugin_get, return made(s, (void *)(uintptr_t)nsds_plugin_get(s->plugin, "t", NSDS_KIND_FEXT)))     \
  READ(nsds_time, s->simulation)                                                                   \
  READ(nsds_step_count, s->simulation)                                                             \
  READ(nsds_simulation_end, s->simulation)                                                         \
  MADE(nsds_simulation_info, s->simulation)                                                        \
  READ(nsds_simulation_displacement, s->simulation, s->body)                                       \
  MADE(nsds_simulation_solver, s->simulation)                                                      \
  READ(nsds_simulation_problem, s->simulation)                                                     \
  X(nsds_event_ahead, return nsds_event_ahead(s->simulation) ? NSDS_OK : NSDS_ERROR_STATE)         \
  READ(nsds_event_next, s->simulation)                                                             \
  READ(nsds_simulation_event, s->simulation)                                                       \
  READ(nsds_adaptive_stages, s->simulation, (nsds_adaptive_stage[2]){{0}})                         \
  READ(nsds_adaptive_is_on, s->simulation, 0)                                                      \
  READ(nsds_simulation_adaptive, s->simulation)                                                    \
  READ(nsds_event_impact_problem, s->simulation)                                                   \
  READ(nsds_event_impact_solution, s->simulation)                                                  \
  READ(nsds_event_force_problem, s->simulation)                                                    \
  READ(nsds_event_force_solution, s->simulation)                                                   \
  READ(nsds_event_problem_count, s->simulation)                                                    \
  READ(nsds_event_impact_solver, s->simulation)                                                    \
  READ(nsds_event_row_count, s->simulation)                                                        \
  READ(nsds_event_past_count, s->simulation)                                                       \
  READ(nsds_simulation_scheduled_count, s->simulation)                                             \
  X(nsds_event_problem_at, nsds_event_problem_info info;                                           \
    return nsds_event_problem_count(s->simulation) ? nsds_event_problem_at(s->simulation, 0, &info)\
                                                   : NSDS_OK)                                      \
  X(nsds_event_past_at, nsds_event_record past;                                                    \
    return nsds_event_past_count(s->simulation) ? nsds_event_past_at(s->simulation, 0, &past) : NSDS_OK)\
  X(nsds_simulation_scheduled_at, nsds_scheduled at;                                               \
    return nsds_simulation_scheduled_count(s->simulation)                                          \
               ? nsds_simulation_scheduled_at(s->simulation, 0, &at) : NSDS_OK)                    \
  X(nsds_event_row_at, nsds_event_row_state row;                                                   \
    return of_time_stepping(s, nsds_event_row_at(s->simulation, 0, &row)))                         \
  X(nsds_event_force, double p[6];                                                                 \
    return of_time_stepping(s, nsds_event_force(s->simulation, s->body, p)))                       \
  X(nsds_event_set_impact_solver,                                                                  \
    return of_time_stepping(s, nsds_event_set_impact_solver(s->simulation, "scripted", 0.0)))      \
  SAYS(nsds_ds_rates, s->body, 0.0, NULL, NULL)                                                    \
  READ(nsds_simulation_solution, s->simulation)                                                    \
  READ(nsds_kinetic_energy, s->body)                                                               \
  READ(nsds_simulation_velocity_error, s->simulation)                                              \
  SAYS(nsds_check_jacobians, s->model, 0.1, 1.0, NULL)                                             \
  READ(nsds_relative_degree, s->valve, 0, 0.0)                                                     \
  SAYS(nsds_simulation_set_solver, s->simulation, "scripted", 0.0)                                 \
  MADE(nsds_lagrangian, s->model, &(nsds_lagrangian_def){.ndof = 1, .mass = one})                  \
  MADE(nsds_lagrangian_linear, s->model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = one})    \
  MADE(nsds_rigid_body, s->model, &(nsds_rigid_body_def){.mass = 1.0, .inertia = sphere})          \
  MADE(nsds_rigid_body_2d, s->model, &(nsds_rigid_body_2d_def){.mass = 1.0, .inertia = 1.0})       \
  MADE(nsds_first_order, s->model, &(nsds_first_order_def){.n = 1})                                \
  MADE(nsds_first_order_linear, s->model, &(nsds_first_order_linear_def){.n = 1})                  \
  MADE(nsds_custom_second_order, s->model, &(nsds_custom_second_order_def){.ops = &second, .ndof = 1})           \
  MADE(nsds_custom_first_order, s->model, &(nsds_custom_first_order_def){.ops = &first, .n = 1})   \
  MADE(nsds_lagrangian_linear_relation, s->model,                                                  \
       &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = one})                         \
  MADE(nsds_lagrangian_relation, s->model, &gap)                                      \
  MADE(nsds_contact_relation, s->model, &(nsds_contact_relation_def){.contact_fn = touch})         \
  MADE(nsds_sphere_plane_relation, s->model,                                                       \
       &(nsds_sphere_plane_relation_def){.normal = {1.0}})                                         \
  MADE(nsds_sphere_sphere_relation, s->model,                                                      \
       &(nsds_sphere_sphere_relation_def){.radius = {1.0, 1.0}})                                   \
  MADE(nsds_joint_coordinate, s->model,                                                            \
       &(nsds_joint_coordinate_def){                                                               \
           .kind = NSDS_COORDINATE_ANGLE, .ds = {s->top}, .axis = {0.0, 0.0, 1.0}})                \
  MADE(nsds_joint, s->model,                                                                       \
       &(nsds_joint_def){.kind = NSDS_JOINT_BALL, .ds = {s->top}})                                 \
  MADE(nsds_first_order_linear_relation, s->model,                                                             \
       &(nsds_first_order_linear_relation_def){.ny = 1, .nx = 1, .C = one, .B = one})                          \
  MADE(nsds_mixed_linear_relation, s->model,                                                       \
       &(nsds_mixed_linear_relation_def){.ny = 1, .nq = 1, .E = one, .L = one})                    \
  MADE(nsds_mixed_relation, s->model,                                                              \
       &(nsds_mixed_relation_def){.ny = 1, .nq = 1, .output_fn = unit, .jac_output_q_fn = unit,              \
                                  .jac_output_v_fn = unit, .input_fn = unit, .jac_input_lambda_fn = unit})      \
  MADE(nsds_first_order_relation, s->model,                                                          \
       &(nsds_first_order_relation_def){.ny = 1, .nx = 1, .output_fn = unit, .jac_output_x_fn = unit,          \
                                      .input_fn = unit, .jac_input_lambda_fn = unit})                      \
  MADE(nsds_custom_relation, s->model, &(nsds_custom_relation_def){.ops = &relation, .ny = 1, .nq = 1})   \
  SAYS(nsds_ds_destroy, s->spare)                                                                  \
  SAYS(nsds_relation_destroy, s->unused)                                                           \
  MADE(nsds_newton_impact, s->model, 0.5)                                                          \
  MADE(nsds_poisson_impact, s->model, 0.5)                                                         \
  MADE(nsds_distributing_impact, s->model, &(nsds_distributing_impact_def){.stiffness = 1.0})      \
  MADE(nsds_newton_impact_friction, s->model, &(nsds_newton_impact_friction_def){.mu = 0.5})       \
  MADE(nsds_fremond_impact_friction, s->model, &(nsds_fremond_impact_friction_def){.mu = 0.5})     \
  MADE(nsds_newton_impact_rolling, s->model, &(nsds_newton_impact_rolling_def){.mu = 0.5})         \
  MADE(nsds_complementarity, s->model)                                                             \
  MADE(nsds_equality, s->model)                                                                    \
  MADE(nsds_relay, s->model, 1, (double[]){-1.0}, one)                                             \
  MADE(nsds_saturation, s->model, 1, (double[]){-1.0}, one, 1.0)                                   \
  MADE(nsds_normal_cone, s->model, 1, 1, one, one)                                                 \
  MADE(nsds_custom_law, s->model, &(nsds_custom_law_def){.ops = &law})                                    \
  MADE(nsds_spring, s->model, &(nsds_spring_def){.ds = {s->top}, .stiffness = 1.0})                \
  MADE(nsds_connect, s->model, s->relation, s->law, 1, &s->body)                                   \
  SAYS(nsds_disconnect, s->ia[1])                                                                  \
  MADE(nsds_custom_contact_set, s->model,                                                          \
       &(nsds_custom_contact_set_def){.ops = &geometry, .law = s->law})                                   \
  SAYS(nsds_contact_set_destroy, s->set)                                                           \
  SAYS(nsds_contact_set_choose, s->shapes, NULL, NULL)                                             \
  MADE(nsds_balls, s->model, &(nsds_balls_def){.law = s->law, .count = 1, .ds = &s->body,          \
                                               .dimension = 2, .radius = 1e-3, .normal = one})     \
  MADE(nsds_spheres, s->model, &(nsds_spheres_def){.law = s->law, .count = 1, .ds = &s->top,       \
        .radius = 1e-3, .nplane = 1, .plane = &(nsds_plane){{0.0, 0.0, 1.0}, -1e3}})               \
  MADE(nsds_shapes, s->model, &(nsds_shapes_def){.law = s->law})                                   \
  X(nsds_shapes_add, bool there = nsds_shapes_add(s->shapes, &(nsds_shape_def){.kind = NSDS_SPHERE,\
        .radius = 1e-3, .position = {1e3}}) >= 0; return there ? NSDS_OK : left(s))                \
  SAYS(nsds_shapes_name, s->shapes, 0, 7)                                                          \
  SAYS(nsds_shapes_remove, s->shapes, 0)                                                           \
  SAYS(nsds_shapes_exclude, s->shapes, s->top, NULL)                                               \
  SAYS(nsds_shapes_include, s->shapes, s->top, NULL)                                               \
  X(nsds_shapes_cast, nsds_shape_hit hit; nsds_ray ray = {.direction = {1.0}};                     \
        return nsds_shapes_cast(s->shapes, 1, &ray, &hit))                                         \
  X(nsds_shapes_nearest, nsds_shape_hit hit;                                                       \
        return nsds_shapes_nearest(s->shapes, (double[3]){0.0}, 0.0, NULL, &hit))                  \
  X(nsds_shapes_in_ball, bool asked = nsds_shapes_in_ball(s->shapes, (double[3]){0.0}, 1.0, NULL,  \
        0, NULL) >= 0; return asked ? NSDS_OK : left(s))                                           \
  X(nsds_shapes_gap, nsds_shape_gap apart; return nsds_shapes_gap(s->shapes, 0, 1, &apart))        \
  SAYS(nsds_shapes_remove_body, s->shapes, s->top)                                                 \
  MADE(nsds_plugin_law, s->laws, "clutch", 2, (double[]){1.0, 0.0})                                \
  MADE(nsds_plugin_open, s->model, NSDS_TEST_PLUGINS "/every_kind.so")                             \
  SAYS(nsds_set_state, s->body, one, NULL)                                                         \
  SAYS(nsds_write_vtk, s->series, s->model, 0.0)                                                   \
  SAYS(nsds_set_body_force, s->top, (double[]){0.0, 0.0, 1e-3}, NULL, NSDS_FRAME_WORLD)            \
  SAYS(nsds_set_x, s->tank, one)                                                                   \
  SAYS(nsds_set_r, s->tank, one)                                                                   \
  SAYS(nsds_set_lambda, s->ia[1], one)                                                              \
  X(nsds_set_on, nsds_status other = nsds_set_on(s->ia[1], true); /* no switch */                   \
    return other == NSDS_ERROR_UNSUPPORTED ? NSDS_OK : other)                                      \
  SAYS(nsds_joint_set_turns, s->hinge, 7.0)                                                        \
  SAYS(nsds_ds_set_z, s->body, 1, one)                                                             \
  SAYS(nsds_relation_set_z, s->relation, 1, one)                                                   \
  SAYS(nsds_ds_set_operator_z, s->tank, nsds_zero, 1, one)                                         \
  SAYS(nsds_relation_set_operator_z, s->relation, nsds_zero, 1, one)                               \
  SAYS(nsds_interaction_set_z, s->ia[1], 1, one)                                                   \
  SAYS(nsds_ds_set_integrator, s->body, nsds_integrator_named("default"))                          \
  SAYS(nsds_ds_discretise, s->body, nsds_moreau_jean(0.5, 1.0))                                        \
  X(nsds_time_stepping, nsds_error_clear(s->context); return made(s, nsds_time_stepping(           \
        s->model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1})))                                \
  X(nsds_event_driven, nsds_error_clear(s->context);                                               \
    bool there = nsds_event_driven(s->model, &(nsds_event_driven_def){.t1 = 1.0});                 \
    bool refused = nsds_error(s->context) == NSDS_ERROR_UNSUPPORTED; /* of this model */           \
    return there || refused ? NSDS_OK : left(s))                                                   \
  X(nsds_adaptive, nsds_error_clear(s->context);                                                   \
    bool there = nsds_adaptive(s->model, &(nsds_adaptive_def){.t1 = 1.0});                         \
    bool refused = nsds_error(s->context) == NSDS_ERROR_UNSUPPORTED; /* of this model */           \
    return there || refused ? NSDS_OK : left(s))                                                   \
  SAYS(nsds_simulation_set_end, s->simulation, 2e3)                                                \
  SAYS(nsds_simulation_set_h, s->simulation, 1e-3)                                                 \
  SAYS(nsds_adaptive_rest, s->simulation, 0.0, 1.0)                                                \
  SAYS(nsds_adaptive_set_size, s->simulation, NULL)                                                \
  SAYS(nsds_simulation_sample, s->simulation,                                                      \
       &(nsds_sampler_def){.period = 1.0, .phase = 1.0, .sample = nothing})                        \
  SAYS(nsds_simulation_at, s->simulation, &(nsds_event_def){.time = 1e3, .call = nothing})         \
  SAYS(nsds_step, s->simulation)                                                                   \
  X(nsds_run, return nsds_run(s->simulation))                                                      \
  SAYS(nsds_step_begin, s->simulation)                                                             \
  SAYS(nsds_step_solve, s->simulation)                                                             \
  SAYS(nsds_step_take, s->simulation, one)                                                         \
  SAYS(nsds_event_meet, s->simulation)                                                             \
  SAYS(nsds_event_window, s->simulation, 0.1, 10)                                                  \
  SAYS(nsds_event_process, s->simulation)                                                          \
  SAYS(nsds_step_update, s->simulation)                                                            \
  SAYS(nsds_step_accept, s->simulation)                                                            \
  SAYS(nsds_step_reject, s->simulation)                                                            \
  SAYS(nsds_simulation_save, s->simulation)                                                        \
  SAYS(nsds_simulation_restore, s->simulation)                                                     \
  SAYS(nsds_snapshot_save, s->simulation, "inside.nsds")                                           \
  SAYS(nsds_snapshot_load, s->simulation, "inside.nsds")                                           \
  X(nsds_snapshot_take, return take_snapshot(s))                                                   \
  SAYS(nsds_snapshot_restore, s->simulation, s->snapshot)                                          \
  SAYS(nsds_snapshot_every, s->simulation, NULL)                                                   \
  READ(nsds_snapshot_bytes, s->snapshot, NULL)                                                     \
  X(nsds_snapshot_from_bytes, return copy_snapshot(s))                                             \
  X(nsds_snapshot_destroy, return destroy_snapshot(s))                                             \
  DOES(nsds_simulation_destroy, s->simulation)                                                     \
  DOES(nsds_model_destroy, s->model)                                                               \
  X(nsds_contacts_add, return add_contact(s))
/* clang-format on */

#define X(name, ...) DEFINE(name, __VA_ARGS__)
CALLS
#undef X
#define X ROW
const call model_calls[] = {CALLS{0}};
