#ifndef NSDS_SRC_AXES_H
#define NSDS_SRC_AXES_H

#include "kernel/contact/collide.h"

/* False: apart by more than `limit`, or behind a flat one. Faces before edges, a before b,
 * where they are equal but for slack. */
bool nsds_find_axis(const nsds_collision *c, double limit, nsds_axis *axis);
/* min n.a - max n.b over the vertices. */
double nsds_extent(const nsds_core *a, const nsds_core *b, const double *n);

#endif
