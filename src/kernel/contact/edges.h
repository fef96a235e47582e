#ifndef NSDS_SRC_EDGES_H
#define NSDS_SRC_EDGES_H

#include "kernel/contact/collision.h"

/* Finds the closest points of edges within c->reach, if n separates by s, and near parts of
 * faces. */
void nsds_nearest(nsds_collision *c, const double *n, double s);
/* Finds the crossing of two edges with normal n, their product, and near parts of faces. Returns
 * the distance of the points. */
double nsds_cross_edges(nsds_collision *c, const double *n);

#endif
