#ifndef NSDS_SRC_ROUND_AXIS_H
#define NSDS_SRC_ROUND_AXIS_H

#include "kernel/contact/collision.h"

/* Finds the direction n towards c->a, of length 1, along which the cores are farthest apart or
 * overlap least, and s = least n.(a - b), without radii. Returns false if the cores
 * are farther apart than `limit`. */
bool nsds_round_axis(const nsds_collision *c, double limit, double *n, double *s);

#endif
