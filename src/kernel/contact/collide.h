/*
 * Narrow phase: the contacts of two cores, or of a core and a half space.
 */
#ifndef NSDS_SRC_COLLIDE_H
#define NSDS_SRC_COLLIDE_H

#include "kernel/contact/core.h"

enum { nsds_manifold_most = 4 };

/* The normal leads towards the first core. */
typedef struct nsds_spot {
  double gap, normal[3], point[3];
  uint64_t feature; /* vertices of both that it lies on */
} nsds_spot;

/* A corner of a face that is being clipped. */
typedef struct nsds_corner {
  double x[3];
  int own[2], other[2]; /* vertices of its edge and of the edge that cut it; equal: one vertex */
  int next[2];          /* the way to the next corner: vertices of its edge, or -1 and the side
                           that it runs along */
} nsds_corner;

typedef struct nsds_collision {
  double reach;
  int method; /* nsds_overlap_method */
  int room;   /* entries of each of the next arrays: nsds_collision_room() */
  nsds_corner *corner[2];
  nsds_spot *spot;
  /* of the pair under way */
  const nsds_core *a, *b;
  double slack; /* lengths that do not count */
  int count;    /* contacts in touch; < 0: there is no normal */
} nsds_collision;

/* The direction in which two cores are farthest apart, or overlap least. */
typedef struct nsds_axis {
  double s, n[3];       /* least n.(a - b); n towards a */
  const nsds_core *ref; /* n is a normal of this one's face, NULL: of two edges */
  int face;
} nsds_axis;

/* Entries for cores whose faces have up to so many vertices. */
static inline int nsds_collision_room(int most) { return 2 * most + 16; }

/* Contacts with a gap of up to reach are in c->spot, c->count of them, at most four. */
void nsds_collide(nsds_collision *c, const nsds_core *a, const nsds_core *b);
/* The core before the plane {x : n.x = offset}. */
void nsds_collide_plane(nsds_collision *c, const nsds_core *a, const double *n, double offset);

/* axes.c: false: apart by more than `limit`, or behind a flat one. Faces before edges, a before b,
 * where they are equal but for slack. */
bool nsds_find_axis(const nsds_collision *c, double limit, nsds_axis *axis);
/* min n.a - max n.b over the vertices. */
double nsds_extent(const nsds_core *a, const nsds_core *b, const double *n);

/* clip.c: contacts on a face of ref; the least distance from it, INFINITY where there is none. */
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

/* edges.c: closest points of edges, those that can be within c->reach when n separates by s, and
 * what else of the faces there is near. */
void nsds_nearest(nsds_collision *c, const double *n, double s);
/* Where two edges cross that n, their product, is normal to, and what else of the faces there is
 * near; the distance of the points found. */
double nsds_cross_edges(nsds_collision *c, const double *n);

/* A contact at points x_a, x_b of the cores. */
void nsds_add_spot(nsds_collision *c, const double *n, const double *xa, const double *xb,
                   const int *va, const int *vb);

/* overlap_ccd.c: the axis of least overlap, false where there is none. */
bool nsds_ccd_axis(const nsds_core *a, const nsds_core *b, double *n);

#endif
