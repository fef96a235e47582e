#ifndef NSDS_SRC_CLIP_H
#define NSDS_SRC_CLIP_H

#include "kernel/contact/collide.h"

/* The core before the plane {x : n.x = offset}. */
void nsds_collide_plane(nsds_collision *c, const nsds_core *a, const double *n, double offset);
/* Contacts on a face of ref; the least distance from it, INFINITY where there is none. */
double nsds_clip_face(nsds_collision *c, const nsds_core *ref, int face);
/* Contacts along n, towards a, of the faces at edges or vertices va and vb; the least distance,
 * INFINITY where there is none, or where neither face is flat on n. */
double nsds_clip_along(nsds_collision *c, const double *n, const int *va, const int *vb);
/* Outward normal of side k of a face, perpendicular to n, which leads out of it; a point of it. */
void nsds_side(const nsds_core *core, int face, int k, const double *n, double *m,
               const double **x);
/* A contact of the vertex that lies deepest behind a face of ref. */
void nsds_add_deepest(nsds_collision *c, const nsds_core *ref, int face);
/* The four that span the largest area, the deepest first among them. */
void nsds_reduce(nsds_collision *c);

/* A contact at points x_a, x_b of the cores. */
void nsds_add_spot(nsds_collision *c, const double *n, const double *xa, const double *xb,
                   const int *va, const int *vb);

#endif
