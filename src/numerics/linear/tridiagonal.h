/*
 * LU factors of a diagonally dominant tridiagonal matrix, without interchanges: chains of bodies.
 *
 * Elimination runs from both ends to the middle row (the twisted factorization: Parlett & Dhillon,
 * Linear Algebra Appl. 267, 1997). Two independent recurrences instead of one halve the time of a
 * solve. Dominance by rows or by columns bounds the growth by 2 (Higham, Accuracy and Stability,
 * 9.6).
 */
#ifndef NSDS_SRC_TRIDIAGONAL_H
#define NSDS_SRC_TRIDIAGONAL_H

#include "base/base.h"

/* Arrays of n. Row i was eliminated by its outer neighbor, which is farther from the middle. */
typedef struct nsds_tridiagonal {
  int n;
  double *multiplier; /* outer entry over the outer neighbor's pivot */
  double *inverse;    /* reciprocal of the pivot */
  double *inner;      /* entry towards the middle times `inverse` */
  double middle;      /* second multiplier of the middle row, from its lower neighbor */
} nsds_tridiagonal;

enum { nsds_tridiagonal_work = 6 }; /* doubles per row of `work` */

/* Factors a CSC matrix into `work`, n * nsds_tridiagonal_work doubles. Returns false, with nothing
 * done, unless the matrix is tridiagonal with a complete diagonal and diagonally dominant. `rcond`
 * receives the least ratio of pivot to diagonal entry, 0 for a zero or non-finite pivot. */
bool nsds_tridiagonal_factor(nsds_tridiagonal *t, int n, const int *p, const int *i,
                             const double *x, double *work, double *rcond);

void nsds_tridiagonal_solve(const nsds_tridiagonal *t, double *b);

#endif
