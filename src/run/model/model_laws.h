/*
 * Laws of a model file.
 */
#ifndef NSDS_SRC_MODEL_LAWS_H
#define NSDS_SRC_MODEL_LAWS_H

#include "run/model/model_values.h"

/* Makes all laws under the key `laws` of the file; false with a message. */
bool nsds_laws_make(const nsds_entry *root);
/* The law behind a key: made here, or found by its name. NULL with a message. */
nsds_law *nsds_law_read(const nsds_entry *entry, const char *key);

#endif
