/* Relations and interactions of model files. */
#ifndef NSDS_SRC_SCHEMA_RELATIONS_H
#define NSDS_SRC_SCHEMA_RELATIONS_H

#include "run/model/schema.h"

extern const nsds_family nsds_schema_relations, nsds_schema_coupler_terms, nsds_schema_interactions,
    nsds_schema_actions, nsds_schema_action_drives;

#endif
