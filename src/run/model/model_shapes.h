/*
 * Shapes of a model file.
 */
#ifndef NSDS_SRC_MODEL_SHAPES_H
#define NSDS_SRC_MODEL_SHAPES_H

#include "run/model/model_values.h"

/* Reads a shape in `dimension` (2 or 3) coordinates; false with a message. */
bool nsds_shape_read(const nsds_entry *entry, int dimension, nsds_shape_def *shape);

#endif
