/*
 * The simulation of a model file.
 */
#ifndef NSDS_SRC_MODEL_SIMULATION_H
#define NSDS_SRC_MODEL_SIMULATION_H

#include "run/model/model_values.h"

/* Makes file->simulation by the key `simulation`; false with a message. */
bool nsds_simulation_make(const nsds_entry *root);

#endif
