/*
 * Samplers and events of a model file: they change parameters during a run.
 */
#ifndef NSDS_SRC_MODEL_CONTROL_H
#define NSDS_SRC_MODEL_CONTROL_H

#include "run/model/model_quantities.h"

/* Adds the samplers and events of the file to its simulation; false with a message. */
bool nsds_control_make(const nsds_entry *root);

#endif
