/*
 * Contact sets of a model file.
 */
#ifndef NSDS_SRC_MODEL_CONTACTS_H
#define NSDS_SRC_MODEL_CONTACTS_H

#include "run/model_values.h"

/* Makes all contact sets under the key `contacts` of the file; false with a message. */
bool nsds_contacts_make(const nsds_entry *root);

#endif
