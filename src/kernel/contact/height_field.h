#ifndef NSDS_SRC_HEIGHT_FIELD_H
#define NSDS_SRC_HEIGHT_FIELD_H

#include "base/base.h"

#include <nsds/shapes.h>

/* Describes a height field by triangles, in the plane by segments, with arrays *vertex and *face. The
 * caller releases both arrays, also when the call fails. */
nsds_status nsds_height_field_faces(nsds_context *context, const nsds_shape_def *def, int dimension,
                                    nsds_shape_def *faces, double **vertex, int **face);

#endif
