#ifndef NSDS_SRC_JOINT_DRIVE_H
#define NSDS_SRC_JOINT_DRIVE_H

#include "kernel/modeling/joint.h"

/* Returns the coordinate of a drive; NULL: another interaction. */
const nsds_joint_data *nsds_joint_of_drive(const nsds_interaction *ia);

#endif
