#ifndef NSDS_SRC_MESH_PARTS_H
#define NSDS_SRC_MESH_PARTS_H

#include "kernel/contact/shape_set.h"

enum { nsds_why_size = 256 };

/* Makes a core for each convex part of a mesh, in the axes of the shape. A fault is written to `why`;
 * empty: none, or no memory. */
bool nsds_make_parts(nsds_context *context, const nsds_shape_def *def, int dimension,
                     nsds_solid *solid, char why[nsds_why_size]);

#endif
