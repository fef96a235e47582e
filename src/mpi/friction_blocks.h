/*
 * A distributed friction problem for its methods: matrices of blocks, products, projections, and sums
 * over all processes. friction.c has the sweeps, friction_newton.c has Newton's method.
 */
#ifndef NSDS_SRC_MPI_FRICTION_BLOCKS_H
#define NSDS_SRC_MPI_FRICTION_BLOCKS_H

#include "mpi/kept.h"

#include <nsds/problem.h>

enum { nsds_friction_rows = 64 }; /* most rows of a block */

typedef struct nsds_friction {
  nsds_whole *whole;
  const nsds_factored *f;
  nsds_colors colors;
  bool reproducible;
  int n, ny, entries;
  double *z, *y;  /* n, ny: the iterate, and y = Y z */
  double *weight; /* n: diagonal */
  double *scale;  /* blocks: change of z_a to residual */
  double *own;    /* `entries`: M_aa, at the place of the block */
  int *place;     /* of M_aa in `own` */
} nsds_friction;

/* Checks the blocks, and opens colors and matrices. Colors are those of `kept`, or are kept (NULL). Collective. Close it also after a failure. */
nsds_status nsds_friction_open(nsds_friction *t, nsds_whole *whole, const nsds_mpi_part *part,
                               const nsds_kept *kept, bool reproducible);
void nsds_friction_close(nsds_friction *t);

static inline bool nsds_is_coulomb(const nsds_block *b) { return b->set == NSDS_SET_COULOMB; }

/* Computes w_a = H y + D z_a of block a; the columns y hold Y z. */
void nsds_friction_product(const nsds_friction *t, int a, const double *z, const double *y,
                           double *w);
/* Adds Y_a dz to y. */
void nsds_friction_move(const nsds_friction *t, int a, const double *dz, double *y);
/* Computes y = Y z over all processes. */
void nsds_friction_columns(const nsds_friction *t, const double *z, double *y);

/* Clips x to the bounds of row i of a block that is no contact. */
double nsds_friction_clip(const nsds_block *b, int i, double x);
void nsds_friction_project_contact(const nsds_block *b, double *z);
/* Projects z on the sets of all blocks. */
void nsds_friction_project(const nsds_friction *t, double *z);

/* The terms of `count` sums, at most 3, in row i. */
typedef void (*nsds_friction_terms)(const void *user, int i, double *term);

/* Adds terms over all rows of all processes. `most` becomes the largest of all processes. If answers are
 * to be reproducible, terms become whole numbers of 2^-60 of the largest one, whose sum has no order. */
void nsds_friction_sum(const nsds_friction *t, int count, nsds_friction_terms terms,
                       const void *user, double *most, double *sum);

/* Certifies z. Returns the larger of residual and violation, each beside its limit. Writes `scale`. */
double nsds_mpi_friction_judge(nsds_friction *t, const double *z, double tolerance, double *work);

#endif
