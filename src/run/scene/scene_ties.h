/* Joints, springs and relations of a scene. */
#ifndef NSDS_RUN_SCENE_TIES_H
#define NSDS_RUN_SCENE_TIES_H

#include "run/scene/scene_data.h"

/* Writes them to the scene. NSDS_ERROR_MEMORY. */
nsds_status nsds_scene_ties(nsds_scene *scene);

#endif
