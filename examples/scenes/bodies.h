/*
 * Rigid bodies in space, z upwards, shared by the examples and the tests.
 */
#ifndef NSDS_SCENES_BODIES_H
#define NSDS_SCENES_BODIES_H

#include <nsds/nsds.h>

/*
 * A bowling ball (7 kg, radius 0.108 m, J = 2/5 m r^2) on a lane of friction 0.12: thrown along x
 * at 8 m/s, spinning about x at 30 rad/s, it slides on a curved path, then rolls straight on.
 */
typedef struct bowling_scene {
  nsds_ds *ball;
  nsds_interaction *lane;
  double radius;
} bowling_scene;

bowling_scene scene_bowling_ball(nsds_model *model);

/*
 * A top of 0.5 kg whose centre is 6 cm above its tip, which a ball joint holds: let go at a tilt of
 * 0.5 rad with a spin of 150 rad/s and no other motion, so that its axis draws cusps.
 */
typedef struct top_scene {
  nsds_ds *top;
  nsds_interaction *tip;
} top_scene;

top_scene scene_spinning_top(nsds_model *model);

/*
 * Two rods of 0.5 m and 1 kg on hinges with parallel axes, hung from the origin and let go upright
 * but for 0.1 rad; the lower end meets a wall at x = -0.6 m with restitution 0.5 and friction 0.2.
 */
typedef struct double_pendulum_scene {
  nsds_ds *rod[2];
  nsds_interaction *hinge[2], *wall;
  double length;
} double_pendulum_scene;

double_pendulum_scene scene_double_pendulum(nsds_model *model);

/* The lower end of rod k in the world. */
void scene_rod_end(const double_pendulum_scene *scene, int k, double *end);

#endif
