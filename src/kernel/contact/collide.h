/*
 * Narrow phase: the contacts of two cores, or of a core and a half space.
 */
#ifndef NSDS_SRC_COLLIDE_H
#define NSDS_SRC_COLLIDE_H

#include "kernel/contact/collision.h"

/* Finds the contacts of a core with the plane {x : n.x = offset}. */
void nsds_collide_plane(nsds_collision *c, const nsds_core *a, const double *n, double offset);
/* Finds the contacts of the other core on a face of ref. */
void nsds_collide_face(nsds_collision *c, const nsds_core *ref, int face);
/* Writes the contacts with a gap of up to reach to c->spot, c->count of them, at most four. */
void nsds_collide(nsds_collision *c, const nsds_core *a, const nsds_core *b);

#endif
