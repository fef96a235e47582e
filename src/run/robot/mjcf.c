#include "run/robot/mjcf.h"
void nsds_mjcf_read(nsds_robot *robot) {
  nsds_robot_fail(robot, robot->root, "MJCF is not read yet");
}
