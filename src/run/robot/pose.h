/*
 * Places in space: a point and a quaternion (w, x, y, z) of length 1. Vectors have 3 numbers, matrices 9
 * by rows.
 */
#ifndef NSDS_RUN_POSE_H
#define NSDS_RUN_POSE_H

typedef struct nsds_pose {
  double p[3];
  double q[4];
} nsds_pose;

nsds_pose nsds_pose_identity(void);
/* The place `inner`, which is given in the frame of `outer`, in the frame that `outer` is given in. */
nsds_pose nsds_pose_times(const nsds_pose *outer, const nsds_pose *inner);
nsds_pose nsds_pose_inverse(const nsds_pose *pose);
/* A point of the frame, seen from outside. */
void nsds_pose_point(const nsds_pose *pose, const double point[3], double out[3]);
/* A direction of the frame, seen from outside. */
void nsds_pose_turn(const double q[4], const double v[3], double out[3]);
void nsds_pose_cross(const double a[3], const double b[3], double out[3]);
void nsds_quaternion_times(const double a[4], const double b[4], double out[4]);
/* Quaternion of the turn by an angle about an axis of any length but 0. */
void nsds_quaternion_of_axis(const double axis[3], double angle, double q[4]);
/* Quaternion of a frame whose axes are x, y and x cross y after both were made orthogonal; false if
 * they are parallel or 0. */
int nsds_quaternion_of_axes(const double x[3], const double y[3], double q[4]);
/* Quaternion of the shortest turn from the third axis to a direction. */
void nsds_quaternion_of_z(const double z[3], double q[4]);
/* Rotation matrix. */
void nsds_pose_matrix(const double q[4], double matrix[9]);
/* R J R', the tensor J of a frame seen from outside. */
void nsds_pose_tensor(const double q[4], const double J[9], double out[9]);
/* Adds to J the part of a mass at the distance d: m (d.d 1 - d d'). */
void nsds_tensor_shift(double m, const double d[3], double J[9]);

/* Turns the third axis into the first one: shapes of model files lie along it. */
extern const double nsds_third_axis_first[4];

#endif
