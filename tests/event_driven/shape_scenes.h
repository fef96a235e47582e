#ifndef NSDS_TESTS_SHAPE_SCENES_H
#define NSDS_TESTS_SHAPE_SCENES_H

#include "support.h"

#include <nsds/mass.h>

enum { most_bodies = 3 };

/* Bodies of one shape each; mass 0: scenery. In the plane q is x, y and the angle, and gravity is along -y. */
typedef struct scene {
  int n;
  bool plane;
  nsds_shape_def shape[most_bodies];
  double q[most_bodies][7], v[most_bodies][6], mass[most_bodies];
  double mu, e, gravity, reach;
} scene;

typedef enum way { by_events, by_rattle, by_steps } way;

typedef struct result {
  double q[most_bodies][7], v[most_bodies][6], energy[2], rise, deepest;
  long steps;
  int impacts;
  char message[400];
} result;

/* Runs a scene. Returns false if it was refused; then the message of the result says why. */
bool move(const scene *c, way how, double h, double t1, result *to);
/* Returns the largest difference of the bodies' places. */
double apart(const scene *c, const result *a, const result *b);
/* Draws a quaternion. */
void draw_attitude(uint64_t *seed, double *p);

#endif
