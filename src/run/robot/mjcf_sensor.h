/*
 * Sensors of MJCF.
 */
#ifndef NSDS_RUN_MJCF_SENSOR_H
#define NSDS_RUN_MJCF_SENSOR_H

#include "run/robot/mjcf_parts.h"

void nsds_mjcf_sensors(nsds_mjcf *m, nsds_xml *section);

#endif
