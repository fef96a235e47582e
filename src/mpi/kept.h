/*
 * The colors and exchanges of the last problem of friction of a group. The next problem takes them if its
 * blocks and columns are the same on all processes. Steps of a pile at rest have such problems.
 */
#ifndef NSDS_SRC_MPI_KEPT_H
#define NSDS_SRC_MPI_KEPT_H

#include "mpi/colors.h"

typedef struct nsds_kept {
  int nblock, ncolumn;
  bool named;             /* blocks have identifiers */
  long long *id, *number; /* of blocks and columns */
  int *first_edge, *edge; /* edges: twice the column, plus 1 if impulses move it, */
  int *size;              /* and how many columns */
  nsds_whole whole;       /* its exchange of columns alone */
  nsds_colors colors;
} nsds_kept;

/* Returns what is kept if it fits the parts of all processes, else NULL. Collective. */
const nsds_kept *nsds_kept_find(nsds_mpi *mpi, const nsds_mpi_part *part);

/* Keeps the exchange of an open whole and its colors, which are lent back to both. Frees what was kept
 * before. Returns a failure if memory is out; both stay as they are then. Collective. */
nsds_status nsds_kept_store(nsds_whole *whole, const nsds_mpi_part *part, nsds_colors *colors);

#endif
