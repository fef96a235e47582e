/*
 * The linear systems of implicit steps, (1 - c J) d = r, with J = df/dx.
 *
 * If x_i' = x_m, as for positions and velocities, row i of J has a single entry, 1. Such d_i = r_i
 * + c d_m are eliminated, and the rest is factored: half the size for mechanical systems, an eighth
 * of the work.
 */
#ifndef NSDS_SRC_ITERATION_MATRIX_H
#define NSDS_SRC_ITERATION_MATRIX_H

#include "numerics/linear/factor_state.h"
#include "numerics/linear/factor.h"
#include "numerics/store.h"

typedef struct nsds_iteration_matrix {
  int n;
  double *J; /* n x n, column-major */
  double *S; /* the matrix that is factored */
  double *r; /* n */
  double *power[2];
  int *target; /* n: m of an eliminated row; -1: not eliminated */
  int *place;  /* n: place in `left`; -1: eliminated */
  int *left;   /* the rows that are not eliminated */
  int nleft;
  double c;      /* c of the factors; 0: none */
  double radius; /* estimate of the spectral radius of J */
  nsds_factor *factor;
} nsds_iteration_matrix;

nsds_status nsds_iteration_matrix_reserve(nsds_store *store, nsds_iteration_matrix *m, int n);

/* Call this after writing J: chooses the rows to eliminate and estimates the radius. */
void nsds_iteration_matrix_taken(nsds_iteration_matrix *m);

/* Factors 1 - c J. Returns false if the matrix is singular to working precision. */
bool nsds_iteration_matrix_factor(nsds_iteration_matrix *m, double c);
/* Replaces r in d by the solution. */
void nsds_iteration_matrix_solve(const nsds_iteration_matrix *m, double *d);

#endif
