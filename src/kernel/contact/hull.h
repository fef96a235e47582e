#ifndef NSDS_SRC_HULL_H
#define NSDS_SRC_HULL_H

#include "kernel/contact/core.h"

/*
 * The faces and edges of the convex hull of points, in space or in the plane. Points inside
 * are left out. On success arrays belong to the caller: *vertex (3 nv, doubles) and *index, in
 * which first, loop and edge of the core lie. NULL in *why, or what is wrong.
 */
nsds_status nsds_hull(nsds_context *context, int dimension, int n, const double *points,
                      nsds_core *core, double **vertex, int **index, const char **why);

#endif
