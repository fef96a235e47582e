/*
 * Sensors of a model, and the types of their definitions.
 */
#ifndef NSDS_SRC_SENSOR_H
#define NSDS_SRC_SENSOR_H

#include "kernel/modeling/modeling.h"

#include <nsds/catalogue.h>
#include <nsds/sensor.h>

struct nsds_sensor {
  nsds_model *model;
  nsds_tag tag;
  nsds_sensor_def def; /* handles of objects; the name is in the tag */
  double axes[9];      /* of the sensor in its body, column by column */
  double ray[3];       /* RANGE: the direction in the body */
  nsds_ds *bodies[];   /* CENTER: of the definition */
};

enum { nsds_most_sensed = 7 }; /* values of a sensor */

/* Tells if value k follows from forces: in time stepping these are means of a step. */
bool nsds_sensor_has_force(const nsds_sensor *sensor, int k);

/* The types of sensors, ended by NULL. */
extern const nsds_type *const nsds_sensor_types[];

#endif
