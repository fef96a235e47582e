/*
 * Another start of a robot.
 */
#ifndef NSDS_RUN_ROBOT_PLACE_H
#define NSDS_RUN_ROBOT_PLACE_H

#include "run/robot/robot.h"

/* Numbers of coordinates and velocities: of a free body 7 and 6, of a ball joint 4 and 3, else 1. */
void nsds_robot_sizes(const nsds_robot *robot, int *nq, int *nv);
/* The joint on which a body hangs; -1: it is free. */
int nsds_robot_joint_above(const nsds_robot *robot, int body);
/* Moves the start to coordinates and velocities in the order of the bodies. A free body has a place and a
 * quaternion, its velocity in the world and its angular velocity in the body. A ball joint has a quaternion
 * and its angular velocity in the child. Fails if loops or couplers do not close there by 1e-6. */
void nsds_robot_move(nsds_robot *robot, const nsds_xml *at, const double *q, const double *v);
/* Inertia of a hinge or slide with all that hangs on it, and its armature, at the start. */
double nsds_robot_inertia_of(const nsds_robot *robot, int joint);
/* Length of a cable where the springs of all joints have no force. */
double nsds_robot_spring_length(nsds_robot *robot, const nsds_robot_cable *cable);

#endif
