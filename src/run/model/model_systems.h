/*
 * Systems of a model file.
 */
#ifndef NSDS_SRC_MODEL_SYSTEMS_H
#define NSDS_SRC_MODEL_SYSTEMS_H

#include "run/model/model_values.h"

/* Makes all systems under the key `systems` of the file; false with a message. */
bool nsds_systems_make(const nsds_entry *root);

#endif
