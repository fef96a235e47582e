/* Bodies of a scene: their numbers, their axes, and how far they reach. */
#ifndef NSDS_RUN_SCENE_BODIES_H
#define NSDS_RUN_SCENE_BODIES_H

#include "run/scene/scene_data.h"

/* Returns the number of the body of a system, -1 for none. Fast if calls come in the order of
 * bodies. */
int nsds_scene_body_of(nsds_scene *scene, const nsds_ds *ds);
/* Writes a point of the world in the axes of a body; body -1 is the world. */
void nsds_scene_own_axes(const nsds_scene *scene, int body, const double *world, double *own);
/* The page shows at least this distance around every body. */
void nsds_scene_widen(nsds_scene *scene, double reach);

#endif
