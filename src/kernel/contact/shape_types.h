#ifndef NSDS_SRC_SHAPE_TYPES_H
#define NSDS_SRC_SHAPE_TYPES_H

#include <nsds/catalogue.h>
#include <nsds/shapes.h>

#define NSDS_DECLARE_SHAPE(name) extern const nsds_type nsds_shape_##name;
NSDS_SHAPE_TYPES(NSDS_DECLARE_SHAPE)
#undef NSDS_DECLARE_SHAPE
/* Contact sets and their parts, in the sources of their constructors: */
extern const nsds_type nsds_shapes_type, nsds_spheres_type, nsds_balls_type;
extern const nsds_type nsds_plane_type, nsds_pair_type;

#endif
