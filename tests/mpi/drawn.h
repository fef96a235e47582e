/*
 * Drawn problems, the same on all processes, and the part of a process.
 */
#ifndef NSDS_TEST_MPI_DRAWN_H
#define NSDS_TEST_MPI_DRAWN_H

#include <nsds/mpi.h>

typedef struct drawn {
  nsds_problem problem;
  nsds_block *block;
  nsds_factored factored;
  nsds_edge *edge;
  int *row, *first_edge, *p, *i, *owner; /* owner: process of each block, or of each row */
  double *H, *gain, *q, *lower, *upper, *x, *z;
  double *D;
  const double **at;
} drawn;

typedef struct drawn_part {
  nsds_mpi_part part;
  nsds_problem problem;
  nsds_block *block;
  nsds_factored factored;
  nsds_edge *edge;
  int *row, *first_edge, *p, *from; /* from: row in the whole problem of each row */
  double *gain, *q, *x, *z, *w;
  const double **at;
  long long *number, *id;
} drawn_part;

/* A number in [0, 1) of the stream `seed`. */
double draw(uint64_t *seed);

/* Bodies with six columns in a chain and drawn pairs: Coulomb, nonnegative, equality and box blocks.
 * There is a solution. `size` processes own blocks, by chance or in runs. */
void draw_friction(drawn *d, uint64_t seed, int bodies, int size);

/* Spheres that fall on one another and on a floor: wide x wide in each layer. */
void draw_pile(drawn *d, uint64_t seed, int wide, int layers, int size);

/* edge x edge nodes of a membrane over a ball, in runs of rows, `thin` across. */
void draw_membrane(drawn *d, uint64_t seed, int edge, double thin, int size);

/* A graph with drawn weights between two bounds, equalities among them. */
void draw_graph(drawn *d, uint64_t seed, int n, int size);

void drawn_free(drawn *d);

void drawn_cut(drawn_part *part, const drawn *whole, int rank);
void drawn_part_free(drawn_part *part);

/* Cuts z of the whole to the part, and puts the part together again: zeros elsewhere. */
void drawn_scatter(const drawn_part *part, const double *whole, double *z);
void drawn_gather(const drawn_part *part, const double *z, int n, double *whole);

#endif
