/* Interactions of model files. */
#ifndef NSDS_SRC_SCHEMA_RELATIONS_H
#define NSDS_SRC_SCHEMA_RELATIONS_H

#include <nsds/catalogue.h>

extern const nsds_family nsds_schema_interactions;

#endif
