#ifndef NSDS_SRC_PROJECTION_H
#define NSDS_SRC_PROJECTION_H

#include "kernel/stepping/time_stepping.h"

/* Where the definition asks for it. After the definition is known; at the start of a
 * step, before the index set; when velocities and positions of the trial state are there,
 * *closed where the step is to be made again with more contacts; when its outputs are. */
void nsds_projection_defaults(nsds_projection_def *def);
bool nsds_projection_check(nsds_context *context, const char *call, const nsds_projection_def *def);
nsds_status nsds_projection_create(nsds_time_stepping_driver *d);
nsds_status nsds_projection_begin(nsds_time_stepping_driver *d);
nsds_status nsds_projection_update(nsds_time_stepping_driver *d, bool *closed);
void nsds_projection_outputs(nsds_time_stepping_driver *d);
void nsds_projection_destroy(nsds_time_stepping_driver *d);

#endif
