/* The shapes of a scene. */
#ifndef NSDS_RUN_SCENE_SHAPES_H
#define NSDS_RUN_SCENE_SHAPES_H

#include "run/scene/scene_data.h"

/* Writes the shapes of all contact sets to the scene, `count` shapes that are in none, and sticks
 * of bodies without shapes. NSDS_ERROR_MEMORY without a message; errors of shapes with one. */
nsds_status nsds_scene_shapes(nsds_scene *scene, int count, const nsds_shape_def *shape);

#endif
