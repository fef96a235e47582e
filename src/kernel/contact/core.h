/*
 * Convex cores: a point, a segment or a polytope, with a radius around it. Every shape is made of
 * them. Vertices, normals of faces and directions of edges are kept in the body and in the world;
 * of scenery these are the same arrays.
 */
#ifndef NSDS_SRC_CORE_H
#define NSDS_SRC_CORE_H

#include "kernel/modeling/body.h"

typedef struct nsds_core {
  int nv, nf, ne, nd;         /* vertices, faces, edges, directions to take products of */
  const int *first, *loop;    /* face f has vertices loop[first[f]] .. loop[first[f + 1] - 1],
                                 counterclockwise from outside; in the plane two */
  const int *edge;            /* 2 ne vertices; of a point the same one twice */
  double *v, *n, *d;          /* in the body: 3 nv, 3 nf of length 1, 3 nd of length 1 */
  double *wv, *wn, *wd;       /* in the world */
  double radius;              /* around it */
  double centre[3], around;   /* a ball that holds core and radius, in the body */
  double at[3], lo[3], hi[3]; /* in the world: its centre, a box that holds core and radius */
  double thin; /* half of its least width, radius included; INFINITY where there is but one face */
  bool flat;   /* a triangle or segment of scenery: nothing but the front of its one face */
  double lean[3]; /* flat: how far over edge k (in the plane over vertex k) normals may lean: the
                     sine of the angle to the neighbour's normal; 2 where there is no neighbour */
} nsds_core;

/* Numbers and pointers to arrays of `store`, which has room for nsds_core_doubles(). The world's
 * are those of the body for scenery. */
size_t nsds_core_doubles(const nsds_core *core, bool scenery);
void nsds_core_lay(nsds_core *core, double *store, bool scenery);

/* Topologies that are always the same; they set numbers and const arrays. */
void nsds_core_point(nsds_core *core);
void nsds_core_segment(nsds_core *core, int dimension);
void nsds_core_box(nsds_core *core, int dimension);
void nsds_core_flat(nsds_core *core, int dimension);
/* Vertices of a box; normals and directions of any core that has its vertices and loops. */
void nsds_core_box_vertices(nsds_core *core, const double *half, int dimension);
/* False where a face has no area. */
bool nsds_core_normals(nsds_core *core, int dimension);
/* Ball around it and its width, once vertices, normals and radius are there. */
void nsds_core_bound(nsds_core *core);

/* Moves what is in the body by x + R. */
void nsds_core_place(nsds_core *core, const double *x, const double *R);
/* The box in the world. */
void nsds_core_box_around(nsds_core *core);

#endif
