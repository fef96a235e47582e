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

/* Computes x from 0, and the residual r from b in r, until r is `enough` times b or less. Returns the
 * length of r relative to that of b. */
double nsds_refine_by_residuals(const nsds_conjugate_residuals *c, double enough, double *r,
                                double *x);

#endif
