/*
 * Relations and interactions of a model file.
 */
#ifndef NSDS_SRC_MODEL_RELATIONS_H
#define NSDS_SRC_MODEL_RELATIONS_H

#include "run/model/model_values.h"

/* Makes all interactions under the key `interactions` of the file, with their relations. */
bool nsds_interactions_make(const nsds_entry *root);

#endif
