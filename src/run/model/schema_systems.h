/* Systems of model files. */
#ifndef NSDS_SRC_SCHEMA_SYSTEMS_H
#define NSDS_SRC_SCHEMA_SYSTEMS_H

#include <nsds/catalogue.h>

extern const nsds_family nsds_schema_systems;

#endif
