/*
 * Robots: bodies on joints with motors. A motor gives its torque, or force, between two bodies; it is
 * sampled once a step and held.
 */
#ifndef NSDS_BENCH_JOINTED_H
#define NSDS_BENCH_JOINTED_H

#include "stepping.h"

#include <math.h>
#include <string.h>

enum { jointed_inputs = 6 }; /* of each body: force and moment in the world */

static inline int jointed_force(const nsds_arguments *in, double *f, void *user) {
  (void)user;
  for (int k = 0; k < 3; ++k) f[k] = in->z[k];
  return 0;
}

static inline int jointed_moment(const nsds_arguments *in, double *n, void *user) {
  (void)user;
  for (int k = 0; k < 3; ++k) n[k] = in->z[3 + k];
  return 0;
}

/* A box of these edges and mass, turned by `angle` about the y axis of the world. */
static inline nsds_ds *jointed_body(nsds_model *model, const char *name, double mass,
                                    const double edge[3], const double at[3], double angle) {
  double a = edge[0] * edge[0], b = edge[1] * edge[1], c = edge[2] * edge[2], m = mass / 12.0;
  double J[9] = {m * (b + c), 0, 0, 0, m * (a + c), 0, 0, 0, m * (a + b)};
  double q0[7] = {at[0], at[1], at[2], cos(0.5 * angle), 0, sin(0.5 * angle), 0};
  return nsds_rigid_body(model, &(nsds_rigid_body_def){.name = name,
                                                       .mass = mass,
                                                       .inertia = J,
                                                       .q0 = q0,
                                                       .gravity = {0, 0, -9.81},
                                                       .force.fn = jointed_force,
                                                       .force.jac_q_fn = nsds_zero,
                                                       .force.jac_v_fn = nsds_zero,
                                                       .moment.fn = jointed_moment,
                                                       .moment.jac_q_fn = nsds_zero,
                                                       .moment.jac_v_fn = nsds_zero,
                                                       .moment.in_world = true,
                                                       .nz = jointed_inputs});
}

/* The variants of our own side: "whole" leaves equalities to the methods, others name a method. */
static inline int jointed_choose(const stepping *s, const char *variant) {
  nsds_simulation *simulation = s->simulation;
  if (!*variant) return 1;
  nsds_status status = strcmp(variant, "whole") == 0
                           ? nsds_solver_set(nsds_simulation_solver(simulation), "presolve", 0.0)
                           : nsds_simulation_set_solver(simulation, variant, 0.0);
  if (status) fprintf(stderr, "%s\n", nsds_error_message(nsds_model_context(s->model)));
  return status == NSDS_OK;
}

#endif
