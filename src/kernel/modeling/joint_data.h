/*
 * Joints: points and directions fixed to the bodies, and their places in a configuration. See
 * joint.c.
 */
#ifndef NSDS_SRC_JOINT_DATA_H
#define NSDS_SRC_JOINT_DATA_H

#include "kernel/modeling/body.h"

#include <nsds/joint.h>

/* Coordinates of nsds_joint_coordinate(), as additional values of nsds_joint_kind. */
#define NSDS_ONE_MORE(kind) +1
enum {
  nsds_joint_angle_row = 1 NSDS_JOINT_TYPES(NSDS_ONE_MORE),
  nsds_joint_displacement_row,
  nsds_joint_swing_row,
  nsds_joint_twist_row,
  nsds_joint_first_row,
  nsds_joint_second_row
};
#undef NSDS_ONE_MORE

typedef struct nsds_joint_data {
  nsds_caller caller;
  nsds_joint_kind kind;
  bool plane, pair;
  int rows, nq, nv;   /* rows of y; coordinates and velocities of one body */
  double point[2][3]; /* A in each body, or in the world */
  double axes[2][9];  /* a, b, c, column by column, in each body */
  double length, sign, offset, D;
  double start; /* plane: difference of the bodies' angles at angle 0 */
  double shown; /* the coordinate that programs see, where y counts from 0 */
} nsds_joint_data;

/* A configuration in the world, of the first body and the second. */
typedef struct nsds_joint_pose {
  double R[2][9];    /* of the bodies */
  double arm[2][3];  /* A from the centres */
  double axes[2][9]; /* a, b, c */
  double d[3];       /* A_1 - A_2 */
} nsds_joint_pose;

enum { nsds_joint_most_rows = 6 };

/* Numbers of rows of a kind: along the world's axes, along axes of the joint from number `first`
 * on, and pairs of orthogonal directions. One pair serves in the plane, 2 pairs keep the axis, 3 all directions. */
typedef struct nsds_joint_rows_of {
  int along, across, turns;
  int other, first;
} nsds_joint_rows_of;

/* The angle atan2(s, k) with s = sign x_1 . y_2, k = z_1 . w_2: numbers of these directions. */
typedef struct nsds_joint_angle_terms {
  double sign;
  int sine[2], cosine[2];
} nsds_joint_angle_terms;

/* Directions of bodies 1 and 2 for each value of `turns`. */
extern const int nsds_joint_pairs[4][3][2];

/* Operations of all joints; nsds_yielding_joint_ops with D. */
extern const nsds_relation_ops nsds_joint_ops, nsds_yielding_joint_ops;

#endif
