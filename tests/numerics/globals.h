/*
 * Global problems for tests: given by dense matrices, stored as the library wants them.
 */
#ifndef NSDS_TEST_GLOBALS_H
#define NSDS_TEST_GLOBALS_H

#include "bodies.h"
#include "relations.h"

#include <nsds/global.h>

typedef struct world {
  char name[64];
  nsds_global_problem problem; /* of the arrays below, M as compressed columns */
  double *M, *H, *G;           /* dense, column-major */
  double *f, *w, *b;
  nsds_block *block;
  sample_block *sample;
  int *index[6];     /* p and i of M, H, G */
  double *value[3];  /* x */
  double *v, *r, *u; /* an answer, or not finite */
} world;

/* Zeros of this size; blocks and numbers are the caller's to fill. */
void world_start(world *t, const char *name, int nv, int n, int p, int nblock);

/* Puts matrices into the problem once their numbers are there. */
void world_finish(world *t);
void world_destroy(world *t);

/* The bodies of a scene, without joints or with every body's velocity along x tied to the next
 * one's. */
void world_of_bodies(world *t, const bodies *b, bool tied);

/* Random bodies of 1 .. 6 velocities, blocks of one kind (-1: of all) between two of them, p
 * equality rows of which `dependent` are combinations of others; an answer is known. */
void world_at_random(world *t, int nbody, int nblock, int which, int p, int dependent);

/* Links in a row, each tied to the next by p = links - 1 joints, the ends on the ground. */
void world_of_links(world *t, int links);

/* A bar of n masses with springs, implicitly in time: M tridiagonal, one cluster in each direction;
 * every `every`-th mass can touch the ground. */
void world_of_bar(world *t, int n, int every);

#endif
