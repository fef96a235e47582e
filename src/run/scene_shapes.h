/* The shapes of a scene. */
#ifndef NSDS_RUN_SCENE_SHAPES_H
#define NSDS_RUN_SCENE_SHAPES_H

#include "run/scene.h"

/* Writes the shapes of all contact sets to the scene, and sticks of bodies that have none. NSDS_ERROR_MEMORY. */
nsds_status nsds_scene_shapes(nsds_scene *scene);

#endif
