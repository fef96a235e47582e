#ifndef NSDS_SRC_JOINT_GEAR_H
#define NSDS_SRC_JOINT_GEAR_H

#include "kernel/modeling/modeling.h"

#include <nsds/joint.h>

nsds_relation *nsds_joint_gear(nsds_model *model, const nsds_joint_def *d);

#endif
