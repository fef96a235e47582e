#ifndef NSDS_SRC_JOINT_CREATE_H
#define NSDS_SRC_JOINT_CREATE_H

#include "kernel/modeling/joint.h"

/* Checks a definition of a kind that ties at most two bodies, for `call`. */
bool nsds_joint_check(nsds_model *model, const char *call, const nsds_joint_def *d);
/* Fills the data of a joint from a valid definition. */
/* Returns the size of the lengths in the rows of a joint: lever arms, points of the world, offsets,
 * or an angle. */
double nsds_joint_terms(const nsds_joint_data *s);
void nsds_joint_fill(nsds_joint_data *s, const nsds_joint_def *d);
/* Tells if joints of the kind have an axis in space. */
bool nsds_joint_has_axis(nsds_joint_kind kind);
/* Tells if an interaction is a joint with points: every joint but a gear, and a drive. */
bool nsds_joint_has_points(const nsds_interaction *ia);
/* Writes the points A_1 and A_2 of such a joint in the world. */
void nsds_joint_points_of(const nsds_interaction *ia, double *first, double *second);

#endif
