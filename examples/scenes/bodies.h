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

/*
 * A crank of 0.153 m, a rod of 0.306 m and a block of 0.1 m x 0.05 m in the plane, on hinges, the
 * last 10 mm behind the centre of the block. The block slides in a guide that is 2 mm wider, with
 * friction 0.01, and its corners rebound with 0.4 by Fremond's law. The crank starts at 150 rad/s,
 * everything in line.
 */
typedef struct slider_crank_scene {
  nsds_ds *body[3]; /* crank, rod, block */
  nsds_interaction *hinge[3], *corner[4];
  double length[2], clearance;
} slider_crank_scene;

slider_crank_scene scene_slider_crank(nsds_model *model);

/* Kinetic energy and that of the weight. */
double scene_slider_crank_energy(const slider_crank_scene *scene);

#endif
