/* Sampled control; see sampler.c. */
#ifndef NSDS_SRC_SAMPLER_H
#define NSDS_SRC_SAMPLER_H

#include "simulation.h"

typedef struct nsds_sampler {
  nsds_sampler_def def;
  char name[nsds_name_size];
  long count; /* samples taken */
} nsds_sampler;

/* Calls what is due at the current time. */
nsds_status nsds_samplers_run(nsds_simulation *sim);
void nsds_samplers_destroy(nsds_simulation *sim);

#endif
