/*
 * Actuators of MJCF.
 */
#ifndef NSDS_RUN_MJCF_ACTUATOR_H
#define NSDS_RUN_MJCF_ACTUATOR_H

#include "run/robot/mjcf_parts.h"

void nsds_mjcf_actuators(nsds_mjcf *m, nsds_xml *section);

#endif
