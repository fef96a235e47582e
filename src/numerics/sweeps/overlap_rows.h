/*
 * The problem of positions that leads bodies out of overlap, row by row:
 *
 *   d = Y Lambda,   0 <= H d - b  perpendicular to  Lambda >= 0
 */
#ifndef NSDS_SRC_OVERLAP_ROWS_H
#define NSDS_SRC_OVERLAP_ROWS_H

#include <stddef.h>

/* A row and the place of its numbers: H of both bodies over their ranges of velocities, then Y of
 * both. With gains there is no Y, which is gain times H^T. */
typedef struct nsds_overlap_row {
  double M, b, z; /* own entry of M; z: Lambda of a sweep, H d of a solution */
  int column[2], size[2];
  size_t first;
} nsds_overlap_row;

typedef struct nsds_overlap_rows {
  int n;
  nsds_overlap_row *row;
  double *number;     /* of the rows */
  const double *gain; /* nv, or NULL */
  double *way;        /* nv: d */
  size_t nv;
} nsds_overlap_rows;

/* Larger problems are only swept. */
enum { nsds_most_overlaps_solved = 256, nsds_overlap_vectors = 5 };

/* Sweeps over the rows, d = 0 at first. */
void nsds_overlap_sweep(const nsds_overlap_rows *rows, int sweeps);
/* Solves the rows. `vector`: nsds_overlap_vectors arrays of n numbers. */
void nsds_overlap_solve(const nsds_overlap_rows *rows, double *vector);

#endif
