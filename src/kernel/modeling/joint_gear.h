#ifndef NSDS_SRC_JOINT_GEAR_H
#define NSDS_SRC_JOINT_GEAR_H

#include "kernel/modeling/modeling.h"

#include <nsds/joint.h>

nsds_relation *nsds_joint_gear(nsds_model *model, const nsds_joint_def *d);

/* Tells if an interaction is a pair of gears. */
bool nsds_joint_is_gear(const nsds_interaction *ia);

#endif
