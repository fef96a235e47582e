/*
 * Surfaces of geoms of MJCF: friction and restitution, and those of two geoms.
 */
#ifndef NSDS_RUN_MJCF_SURFACE_H
#define NSDS_RUN_MJCF_SURFACE_H

#include "run/robot/mjcf_parts.h"

/* Reads the surface of a geom into s->surface; s gets the coefficients of two such geoms. */
void nsds_mjcf_read_surface(const nsds_mjcf_view *v, nsds_robot_shape *s);
/* Reads friction, solref and condim of <pair>, whose geoms are the shapes of the pair. */
void nsds_mjcf_pair_surface(const nsds_mjcf_view *v, nsds_mjcf_pair *pair);
/* Adds to the robot the coefficients of two surfaces that are not the larger ones of both. */
void nsds_mjcf_surfaces(nsds_mjcf *m);

#endif
