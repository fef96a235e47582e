#ifndef NSDS_SRC_RIGID_BODY_H
#define NSDS_SRC_RIGID_BODY_H

#include "kernel/modeling/modeling.h"

/* Reads mass, inertia and gravity of a body of nsds_rigid_body(). Returns false for other systems. */
bool nsds_rigid_body_read(const nsds_ds *ds, double *mass, double *inertia, double *gravity);

#endif
