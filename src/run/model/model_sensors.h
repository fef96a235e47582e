/*
 * Sensors of a model file.
 */
#ifndef NSDS_SRC_MODEL_SENSORS_H
#define NSDS_SRC_MODEL_SENSORS_H

#include "run/model/model_reader.h"

/* Makes all sensors under the key `sensors` of the file; false with a message. */
bool nsds_sensors_make(const nsds_entry *root);

#endif
