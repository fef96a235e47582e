/*
 * Actuators of MJCF.
 */
#ifndef NSDS_RUN_MJCF_ACTUATOR_H
#define NSDS_RUN_MJCF_ACTUATOR_H

#include "run/robot/mjcf_parts.h"

void nsds_mjcf_actuators(nsds_mjcf *m, nsds_xml *section);
/* The joint that an attribute names; -1 after a failure. */
int nsds_mjcf_joint_of(nsds_mjcf *m, nsds_xml *at, const char *key);

#endif
