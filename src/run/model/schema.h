/*
 * The format of model files: one table of objects and their keys. The table gives the checks of a
 * file, the JSON schema for editors, the expansion with all defaults, and the reference of the
 * format.
 */
#ifndef NSDS_SRC_SCHEMA_H
#define NSDS_SRC_SCHEMA_H

#include "run/model/schema_types.h"

extern const nsds_schema_family nsds_schema_file;

/* Returns the member of this type; NULL if there is none. */
const nsds_schema_object *nsds_schema_member(const nsds_schema_family *family, const char *type);
/* Returns the key of an object; NULL if there is none. */
const nsds_schema_key *nsds_schema_find(const nsds_schema_object *object, const char *name);

#endif
