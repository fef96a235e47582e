/* Frames of a scene as few bytes. */
#ifndef NSDS_RUN_SCENE_CODE_H
#define NSDS_RUN_SCENE_CODE_H

#include "run/scene/scene_data.h"

enum {
  nsds_scene_steps = 65535,     /* of a position, over the box of the scene */
  nsds_scene_turn_steps = 4095, /* of a component of a quaternion from 0 to 1 */
  nsds_scene_octave = 12,       /* steps of a force from f to 2 f */
  nsds_scene_octaves = 20,      /* below the strongest force: smaller forces are 0 */
  nsds_scene_slope = 31         /* steps of a direction from 0 to 1 */
};

typedef struct nsds_scene_grid {
  double origin[3], quantum; /* of positions [m]; of points of contacts: four quanta */
  double strongest;          /* force [N] */
} nsds_scene_grid;

nsds_scene_grid nsds_scene_find_grid(const nsds_scene *scene);

/* Adds all frames. NSDS_ERROR_MEMORY. */
nsds_status nsds_scene_code_poses(const nsds_scene *scene, const nsds_scene_grid *grid,
                                  nsds_bytes *out);
nsds_status nsds_scene_code_forces(const nsds_scene *scene, const nsds_scene_grid *grid,
                                   nsds_bytes *out);

#endif
