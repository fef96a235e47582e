/*
 * Schemes of time stepping in a model file.
 */
#ifndef NSDS_SRC_MODEL_SCHEMES_H
#define NSDS_SRC_MODEL_SCHEMES_H

#include "run/model/model_values.h"

/* Returns the scheme behind a key; an empty one if the key is absent. */
nsds_discretisation nsds_scheme_read(const nsds_entry *entry, const char *key);

#endif
