/*
 * Convex cores: a point, a segment or a polytope, with a radius around it. Every shape consists of
 * cores. Vertices, normals of faces and directions of edges are stored in the body and in the
 * world. For scenery both are the same arrays.
 */
#ifndef NSDS_SRC_CORE_H
#define NSDS_SRC_CORE_H

#include "kernel/modeling/body.h"

typedef struct nsds_round nsds_round; /* round.h */

typedef struct nsds_core {
  int nv, nf, ne, nd;         /* vertices, faces, edges, directions for products */
  const int *first, *loop;    /* face f has vertices loop[first[f]] .. loop[first[f + 1] - 1],
                                 counterclockwise from outside; in the plane two */
  const int *edge;            /* 2 ne vertices; a point has the same vertex twice */
  double *v, *n, *d;          /* in the body: 3 nv, 3 nf of length 1, 3 nd of length 1 */
  double *wv, *wn, *wd;       /* in the world */
  double radius;              /* around the core */
  double centre[3], around;   /* in the body: a ball that holds core and radius */
  double at[3], lo[3], hi[3]; /* in the world: center of the ball, box of core and radius */
  double thin;                /* half of the least width, with radius; INFINITY: a single face */
  bool flat;                  /* a triangle or segment of scenery: only the front of a face */
  double lean[3];    /* flat: how far over edge k (in the plane over vertex k) normals may lean: the
                     sine of the angle to the neighbor's normal; 2: no neighbor */
  nsds_round *round; /* NULL, or the surface around the single vertex */
} nsds_core;

/* Returns the number of doubles for the arrays of a core. */
size_t nsds_core_doubles(const nsds_core *core, bool scenery);
/* Points the core's arrays into `store`. For scenery the arrays of the world are those of the
 * body. */
void nsds_core_lay(nsds_core *core, double *store, bool scenery);

/* These functions set constant topologies: numbers and const arrays. */
void nsds_core_point(nsds_core *core);
void nsds_core_segment(nsds_core *core, int dimension);
void nsds_core_box(nsds_core *core, int dimension);
void nsds_core_flat(nsds_core *core, int dimension);
/* Makes a thin solid with two faces of a flat core in the world, with normals in n, 6 numbers. */
void nsds_core_both_sides(const nsds_core *flat, nsds_core *both, double *n);
void nsds_core_box_vertices(nsds_core *core, const double *half, int dimension);
/* Computes normals and directions from vertices and loops. Returns false if a face has no area. */
bool nsds_core_normals(nsds_core *core, int dimension);
/* Computes the ball around the core and its width from vertices, normals and radius. */
void nsds_core_bound(nsds_core *core);

/* Returns true if b comes before a in an order by what the cores are and where they lie. Pairs are
 * computed in this order, so that no digit changes if the cores change places. */
bool nsds_cores_turned(const nsds_core *a, const nsds_core *b);

/* Moves the core from the body to the world by x + R. */
void nsds_core_place(nsds_core *core, const double *x, const double *R);
/* Computes the box in the world. */
void nsds_core_box_around(nsds_core *core);

#endif
