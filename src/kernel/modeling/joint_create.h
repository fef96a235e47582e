#ifndef NSDS_SRC_JOINT_CREATE_H
#define NSDS_SRC_JOINT_CREATE_H

#include "kernel/modeling/joint.h"

/* Checks for `call` a definition of a kind that ties two bodies at most; what is kept of it. */
bool nsds_joint_check(nsds_model *model, const char *call, const nsds_joint_def *d);
void nsds_joint_fill(nsds_joint_data *s, const nsds_joint_def *d);

#endif
