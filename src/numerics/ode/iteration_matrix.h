/*
 * The linear systems of implicit steps, (1 - c J) d = r, with J = df/dx.
 *
 * Where x_i' = x_m, as positions and velocities are tied, row i of J has a single entry, 1. Such
 * d_i = r_i + c d_m are eliminated, what is left is factored: half the size for mechanical systems,
 * an eighth of the work.
 */
#ifndef NSDS_SRC_ITERATION_MATRIX_H
#define NSDS_SRC_ITERATION_MATRIX_H

#include "numerics/linear/factor_state.h"
#include "numerics/linear/factor.h"
#include "numerics/store.h"

typedef struct nsds_iteration_matrix {
  int n;
  double *J; /* n x n, column-major */
  double *S; /* that is factored */
  double *r; /* n */
  double *power[2];
  int *target; /* n: m; -1: the row is not eliminated */
  int *place;  /* n: of those that are left; -1 */
  int *left;   /* these */
  int nleft;
  double c;      /* factored for; 0: not */
  double radius; /* about the spectral radius of J */
  nsds_factor *factor;
} nsds_iteration_matrix;

nsds_status nsds_iteration_matrix_reserve(nsds_store *store, nsds_iteration_matrix *m, int n);

/* J has been written. */
void nsds_iteration_matrix_taken(nsds_iteration_matrix *m);

/* False where it is singular to working precision. Then d in place of r. */
bool nsds_iteration_matrix_factor(nsds_iteration_matrix *m, double c);
void nsds_iteration_matrix_solve(const nsds_iteration_matrix *m, double *d);

#endif
