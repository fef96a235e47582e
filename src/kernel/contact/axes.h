#ifndef NSDS_SRC_AXES_H
#define NSDS_SRC_AXES_H

#include "kernel/contact/collision.h"

/* Finds the axis of largest separation. Returns false if the cores are apart by more than `limit`,
 * or one lies behind a flat one. Axes that are equal up to slack rank faces before edges and a
 * before b. */
bool nsds_find_axis(const nsds_collision *c, double limit, nsds_axis *axis);
/* Returns min n.a - max n.b over the vertices. */
double nsds_extent(const nsds_core *a, const nsds_core *b, const double *n);

#endif
