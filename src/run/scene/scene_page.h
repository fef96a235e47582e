/* The page of a scene. */
#ifndef NSDS_RUN_SCENE_PAGE_H
#define NSDS_RUN_SCENE_PAGE_H

#include "run/scene/scene_data.h"

/* The page without its data, and its script. The build makes these arrays of src/run/view; they may
 * be empty. */
extern const unsigned char nsds_scene_template[];
extern const size_t nsds_scene_template_size;
extern const unsigned char nsds_scene_player[];
extern const size_t nsds_scene_player_size;

nsds_status nsds_scene_write_page(const nsds_scene *scene, const char *call, const char *path);

#endif
