#ifndef NSDS_SRC_RIGID_BODY_2D_H
#define NSDS_SRC_RIGID_BODY_2D_H

#include "kernel/modeling/modeling.h"

/* Reads mass and gravity of a body of nsds_rigid_body_2d(). Returns false for other systems. */
bool nsds_rigid_body_2d_read(const nsds_ds *ds, double *mass, double gravity[2]);

#endif
