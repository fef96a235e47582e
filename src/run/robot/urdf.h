/*
 * URDF, the robots of ROS.
 */
#ifndef NSDS_RUN_URDF_H
#define NSDS_RUN_URDF_H

#include "run/robot/robot.h"

/* Fills the robot from its <robot>; a failure is reported. */
void nsds_urdf_read(nsds_robot *robot);

#endif
