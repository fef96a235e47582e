/* Calls that get NULL where the object belongs: the message goes to the thread, not to a context.
 */
#include "bad_input.h"

#include <stdlib.h>

/* Constructors without a model. */
static nsds_status nowhere(const void *object) { return object ? NSDS_OK : NSDS_ERROR_ARGUMENT; }

static void *lone_alloc(size_t size, void *user) {
  (void)user;
  return malloc(size);
}

static const double one[1] = {1.0};
static const nsds_second_order_ops system_ops = {.type = "system"};
static const nsds_relation_ops relation_ops = {.type = "relation"};
static const nsds_law_ops law_ops = {.type = "law"};

/* clang-format off */
#define NULLS(X)                                                                             \
  X(null_model_lagrangian, ARGUMENT, W("nsds_lagrangian", "model is NULL"),                        \
    nowhere(nsds_lagrangian(NULL, &(nsds_lagrangian_def){.ndof = 1})))                             \
  X(null_model_lagrangian_linear, ARGUMENT, W("nsds_lagrangian_linear", "model is NULL"),          \
    nowhere(nsds_lagrangian_linear(NULL, &(nsds_lagrangian_linear_def){.ndof = 1})))               \
  X(null_model_rigid_body, ARGUMENT, W("nsds_rigid_body", "model is NULL"),                        \
    nowhere(nsds_rigid_body(NULL, &(nsds_rigid_body_def){.mass = 1.0})))                           \
  X(null_model_rigid_body_2d, ARGUMENT, W("nsds_rigid_body_2d", "model is NULL"),                  \
    nowhere(nsds_rigid_body_2d(NULL, &(nsds_rigid_body_2d_def){.mass = 1.0})))                     \
  X(null_model_contact, ARGUMENT, W("nsds_contact_relation", "model is NULL"),                     \
    nowhere(nsds_contact_relation(NULL, &(nsds_contact_relation_def){.rows = 1})))                 \
  X(null_model_sphere_plane, ARGUMENT, W("nsds_sphere_plane_relation", "model is NULL"),           \
    nowhere(nsds_sphere_plane_relation(NULL, &(nsds_sphere_plane_relation_def){.rows = 1})))       \
  X(null_model_spheres, ARGUMENT, W("nsds_sphere_sphere_relation", "model is NULL"),               \
    nowhere(nsds_sphere_sphere_relation(NULL, &(nsds_sphere_sphere_relation_def){.rows = 1})))     \
  X(null_model_joint, ARGUMENT, W("nsds_joint", "model is NULL"),                                  \
    nowhere(nsds_joint(NULL, &(nsds_joint_def){.kind = NSDS_JOINT_BALL})))                         \
  X(null_model_second_order, ARGUMENT, W("nsds_custom_second_order", "model is NULL"),                    \
    nowhere(nsds_custom_second_order(NULL, &(nsds_custom_second_order_def){.ops = &system_ops})))                  \
  X(null_model_linear_relation, ARGUMENT, W("nsds_lagrangian_linear_relation", "model is NULL"),   \
    nowhere(nsds_lagrangian_linear_relation(NULL,                                                  \
        &(nsds_lagrangian_linear_relation_def){.ny = 1})))                                         \
  X(null_model_curved, ARGUMENT, W("nsds_lagrangian_relation", "model is NULL"),                   \
    nowhere(nsds_lagrangian_relation(NULL, &(nsds_lagrangian_relation_def){.ny = 1})))             \
  X(null_model_relation_create, ARGUMENT, W("nsds_custom_relation", "model is NULL"),              \
    nowhere(nsds_custom_relation(NULL, &(nsds_custom_relation_def){.ops = &relation_ops})))                  \
  X(null_model_impact, ARGUMENT, W("nsds_newton_impact", "model is NULL"),                         \
    nowhere(nsds_newton_impact(NULL, 0.5)))                                                        \
  X(null_model_poisson, ARGUMENT, W("nsds_poisson_impact", "model is NULL"),                       \
    nowhere(nsds_poisson_impact(NULL, 0.5)))                                                       \
  X(null_model_distributing, ARGUMENT, W("nsds_distributing_impact", "model is NULL"),             \
    nowhere(nsds_distributing_impact(NULL,                                                         \
        &(nsds_distributing_impact_def){.stiffness = 1.0})))                                       \
  X(null_model_friction, ARGUMENT, W("nsds_newton_impact_friction", "model is NULL"),              \
    nowhere(nsds_newton_impact_friction(NULL, &(nsds_newton_impact_friction_def){.mu = 0.5})))     \
  X(null_model_fremond, ARGUMENT, W("nsds_fremond_impact_friction", "model is NULL"),              \
    nowhere(nsds_fremond_impact_friction(NULL, &(nsds_fremond_impact_friction_def){.mu = 0.5})))   \
  X(null_model_rolling, ARGUMENT, W("nsds_newton_impact_rolling", "model is NULL"),                \
    nowhere(nsds_newton_impact_rolling(NULL, &(nsds_newton_impact_rolling_def){.mu = 0.5})))       \
  X(null_model_complementarity, ARGUMENT, W("model is NULL"),                                      \
    nowhere(nsds_complementarity(NULL)))                                                           \
  X(null_model_equality, ARGUMENT, W("model is NULL"), nowhere(nsds_equality(NULL)))               \
  X(null_model_law_create, ARGUMENT, W("nsds_custom_law", "model is NULL"),                        \
    nowhere(nsds_custom_law(NULL, &(nsds_custom_law_def){.ops = &law_ops})))                               \
  X(null_model_connect, ARGUMENT, W("nsds_connect", "model is NULL"),                              \
    nowhere(nsds_connect(NULL, b->gap, b->impact, 1, &b->ball)))                                   \
  X(null_model_time_stepping, ARGUMENT, W("nsds_time_stepping", "model is NULL"),                  \
    nowhere(nsds_time_stepping(NULL, &(nsds_time_stepping_def){.t1 = 1.0, .h = 0.1})))             \
  X(null_model_plugin_open, ARGUMENT, W("nsds_plugin_open", "model is NULL"),                      \
    nowhere(nsds_plugin_open(NULL, "x.so")))                                                       \
  X(null_model_check_jacobians, ARGUMENT, W("nsds_check_jacobians", "model is NULL"),              \
    nsds_check_jacobians(NULL, 0.0, 0.0, NULL))                                                    \
  X(null_step, ARGUMENT, W("nsds_step", "simulation is NULL"), nsds_step(NULL))                    \
  X(null_run, ARGUMENT, W("simulation is NULL"), nsds_run(NULL))                                   \
  X(null_set_end, ARGUMENT, W("nsds_simulation_set_end", "NULL"),                                  \
    nsds_simulation_set_end(NULL, 1.0))                                                            \
  X(null_set_h, ARGUMENT, W("nsds_simulation_set_h", "NULL"), nsds_simulation_set_h(NULL, 1.0))    \
  X(null_rest, ARGUMENT, W("nsds_adaptive_rest", "NULL"), nsds_adaptive_rest(NULL, 0.0, 1.0))       \
  X(null_set_size, ARGUMENT, W("nsds_adaptive_set_size", "NULL"),                                 \
    nsds_adaptive_set_size(NULL, NULL))                                                            \
  X(null_set_solver, ARGUMENT, W("nsds_simulation_set_solver", "NULL"),                            \
    nsds_simulation_set_solver(NULL, "nsgs", 0.0))                                                  \
  X(null_snapshot_take, ARGUMENT, W("nsds_snapshot_take", "simulation is NULL"),                   \
    nowhere(nsds_snapshot_take(NULL)))                                                             \
  X(null_snapshot_restore, ARGUMENT, W("nsds_snapshot_restore", "simulation is NULL"),             \
    nsds_snapshot_restore(NULL, NULL))                                                             \
  X(null_snapshot_every, ARGUMENT, W("nsds_snapshot_every", "simulation is NULL"),                 \
    nsds_snapshot_every(NULL, NULL))                                                               \
  X(null_snapshot_from_bytes, ARGUMENT, W("nsds_snapshot_from_bytes", "context is NULL"),          \
    nowhere(nsds_snapshot_from_bytes(NULL, one, 8)))                                               \
  X(null_snapshot_save, ARGUMENT, W("nsds_snapshot_save", "simulation is NULL"),                   \
    nsds_snapshot_save(NULL, "x.nsds"))                                                            \
  X(null_solver_set, ARGUMENT, W("nsds_solver_set", "NULL"),                                       \
    nsds_solver_set(NULL, "tolerance", 0.1))                                                       \
  X(null_set_state, ARGUMENT, W("nsds_set_state", "ds is NULL"), nsds_set_state(NULL, one, one))   \
  X(null_ds_set_z, ARGUMENT, W("nsds_ds_set_z", "ds is NULL"), nsds_ds_set_z(NULL, 1, one))        \
  X(null_relation_set_z, ARGUMENT, W("nsds_relation_set_z", "relation is NULL"),                   \
    nsds_relation_set_z(NULL, 1, one))                                                             \
  X(null_disconnect, ARGUMENT, W("nsds_disconnect", "interaction is NULL"),                        \
    nsds_disconnect(NULL))                                                                         \
  X(null_body_force, ARGUMENT, W("nsds_set_body_force", "ds is NULL"),                             \
    nsds_set_body_force(NULL, one, one, NSDS_FRAME_WORLD))                                         \
  X(null_spring_read, ARGUMENT, W("nsds_spring_read", "interaction is NULL"),                      \
    nsds_spring_read(NULL, NULL))                                                                  \
  X(null_ds_destroy, ARGUMENT, W("nsds_ds_destroy", "ds is NULL"), nsds_ds_destroy(NULL))          \
  X(null_kinetic_energy, ARGUMENT, W("nsds_kinetic_energy", "ds is NULL"),                         \
    isnan(nsds_kinetic_energy(NULL)) ? NSDS_ERROR_ARGUMENT : NSDS_OK)                              \
  X(half_an_allocator, ARGUMENT, W("nsds_context_create", "alloc", "release is NULL"),             \
    nowhere(nsds_context_create(&(nsds_context_def){.alloc = lone_alloc})))

/* clang-format on */

NULLS(FUNCTION)

const misuse misuses_of_nulls[] = {NULLS(ORPHAN){0}};
