/*
 * Files of meshes and heights that a robot names by a path, or as a part of a package.
 */
#ifndef NSDS_RUN_ROBOT_OPEN_H
#define NSDS_RUN_ROBOT_OPEN_H

#include "run/robot/robot.h"

/* Reads a file; free the text by nsds_free(). NULL with the reason in first[] where it cannot be read. */
char *nsds_robot_open(nsds_robot *robot, const nsds_xml *at, const char *name, size_t *size,
                      char first[200]);

#endif
