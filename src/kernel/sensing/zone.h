/* Zones of touch sensors. */
#ifndef NSDS_SRC_ZONE_H
#define NSDS_SRC_ZONE_H

#include "base/base.h"

#include <nsds/sensor.h>

/* Fails unless the zone of a TOUCH sensor has its measures. */
bool nsds_zone_check(nsds_context *context, const char *call, const nsds_sensor_def *def);
/* Tells if the half line from a point along a direction meets the zone, both along its axes. */
bool nsds_zone_meets(const nsds_sensor_def *def, const double *from, const double *way);

#endif
