/*
 * A double pendulum in its angles, of masses and lengths 1, so that M depends on q:
 *
 *     M = (2, c; c, 1),   N = (s v2^2 + 2 g sin q1, -s v1^2 + g sin q2),   c, s of q1 - q2
 */
#ifndef NSDS_TEST_DOUBLE_PENDULUM_H
#define NSDS_TEST_DOUBLE_PENDULUM_H

#include <nsds/nsds.h>

#include <math.h>

static const double double_pendulum_g = 9.81;
static const double double_pendulum_start[] = {1.2, -0.4};

static inline int double_pendulum_mass(const nsds_arguments *in, double *M, void *user) {
  (void)user;
  M[0] = 2.0;
  M[1] = M[2] = cos(in->q[0] - in->q[1]);
  M[3] = 1.0;
  return 0;
}

static inline int double_pendulum_forces(const nsds_arguments *in, double *out, void *user) {
  const double g = double_pendulum_g, s = sin(in->q[0] - in->q[1]);
  (void)user;
  out[0] = s * in->v[1] * in->v[1] + 2.0 * g * sin(in->q[0]);
  out[1] = -s * in->v[0] * in->v[0] + g * sin(in->q[1]);
  return 0;
}

/* At rest at its start. */
static inline nsds_ds *double_pendulum(nsds_model *model) {
  return nsds_lagrangian(model, &(nsds_lagrangian_def){.ndof = 2,
                                                       .q0 = double_pendulum_start,
                                                       .mass_fn = double_pendulum_mass,
                                                       .nnl.fn = double_pendulum_forces,
                                                       .nnl.jac_q_fn = nsds_differences,
                                                       .nnl.jac_v_fn = nsds_differences});
}

#endif
