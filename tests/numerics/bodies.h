/*
 * Contact problems of rigid bodies in 3D, as the factored operator a kernel would hand over, and
 * the same matrix in every other storage.
 */
#ifndef NSDS_TEST_BODIES_H
#define NSDS_TEST_BODIES_H

#include <nsds/solver.h>

/* Bodies with 6 velocities each (linear, angular), contacts of the frame (normal, two tangents). */
typedef struct bodies {
  char name[48];
  int nbody, ncontact, nedge;
  double *mass, *inertia; /* nbody; the inertia is that of a ball */
  double *centre;         /* 3 x nbody */
  double *velocity;       /* 6 x nbody, free */
  int (*pair)[2];         /* of each contact; -1: the ground */
  double *point, *normal; /* 3 x ncontact; the normal points from the second body to the first */
  double *mu;
} bodies;

/* Scene k with its free velocities; false past the last. All have a solution. */
bool bodies_create(bodies *b, int k);
void bodies_destroy(bodies *b);

/* The problem of a scene; sets other than Coulomb's are put in by the test. */
typedef struct scene {
  nsds_problem problem;
  nsds_factored factored;
  nsds_block *block;
  int *row, *first_edge;
  nsds_edge *edge;
  double *values, *q, *speed; /* speed: the scale of q */
} scene;

void scene_create(scene *s, const bodies *b);
void scene_destroy(scene *s);

/* A problem with the matrix in another storage; what it points to besides belongs to the first. */
typedef struct converted {
  nsds_problem problem;
  nsds_block_rows rows;
  nsds_factored factored;
  nsds_edge *edge;
  double *x, **D;
  int *p, *i, *row, *first, *column, *start;
} converted;

void converted_create(converted *c, const nsds_problem *problem, nsds_storage storage);
void converted_destroy(converted *c);

#endif
