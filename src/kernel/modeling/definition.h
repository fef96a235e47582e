/*
 * Definitions are checked by their rows in the catalogue (nsds/catalogue.h). A constructor takes a
 * copy of its definition, in which zeros that mean a default have become the default.
 */
#ifndef NSDS_SRC_DEFINITION_H
#define NSDS_SRC_DEFINITION_H

#include "kernel/modeling/modeling.h"

#include <nsds/catalogue.h>

/* Checks model, definition, reserved words and fields; fills *own, of the definition's type. false:
 * with a message that begins with the constructor's name. */
bool nsds_definition_take(const nsds_model *model, const nsds_type *type, const void *def,
                          void *own);
/* The same without the check of fields. */
bool nsds_definition_copy(const nsds_model *model, const nsds_type *type, const void *def,
                          void *own);
/* Checks reserved words and fields of a part of a definition, in place. `prefix` stands before the names of members in
 * messages: "newton.". */
bool nsds_definition_check_part(nsds_context *context, const nsds_type *type, const char *prefix,
                                void *own);
/* Checks the fields of a definition alone, and replaces zeros that mean a default. `prefix`: "", or
 * "material[2]." */
bool nsds_definition_check(nsds_context *context, const char *call, const char *prefix,
                           const nsds_field *field, void *own);
/* The same of a definition in which zeros are values. Messages say "theta of second_order". */
bool nsds_definition_check_values(nsds_context *context, const char *call, const char *owner,
                                  const nsds_field *field, const void *own);

#endif
