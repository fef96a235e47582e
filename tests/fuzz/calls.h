/* The calls of the fuzzer, by what they are about; their table is in calls.c. */
#ifndef NSDS_TEST_FUZZ_CALLS_H
#define NSDS_TEST_FUZZ_CALLS_H

#include "fuzz.h"

/* Systems to connect. */
typedef struct group {
  nsds_ds *ds[3];
  int count;
  int order;      /* 1, 2; 3: of both */
  int nx, nq, nv; /* summed */
  body_kind body; /* of all of them */
} group;

group choose_group(scene *s);
/* The scene that has the object; `s` where none has. */
scene *owner(scene *s, object_kind k, const void *object);
nsds_relation *make_relation(scene *s, nsds_model *model, const group *g, int ny);
nsds_law *make_law(scene *s, nsds_model *model, int size, int order);
/* One of ny rows or a part of it, old or new. */
nsds_law *choose_law(scene *s, nsds_model *model, int ny, int order);

/* A local problem of small size, whose memory is brief; nonzero q_error, odd numbers now and then. */
nsds_problem *choose_problem(void);
nsds_global_problem *choose_global(void);
uint64_t new_stamp(void);
/* At most some tens, or some hundreds. */
void few_iterations(nsds_solver *solver, bool more);
/* Blocks whose sizes sum to n. */
nsds_block *choose_blocks(int n, bool friction, int *count);

#define CALLS(X)                                                                                   \
  X(lagrangian_linear, 14, -1)                                                                     \
  X(lagrangian, 8, -1)                                                                             \
  X(rigid_body, 14, -1)                                                                            \
  X(rigid_body_2d, 10, -1)                                                                         \
  X(first_order_linear, 8, -1)                                                                     \
  X(first_order, 5, -1)                                                                            \
  X(second_order, 5, -1)                                                                           \
  X(first_order_system, 4, -1)                                                                     \
  X(relation, 8, SYSTEMS)                                                                          \
  X(spring, 12, SYSTEMS)                                                                           \
  X(ds_destroy, 14, SYSTEMS)                                                                       \
  X(tags, 8, -1)                                                                                   \
  X(relation_destroy, 6, RELATIONS)                                                                \
  X(law, 8, -1)                                                                                    \
  X(connect, 90, SYSTEMS)                                                                          \
  X(joint, 25, SYSTEMS)                                                                            \
  X(disconnect, 20, INTERACTIONS)                                                                  \
  X(contact_set, 12, SYSTEMS)                                                                      \
  X(balls, 8, SYSTEMS)                                                                             \
  X(spheres, 14, SYSTEMS)                                                                          \
  X(shapes, 16, SYSTEMS)                                                                           \
  X(shapes_change, 25, SETS)                                                                       \
  X(mass, 8, -1)                                                                                   \
  X(set_destroy, 10, SETS)                                                                         \
  X(time_stepping, 14, SYSTEMS)                                                                    \
  X(event_driven, 9, SYSTEMS)                                                                      \
  X(adaptive, 9, SYSTEMS)                                                                          \
  X(simulation_destroy, 8, SIMULATIONS)                                                            \
  X(step, 190, SIMULATIONS)                                                                        \
  X(run, 25, SIMULATIONS)                                                                          \
  X(stage, 60, SIMULATIONS)                                                                        \
  X(stages, 40, SIMULATIONS)                                                                       \
  X(event_half, 30, SIMULATIONS)                                                                   \
  X(window, 10, SIMULATIONS)                                                                       \
  X(save, 15, SIMULATIONS)                                                                         \
  X(restore, 15, SIMULATIONS)                                                                      \
  X(snapshot_save, 10, SIMULATIONS)                                                                \
  X(snapshot_load, 10, SIMULATIONS)                                                                \
  X(snapshot_memory, 10, SIMULATIONS)                                                              \
  X(snapshot_every, 6, SIMULATIONS)                                                                \
  X(sample, 10, SIMULATIONS)                                                                       \
  X(at, 15, SIMULATIONS)                                                                           \
  X(set_h, 12, SIMULATIONS)                                                                        \
  X(set_end, 12, SIMULATIONS)                                                                      \
  X(set_solver, 12, SIMULATIONS)                                                                   \
  X(set_state, 25, SYSTEMS)                                                                        \
  X(body_force, 12, SYSTEMS)                                                                       \
  X(set_x, 10, SYSTEMS)                                                                            \
  X(set_force, 8, INTERACTIONS)                                                                    \
  X(set_z, 25, SYSTEMS)                                                                            \
  X(discretise, 10, SYSTEMS)                                                                       \
  X(set_integrator, 8, SYSTEMS)                                                                    \
  X(read_systems, 15, SYSTEMS)                                                                     \
  X(read_interactions, 15, INTERACTIONS)                                                           \
  X(read_sets, 10, SETS)                                                                           \
  X(read_contacts, 10, SETS)                                                                       \
  X(read_shapes, 6, SETS)                                                                          \
  X(read_simulation, 25, SIMULATIONS)                                                              \
  X(evaluate, 15, SYSTEMS)                                                                         \
  X(model, 4, -1)                                                                                  \
  X(context, 6, -1)                                                                                \
  X(texts, 5, -1)                                                                                  \
  X(plugin, 6, -1)                                                                                 \
  X(solver, 10, -1)                                                                                \
  X(solver_set, 15, -1)                                                                            \
  X(solve, 20, -1)                                                                                 \
  X(enumerate, 6, -1)                                                                              \
  X(nonlinear, 8, -1)                                                                              \
  X(problem, 12, -1)                                                                               \
  X(own_problem, 12, SIMULATIONS)                                                                  \
  X(global_solver, 6, -1)                                                                          \
  X(global_solve, 12, -1)                                                                          \
  X(problem_file, 10, -1)                                                                          \
  X(global_file, 5, -1)                                                                            \
  X(vtk, 4, -1)                                                                                    \
  X(table, 2, -1)                                                                                  \
  X(act, 20, SYSTEMS)                                                                              \
  X(tree, 8, SYSTEMS)                                                                              \
  X(rollout, 10, SIMULATIONS)                                                                      \
  X(sensor, 10, SYSTEMS)

#define X(name, weight, needs) nsds_status call_##name(scene *s);
CALLS(X)
#undef X

#endif
