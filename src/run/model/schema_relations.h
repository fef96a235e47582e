/* Laws, relations and interactions of model files. */
#ifndef NSDS_SRC_SCHEMA_RELATIONS_H
#define NSDS_SRC_SCHEMA_RELATIONS_H

#include "run/model/schema_types.h"

extern const nsds_schema_family nsds_schema_laws, nsds_schema_relations, nsds_schema_interactions;

#endif
