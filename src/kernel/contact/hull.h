#ifndef NSDS_SRC_HULL_H
#define NSDS_SRC_HULL_H

#include "kernel/contact/core.h"

/* Computes the faces and edges of the convex hull of points, in 3D or in the plane, without points
 * inside. On success the caller owns *vertex (3 nv doubles) and *index, the array of first, loop
 * and edge of the core. A fault is named in *why; NULL: none. */
nsds_status nsds_hull(nsds_context *context, int dimension, int n, const double *points,
                      nsds_core *core, double **vertex, int **index, const char **why);

#endif
