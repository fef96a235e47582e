/*
 * The model file of a robot.
 */
#ifndef NSDS_RUN_ROBOT_DOCUMENT_H
#define NSDS_RUN_ROBOT_DOCUMENT_H

#include "run/model/yaml_tree.h"
#include "run/robot/robot.h"

/* Makes the tree of the model file; NULL after a failure. */
nsds_yaml *nsds_robot_document(nsds_robot *robot);

#endif
