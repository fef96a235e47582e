/*
 * MJCF, the models of MuJoCo.
 */
#ifndef NSDS_RUN_MJCF_H
#define NSDS_RUN_MJCF_H

#include "run/robot/robot.h"

/* Fills the robot from its <mujoco>; a failure is reported. */
void nsds_mjcf_read(nsds_robot *robot);

#endif
