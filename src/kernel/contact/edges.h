#ifndef NSDS_SRC_EDGES_H
#define NSDS_SRC_EDGES_H

#include "kernel/contact/collide.h"

/* Closest points of edges, those that can be within c->reach when n separates by s, and
 * what else of the faces there is near. */
void nsds_nearest(nsds_collision *c, const double *n, double s);
/* Where two edges cross that n, their product, is normal to, and what else of the faces there is
 * near; the distance of the points found. */
double nsds_cross_edges(nsds_collision *c, const double *n);

#endif
