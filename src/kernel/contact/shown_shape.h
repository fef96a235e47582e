/*
 * Shows balls around the centers of systems, and half spaces, to programs.
 */
#ifndef NSDS_SRC_SHOWN_SHAPE_H
#define NSDS_SRC_SHOWN_SHAPE_H

#include <nsds/shapes.h>

static inline void nsds_show_ball(int number, int dimension, nsds_ds *ds, double radius,
                                  nsds_shape_info *shape) {
  *shape = (nsds_shape_info){.number = number,
                             .dimension = dimension,
                             .kind = NSDS_SPHERE,
                             .ds = ds,
                             .radius = radius,
                             .quaternion = {1.0}};
}

/* Shows a half space. The origin of the shape is the point of the surface nearest to the world's
 * origin. */
static inline void nsds_show_half_space(int number, int dimension, const nsds_plane *plane,
                                        nsds_shape_info *shape) {
  *shape = (nsds_shape_info){.number = number,
                             .dimension = dimension,
                             .kind = NSDS_HALF_SPACE,
                             .plane = *plane,
                             .quaternion = {1.0}};
  for (int k = 0; k < dimension; ++k) shape->position[k] = plane->offset * plane->normal[k];
}

#endif
