/*
 * A pair of cores in the narrow phase, and the contacts that it has.
 */
#ifndef NSDS_SRC_COLLISION_H
#define NSDS_SRC_COLLISION_H

#include "kernel/contact/core.h"

enum { nsds_manifold_most = 4 };

/* The normal leads towards the first core. */
typedef struct nsds_spot {
  double gap, normal[3], point[3];
  uint64_t feature; /* the vertices of both cores at the contact */
} nsds_spot;

/* A corner of a face that is being clipped. */
typedef struct nsds_corner {
  double x[3];
  int own[2], other[2]; /* vertices of its edge and of the edge that cut it; equal: one vertex */
  int next[2];          /* the way to the next corner: vertices of its edge, or -1 and a side */
} nsds_corner;

typedef struct nsds_collision {
  double reach;
  bool exact; /* the least gap of polytopes to rounding, in place of manifolds that last */
  int method; /* nsds_overlap_method */
  int room;   /* entries of each array below: nsds_collision_room() */
  nsds_corner *corner[2];
  nsds_spot *spot;
  /* of the pair under way */
  const nsds_core *a, *b;
  double slack; /* negligible length */
  int count;    /* contacts; < 0: no normal */
} nsds_collision;

/* The direction in which two cores are farthest apart or overlap least. */
typedef struct nsds_axis {
  double s, n[3];       /* least n.(a - b); n towards a */
  const nsds_core *ref; /* n is a normal of a face of this core; NULL: of two edges */
  int face;
} nsds_axis;

/* Returns the number of entries for cores whose faces have at most `most` vertices. */
static inline int nsds_collision_room(int most) { return 2 * most + 16; }

#endif
