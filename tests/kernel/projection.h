/* A body, in space or in the plane, for the tests of projection. */
#ifndef NSDS_TEST_KERNEL_PROJECTION_H
#define NSDS_TEST_KERNEL_PROJECTION_H

#include "support.h"

static const double g = 9.81;

static inline nsds_ds *body(nsds_model *m, bool plane, const double *x, const double *v,
                            double weight) {
  static const double J[9] = {0.03, 0.002, 0, 0.002, 0.02, 0.001, 0, 0.001, 0.025};
  const double q[7] = {x[0], x[1], x[2], 0.8, 0.0, 0.6, 0.0};
  if (plane)
    return nsds_rigid_body_2d(
        m, &(nsds_rigid_body_2d_def){
               .mass = 1.5, .inertia = 0.02, .q0 = x, .v0 = v, .gravity = {0.0, -weight}});
  return nsds_rigid_body(
      m, &(nsds_rigid_body_def){
             .mass = 1.5, .inertia = J, .q0 = q, .v0 = v, .gravity = {0.0, 0.0, -weight}});
}

#endif
