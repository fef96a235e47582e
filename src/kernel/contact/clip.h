#ifndef NSDS_SRC_CLIP_H
#define NSDS_SRC_CLIP_H

#include "kernel/contact/collision.h"

/* Finds the contacts of a core that is not round with the plane {x : n.x = offset}. */
void nsds_clip_plane(nsds_collision *c, const nsds_core *a, const double *n, double offset);
/* Finds the contacts on a face of ref. Returns the least distance from the face; INFINITY: none. */
double nsds_clip_face(nsds_collision *c, const nsds_core *ref, int face);
/* Finds the contacts common to a face of ref and a face of the other core, seen along n. n leads out
 * of ref. If the other core is a point or a segment, `across` is -1. Returns the least distance. */
double nsds_clip_between(nsds_collision *c, const nsds_core *ref, int face, int across,
                         const double *n);
/* Returns the face of a core that points most against n at the vertex lowest along n; -1: none. */
int nsds_face_below(const nsds_core *core, const double *n);
/* Finds the contacts along n, towards a, of the faces at edges or vertices va and vb. Returns the
 * least distance; INFINITY if there is none, or neither face is flat on n. */
double nsds_clip_along(nsds_collision *c, const double *n, const int *va, const int *vb);
/* Computes the outward normal of side k of a face and a point of the side. The normal is
 * perpendicular to n, which leads out of the face. */
void nsds_side(const nsds_core *core, int face, int k, const double *n, double *m,
               const double **x);
/* Adds a contact of the vertex that lies deepest behind a face of ref. */
void nsds_add_deepest(nsds_collision *c, const nsds_core *ref, int face);
/* Keeps the four contacts that span the largest area, starting with the deepest. */
void nsds_reduce(nsds_collision *c);

/* Returns true if a normal leans too far over a side of the face of a flat core. `sign` turns it away
 * from the flat core. */
bool nsds_leans_over(const nsds_core *flat, const double *normal, double sign);

void nsds_add_spot(nsds_collision *c, const double *n, const double *xa, const double *xb,
                   const int *va, const int *vb);
/* Exchanges the cores of a contact. */
void nsds_turn_spot(nsds_spot *touch);

#endif
