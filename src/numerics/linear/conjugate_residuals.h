/*
 * Refinement of A x = b with factors of a nearby matrix, by conjugate residuals (Eisenstat, Elman &
 * Schultz: SIAM J. Numer. Anal. 20, 1983). A few eigenvalues that are smaller than the difference of
 * the matrices need a step each, where plain refinement would stagnate.
 */
#ifndef NSDS_SRC_CONJUGATE_RESIDUALS_H
#define NSDS_SRC_CONJUGATE_RESIDUALS_H

#include "numerics/store.h"

enum { nsds_most_directions = 8 };

typedef struct nsds_conjugate_residuals {
  int n;
  double *direction, *image;                                      /* nsds_most_directions times n */
  void (*by_factors)(void *self, const double *r, double *x);     /* x = A^-1 r, nearly */
  void (*multiply)(const void *self, const double *x, double *y); /* y = A x */
  void *self;
} nsds_conjugate_residuals;

/* x^T y as four sums, which the compiler keeps in one register. */
static inline double nsds_inner_by_four(int n, const double *x, const double *y) {
  double sum[4] = {0.0};
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int c = 0; c < 4; ++c) sum[c] += x[i + c] * y[i + c];
  for (; i < n; ++i) sum[0] += x[i] * y[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Computes x from 0, and the residual r from b in r, until r is `enough` times b or less. Returns the
 * length of r relative to that of b. */
double nsds_refine_by_residuals(const nsds_conjugate_residuals *c, double enough, double *r,
                                double *x);

#endif
