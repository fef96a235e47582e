#ifndef NSDS_SRC_PROJECTION_H
#define NSDS_SRC_PROJECTION_H

#include "kernel/stepping/time_stepping_driver.h"

#include <nsds/catalogue.h>

extern const nsds_type nsds_projection_type;

/* Checks the definition and replaces its zeros by defaults. */
bool nsds_projection_take(nsds_context *context, nsds_projection_def *def);
/* Makes the projection of a driver whose definition asks for it. */
nsds_status nsds_projection_create(nsds_time_stepping_driver *d);
/* Prepares a step, before the index set. */
nsds_status nsds_projection_begin(nsds_time_stepping_driver *d);
/* Projects the positions of the trial state. *closed: make the step again with more contacts. */
nsds_status nsds_projection_update(nsds_time_stepping_driver *d, bool *closed);
/* Moves found contacts with their bodies, after the outputs. */
void nsds_projection_outputs(nsds_time_stepping_driver *d);
void nsds_projection_destroy(nsds_time_stepping_driver *d);

#endif
