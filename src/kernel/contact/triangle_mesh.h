#ifndef NSDS_SRC_TRIANGLE_MESH_H
#define NSDS_SRC_TRIANGLE_MESH_H

#include "kernel/contact/shape_set.h"

/* Finds for each vertex one vertex that represents all at its place. */
nsds_status nsds_weld_vertices(nsds_context *context, const nsds_shape_def *def, int dimension,
                               int *one);
/* Makes triangles or segments, with the largest lean of normals over their sides. */
nsds_status nsds_make_soup(nsds_context *context, const nsds_shape_def *def, int dimension,
                           nsds_solid *solid);

#endif
