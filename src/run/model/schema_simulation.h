/* Simulations of model files: drivers, samplers, events, outputs and measures. */
#ifndef NSDS_SRC_SCHEMA_SIMULATION_H
#define NSDS_SRC_SCHEMA_SIMULATION_H

#include "run/model/schema_types.h"

extern const nsds_schema_family nsds_schema_simulations, nsds_schema_samplers, nsds_schema_events,
    nsds_schema_outputs, nsds_schema_measures;

#endif
