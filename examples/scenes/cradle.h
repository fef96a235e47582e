/*
 * Newton's cradle: equal balls of steel, 1 cm in radius, on strings of the same length side by
 * side. q_i is the way of ball i along its circle from where it touches its neighbours, at the
 * bottom,
 *
 *     m q_i'' = -m g sin((q_i - o_i) / l) + P_(i-1) - P_i,    y_i = q_(i+1) - q_i
 *
 * The gap is that of neighbours at the same height. The strings are 0.1 mm closer to each other
 * than the balls are thick, o_i, so that they press on each other at rest. The first ones are drawn
 * aside together and let go.
 */
#ifndef NSDS_SCENES_CRADLE_H
#define NSDS_SCENES_CRADLE_H

#include <nsds/nsds.h>

enum { cradle_balls = 5 };

extern const double cradle_mass, cradle_length, cradle_stiffness; /* [kg], [m], [N/m^1.5], Hertz */

typedef enum cradle_law {
  CRADLE_NEWTON,
  CRADLE_POISSON,
  CRADLE_DISTRIBUTING, /* with Hertz' exponent, 3/2 */
  CRADLE_ELASTIC,      /* no law: Hertz' forces of balls that deform */
  CRADLE_LAWS
} cradle_law;

/* The system of all balls; `lifted` of them are drawn aside by `aside` [m]. Laws have e = 1. */
nsds_ds *scene_newton_cradle(nsds_model *model, cradle_law law, int lifted, double aside);

#endif
