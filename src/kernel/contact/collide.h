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

#endif
