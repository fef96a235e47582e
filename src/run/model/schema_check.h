/*
 * Compares a file with the schema: keys, kinds of values, words.
 */
#ifndef NSDS_SRC_SCHEMA_CHECK_H
#define NSDS_SRC_SCHEMA_CHECK_H

#include "run/model/model_reader.h"

/* Checks a node against a family; false with a message that names valid values. */
bool nsds_schema_check(nsds_model_file *file, const nsds_family *family, const nsds_yaml *node);

#endif
