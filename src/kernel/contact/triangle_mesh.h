#ifndef NSDS_SRC_TRIANGLE_MESH_H
#define NSDS_SRC_TRIANGLE_MESH_H

#include "kernel/contact/shape_set.h"

/* Triangles or segments, with what normals may lean over their sides. */
nsds_status nsds_make_soup(nsds_context *context, const nsds_shape_def *def, int dimension,
                           nsds_solid *solid);

#endif
