/* Simulations of model files: drivers, samplers, events, outputs and measures. */
#ifndef NSDS_SRC_SCHEMA_SIMULATION_H
#define NSDS_SRC_SCHEMA_SIMULATION_H

#include <nsds/catalogue.h>

extern const nsds_family nsds_schema_simulations, nsds_schema_samplers, nsds_schema_events,
    nsds_schema_outputs, nsds_schema_measures, nsds_schema_activations, nsds_schema_newtons,
    nsds_schema_projections;

#endif
