#ifndef NSDS_SRC_HULL_H
#define NSDS_SRC_HULL_H

#include "kernel/contact/core.h"

/* Computes the faces and edges of the convex hull of points, in 3D or in the plane, without points
 * inside. On success the caller owns two arrays: *vertex (3 nv doubles) and *index. The latter
 * holds first, loop and edge of the core. *why is NULL, or names the fault. */
nsds_status nsds_hull(nsds_context *context, int dimension, int n, const double *points,
                      nsds_core *core, double **vertex, int **index, const char **why);

#endif
