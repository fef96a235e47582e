/*
 * Bodies with six faces and eight corners in a contact set of shapes: stacks, arches, dominoes.
 */
#ifndef NSDS_EXAMPLE_BLOCKS_H
#define NSDS_EXAMPLE_BLOCKS_H

#include <nsds/nsds.h>

enum { most_blocks = 256 };

/* Corner k has the larger coordinate on axis i where bit i of k is set. */
typedef struct block {
  nsds_ds *ds;
  double corner[8][3]; /* in the body, about its centre of mass [m] */
  double mass;
} block;

typedef struct blocks {
  nsds_model *model;
  nsds_contact_set *contacts;
  double density; /* [kg/m^3] */
  int count;
  block block[most_blocks];
} blocks;

/* A set with a ground at z = 0 of material 0. */
void blocks_open(blocks *b, nsds_model *model, int nmaterial, const nsds_material *material);

/* A block by its corners in the world, of a material; its mass and moments of inertia follow. */
nsds_ds *blocks_add(blocks *b, const double corner[8][3], int material, const double *v0);

/* Cubes of edge 1 m, each off the one below by up to `off`. */
void blocks_stack(blocks *b, int count, double off);

/* A half-circular arch of `count` wedges with radial joints, of mean radius 1 m and width 0.3 m, in
 * the plane y = at. */
void blocks_arch(blocks *b, int count, double thickness, double at, int material);

/* Dominoes of 48 x 24 x 7.5 mm along x; the first one is pushed. */
void blocks_dominoes(blocks *b, int count, double pitch, double push);

/* Corner k of block i in the world, and its six faces of four corners, counterclockwise. */
void blocks_corner(const blocks *b, int i, int k, double x[3]);
extern const int blocks_face[6][4];

#endif
