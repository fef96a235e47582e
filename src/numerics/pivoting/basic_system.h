/*
 * The linear system A x = b of a basis: dense, square, solved once.
 *
 * Regular: LU with two steps of iterative refinement (Higham, Accuracy and Stability, 12). The
 * second step tells entries from rounding: one that it changes by a good part of itself has no
 * digits, and is zero; left as it is, it would be all there is in rows whose other terms vanish.
 * Singular: the least-squares solution of minimum norm (in equilibrated columns) by a complete
 * orthogonal factorisation (orthogonal.h), refined alike.
 */
#ifndef NSDS_SRC_BASIC_SYSTEM_H
#define NSDS_SRC_BASIC_SYSTEM_H

#include "factor.h"

typedef struct nsds_basic_system {
  double *a; /* k x k column-major, filled by the caller and kept */
  double *b; /* k, filled by the caller and kept */
  double *x; /* k: the solution */
  /* the rest is private */
  nsds_factor *factor;
  double *copy, *correction, *scale, *work;
  int *pivot;
  int reserved, solved;
} nsds_basic_system;

/* Memory for systems of up to n rows; the arrays then have their final places. */
nsds_status nsds_basic_system_reserve(nsds_basic_system *system, nsds_store *store, int n);

/* Solves for x: NSDS_OK, or NSDS_ERROR_SINGULAR with the least-squares solution in x, which need
 * not solve; always finite. */
nsds_status nsds_basic_system_solve(nsds_basic_system *system, int k);

/* Reciprocal condition of a regular system last solved. */
double nsds_basic_system_rcond(const nsds_basic_system *system);

/* Dimension r of the kernel of A, spanned by the columns of *V (k x r), which are orthonormal in
 * equilibrated unknowns and stay until the next call. */
int nsds_basic_system_kernel(nsds_basic_system *system, int k, const double **V);

#endif
