/*
 * Mechanical systems with nonlinear forces and constraints, shared by tests and benchmarks.
 */
#ifndef NSDS_SCENES_MECHANISMS_H
#define NSDS_SCENES_MECHANISMS_H

#include <nsds/nsds.h>

/*
 * A pendulum attached to a slider between two walls; q = (x, y, phi): position of the slider, its
 * height, angle of the pendulum. Masses and length are 1:
 *
 *     2 x'' + cos(phi) phi'' - phi'^2 sin(phi) = p_x,   y'' + g y = p_y,
 *     cos(phi) x'' + phi'' + g sin(phi) = 0,            y >= 0,  0.0125 <= x <= 0.2375,  e = 1/2
 *
 * q(0) = (0.1, 0, 0.1), q'(0) = (2, 0, 0). The height stays zero.
 */
typedef struct slider_scene {
  nsds_ds *body;
  nsds_interaction *floor, *right, *left;
} slider_scene;

slider_scene scene_pendulum_slider(nsds_model *model);

/*
 * A chain of n equal links of 0.1 m and 0.1 kg that hangs from the origin and swings onto a
 * slope through it, 0.1 rad from the vertical, on which it comes to lie. Each mass is a system of
 * its own, q = (x, y), with air drag d |v| v; each link an inextensible string between two masses,
 * gap y = length - distance; each mass has a contact with the slope. All impacts are inelastic.
 *
 * The chain starts at rest, straight, 0.02 rad from the slope, its links longer by 2^-20 than they
 * should be, so that their gaps are not zero but for rounding.
 */
typedef struct chain_scene {
  int n;
  nsds_ds **mass;
  nsds_interaction **link, **slope; /* n each, from the hook downwards; freed by chain_free() */
} chain_scene;

chain_scene scene_chain(nsds_model *model, int n);
void chain_free(chain_scene *scene);

#endif
