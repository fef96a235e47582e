/*
 * Colors of the blocks of a distributed problem, and one exchange for each color.
 */
#ifndef NSDS_SRC_MPI_COLORS_H
#define NSDS_SRC_MPI_COLORS_H

#include "mpi/whole.h"

typedef struct nsds_colors {
  int count;
  int *of;                 /* color of each block */
  int *first, *block;      /* blocks by color: block[first[c]] .. block[first[c + 1] - 1] */
  PetscSF *sf;             /* from the writer of a column in this color to its copies; NULL: none */
  int *numbers, *messages; /* what this process sends for each color */
  bool lent;               /* by what is kept */
} nsds_colors;

/* Colors the blocks: two blocks that move one column have different colors. The colors follow from
 * the identifiers alone, which are `id`, or the order of ranks. */
nsds_status nsds_colors_open(nsds_colors *colors, nsds_whole *whole, const long long *id);
void nsds_colors_close(nsds_colors *colors);

/* Gives v of the columns that blocks of this color have moved to all copies. */
void nsds_colors_send(const nsds_colors *colors, nsds_whole *whole, int color, double *v);

/* Returns true if impulses in a block of m rows move columns of the edge. */
bool nsds_colors_moves(const nsds_factored *f, const nsds_edge *e, int m);

#endif
