/*
 * Springs, dampers and dry friction of ball joints, as relations of a model file.
 */
#ifndef NSDS_RUN_ROBOT_BALL_H
#define NSDS_RUN_ROBOT_BALL_H

#include "run/model/yaml_make.h"
#include "run/robot/robot.h"

/* The relation of the spring and damper of a ball joint, or of its friction. */
nsds_yaml *nsds_robot_ball_relation(nsds_yaml_maker *maker, const nsds_robot_joint *joint,
                                    bool friction);

#endif
