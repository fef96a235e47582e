/*
 * Rigid bodies: sizes, rotations, checks of definitions (body_check.c).
 *
 * Quaternions p = (w, x, y, z) with scalar part w give rotations. R(p) takes body to world
 * components, a_world = R(p) a_body. dp/dt = 1/2 p (x) (0, W), W the angular velocity in the body.
 * R depends on the direction of p only, not on its length.
 */
#ifndef NSDS_SRC_BODY_H
#define NSDS_SRC_BODY_H

#include "kernel/modeling/modeling.h"

/* Numbers of coordinates and velocities of a rigid body in space. */
enum { nsds_body_nq = 7, nsds_body_nv = 6 };

/* Tells if a system has the coordinates of a rigid body in space: place and quaternion. */
static inline bool nsds_turns_in_space(const nsds_ds *ds) {
  return ds->nq == nsds_body_nq && ds->nv == nsds_body_nv;
}
/* Tells if a system has the coordinates of a rigid body in the plane: place and angle. */
static inline bool nsds_turns_in_plane(const nsds_ds *ds) { return ds->nq == 3 && ds->nv == 3; }

static inline void nsds_cross(const double *a, const double *b, double *c) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double nsds_dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double nsds_length(const double *a) { return sqrt(nsds_dot(a, a)); }

/* Computes ab = a (x) b, Hamilton's product; not in place. */
static inline void nsds_quaternion_product(const double *a, const double *b, double *ab) {
  ab[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  ab[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  ab[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  ab[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

/* Computes R(p), column-major. The columns are the axes of the body. */
static inline void nsds_rotation_matrix(const double *p, double *R) {
  double w = p[0], x = p[1], y = p[2], z = p[3];
  double s = 2.0 / (w * w + x * x + y * y + z * z);
  R[0] = 1.0 - s * (y * y + z * z);
  R[1] = s * (x * y + w * z);
  R[2] = s * (x * z - w * y);
  R[3] = s * (x * y - w * z);
  R[4] = 1.0 - s * (x * x + z * z);
  R[5] = s * (y * z + w * x);
  R[6] = s * (x * z + w * y);
  R[7] = s * (y * z - w * x);
  R[8] = 1.0 - s * (x * x + y * y);
}

/* Computes b = R a; not in place. */
static inline void nsds_turn(const double *R, const double *a, double *b) {
  for (int i = 0; i < 3; ++i) b[i] = R[i] * a[0] + R[i + 3] * a[1] + R[i + 6] * a[2];
}

/* Computes b = R^T a; not in place. */
static inline void nsds_turn_back(const double *R, const double *a, double *b) {
  for (int i = 0; i < 3; ++i) b[i] = nsds_dot(R + 3 * i, a);
}

#endif
