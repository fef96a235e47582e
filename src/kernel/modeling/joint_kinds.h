#ifndef NSDS_SRC_JOINT_KINDS_H
#define NSDS_SRC_JOINT_KINDS_H

#include "kernel/modeling/joint_data.h"

/* Tells if a program may ask for the kind. The others are rows of coordinates. */
bool nsds_joint_is_kind(nsds_joint_kind kind);
const nsds_joint_rows_of *nsds_joint_rows_at(nsds_joint_kind kind, bool plane);
int nsds_joint_rows(nsds_joint_kind kind, bool plane); /* 0: no such kind */
bool nsds_joint_turns(nsds_joint_kind kind);
bool nsds_joint_slides(nsds_joint_kind kind);
bool nsds_joint_is_angle(nsds_joint_kind kind); /* a row that is an angle */
bool nsds_joint_tilts(nsds_joint_kind kind);    /* a swing or a twist */
bool nsds_joint_crosses(nsds_joint_kind kind);  /* an angle of a universal joint */
/* Tells which products of directions of body 1 and body 2 are the sine and the cosine of an angle. */
const nsds_joint_angle_terms *nsds_joint_angle_terms_at(nsds_joint_kind kind);
/* Tells if joints of the kind have an axis in space. */
bool nsds_joint_has_axis(nsds_joint_kind kind);

#endif
