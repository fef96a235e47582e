/*
 * The format of model files: objects and their keys, as families, types and fields of
 * nsds/catalogue.h. Objects that the library makes are in its catalogue, all others in the tables
 * here. Both give the checks of a file, the JSON schema for editors, the expansion with all
 * defaults, and the reference of the format.
 */
#ifndef NSDS_SRC_SCHEMA_H
#define NSDS_SRC_SCHEMA_H

#include <nsds/catalogue.h>

enum { nsds_schema_version = 1 }; /* of the format, the value of the key `nsds` */

extern const nsds_family nsds_schema_file;

/* Finds a family by its name: in the catalogue of the library, or among those of files alone. */
const nsds_family *nsds_schema_family(const char *name);
/* Returns the member of this type; NULL if there is none. */
const nsds_type *nsds_schema_member(const nsds_family *family, const char *type);
/* Returns the key of an object; NULL if there is none. */
const nsds_field *nsds_schema_find(const nsds_type *object, const char *name);
/* Tells if a field points to as many numbers as the size of its object says. */
bool nsds_field_is_sized(const nsds_field *field);

#endif
