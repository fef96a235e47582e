#ifndef NSDS_SRC_JOINT_POSE_H
#define NSDS_SRC_JOINT_POSE_H

#include "kernel/modeling/joint_data.h"

/* Computes R and the center x of a body with coordinates q, in 3D or in the plane. NULL: the
 * world. */
void nsds_joint_place(bool plane, const double *q, double *R, double *x);
void nsds_joint_pose_at(const nsds_joint_data *s, const double *q, nsds_joint_pose *pose);
/* Computes factor H by the coordinates of bodies in space, from a row H by their velocities. */
void nsds_joint_by_coordinates(const nsds_arguments *in, const double *H, double factor, double *J);
/* Computes velocity and angular velocity of a body in the world. */
void nsds_joint_twist(bool plane, const double *v, const double *R, double *velocity, double *w);
/* Returns the angle of a row or joint that has one, and m of d(angle)/dt = (w_1 - w_2) . m. */
double nsds_joint_angle(nsds_joint_kind kind, const nsds_joint_pose *pose, double *m);
/* Returns `angle` and the whole turns that bring it nearest to `expected`. */
double nsds_joint_nearest(double angle, double expected);
/* Returns the same angle in the plane, with the turns of the bodies' own angles in q. */
double nsds_joint_plane_angle(const nsds_joint_data *s, const double *q, double angle);

#endif
