#ifndef NSDS_SRC_ROUND_MEET_H
#define NSDS_SRC_ROUND_MEET_H

#include "kernel/contact/collision.h"

/* Finds the contacts of two cores, one of them round. */
void nsds_round_meet(nsds_collision *c);
/* Keeps the contact with the least gap, at the points of the cores that are nearest. */
void nsds_round_nearest(nsds_collision *c);
/* Finds the contacts on a face of ref if the other core is round. */
void nsds_round_clip(nsds_collision *c, const nsds_core *ref, int face);
/* Finds the contacts of a round core with the plane {x : n.x = offset}. */
void nsds_round_plane(nsds_collision *c, const nsds_core *a, const double *n, double offset);

#endif
