/* Samplers, events, outputs and measures of model files. */
#ifndef NSDS_SRC_SCHEMA_SIMULATION_H
#define NSDS_SRC_SCHEMA_SIMULATION_H

#include <nsds/catalogue.h>

extern const nsds_family nsds_schema_samplers, nsds_schema_events, nsds_schema_outputs,
    nsds_schema_measures;

#endif
