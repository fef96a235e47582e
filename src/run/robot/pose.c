/* Places in space, see pose.h. Rotations go through matrices where a vector is turned. */
#include "run/robot/pose.h"

#include <math.h>
#include <string.h>

nsds_pose nsds_pose_identity(void) { return (nsds_pose){.q = {1.0, 0.0, 0.0, 0.0}}; }

void nsds_quaternion_times(const double a[4], const double b[4], double out[4]) {
  const double r[4] = {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                       a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                       a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                       a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
  memcpy(out, r, sizeof r);
}

void nsds_pose_matrix(const double q[4], double m[9]) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double r[9] = {
      1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z),       2.0 * (x * z + w * y),
      2.0 * (x * y + w * z),       1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x),
      2.0 * (x * z - w * y),       2.0 * (y * z + w * x),       1.0 - 2.0 * (x * x + y * y)};
  memcpy(m, r, sizeof r);
}

void nsds_pose_turn(const double q[4], const double v[3], double out[3]) {
  double m[9], r[3];
  nsds_pose_matrix(q, m);
  for (int i = 0; i < 3; ++i) r[i] = m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2];
  memcpy(out, r, sizeof r);
}

void nsds_pose_point(const nsds_pose *pose, const double point[3], double out[3]) {
  double r[3];
  nsds_pose_turn(pose->q, point, r);
  for (int i = 0; i < 3; ++i) out[i] = r[i] + pose->p[i];
}

nsds_pose nsds_pose_times(const nsds_pose *outer, const nsds_pose *inner) {
  nsds_pose r = {{0.0}, {0.0}};
  nsds_pose_point(outer, inner->p, r.p);
  nsds_quaternion_times(outer->q, inner->q, r.q);
  return r;
}

nsds_pose nsds_pose_inverse(const nsds_pose *pose) {
  nsds_pose r = {.q = {pose->q[0], -pose->q[1], -pose->q[2], -pose->q[3]}};
  const double back[3] = {-pose->p[0], -pose->p[1], -pose->p[2]};
  nsds_pose_turn(r.q, back, r.p);
  return r;
}

void nsds_quaternion_of_axis(const double axis[3], double angle, double q[4]) {
  double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  double s = sin(0.5 * angle) / length;
  q[0] = cos(0.5 * angle);
  for (int i = 0; i < 3; ++i) q[i + 1] = s * axis[i];
}

void nsds_pose_cross(const double a[3], const double b[3], double out[3]) {
  const double r[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                       a[0] * b[1] - a[1] * b[0]};
  memcpy(out, r, sizeof r);
}

/* Makes the length 1; returns the former length. */
static double make_unit(double v[3]) {
  double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int i = 0; i < 3 && length > 0.0; ++i) v[i] /= length;
  return length;
}

/* Quaternion of a rotation matrix: the largest of its four squares is taken first. */
static void quaternion_of_matrix(const double m[9], double q[4]) {
  const double square[4] = {1.0 + m[0] + m[4] + m[8], 1.0 + m[0] - m[4] - m[8],
                            1.0 - m[0] + m[4] - m[8], 1.0 - m[0] - m[4] + m[8]};
  int k = 0;
  for (int i = 1; i < 4; ++i)
    if (square[i] > square[k]) k = i;
  double s = 0.5 / sqrt(square[k]);
  const double wx = (m[7] - m[5]) * s, wy = (m[2] - m[6]) * s, wz = (m[3] - m[1]) * s;
  const double xy = (m[1] + m[3]) * s, xz = (m[2] + m[6]) * s, yz = (m[5] + m[7]) * s;
  const double row[4][4] = {
      {0.0, wx, wy, wz}, {wx, 0.0, xy, xz}, {wy, xy, 0.0, yz}, {wz, xz, yz, 0.0}};
  memcpy(q, row[k], sizeof row[k]);
  q[k] = 0.5 * sqrt(square[k]);
}

int nsds_quaternion_of_axes(const double x[3], const double y[3], double q[4]) {
  double a[3] = {x[0], x[1], x[2]}, b[3] = {y[0], y[1], y[2]}, c[3];
  if (make_unit(a) <= 0.0 || make_unit(b) <= 0.0) return 0;
  double along = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  for (int i = 0; i < 3; ++i) b[i] -= along * a[i];
  if (make_unit(b) < 1e-10) return 0;
  nsds_pose_cross(a, b, c);
  const double m[9] = {a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]};
  quaternion_of_matrix(m, q);
  return 1;
}

void nsds_quaternion_of_z(const double z[3], double q[4]) {
  double d[3] = {z[0], z[1], z[2]}, axis[3];
  const double up[3] = {0.0, 0.0, 1.0}, first[3] = {1.0, 0.0, 0.0};
  make_unit(d);
  nsds_pose_cross(up, d, axis);
  double sine = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  nsds_quaternion_of_axis(sine > 1e-10 ? axis : first, atan2(sine, d[2]), q);
}

void nsds_pose_tensor(const double q[4], const double J[9], double out[9]) {
  double R[9], r[9] = {0.0};
  nsds_pose_matrix(q, R);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) r[3 * i + j] += R[3 * i + k] * J[3 * k + l] * R[3 * j + l];
  memcpy(out, r, sizeof r);
}

void nsds_tensor_shift(double m, const double d[3], double J[9]) {
  double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) J[3 * i + j] += m * ((i == j ? square : 0.0) - d[i] * d[j]);
}

const double nsds_third_axis_first[4] = {0.70710678118654752, 0.0, -0.70710678118654752, 0.0};
