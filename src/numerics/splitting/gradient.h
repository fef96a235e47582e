/*
 * What the projected gradient methods share: the iterate and its gradient g = M z + q + s, De
 * Saxce's shift s being held while a convex programme is solved and renewed in between.
 */
#ifndef NSDS_SRC_GRADIENT_H
#define NSDS_SRC_GRADIENT_H

#include "solver_internal.h"

enum { nsds_gradient_arrays = 7 }; /* of length n, taken from the scratch first */

typedef struct nsds_gradient {
  const nsds_problem *problem;
  nsds_problem linear; /* the same with q = 0, for products M d */
  int n;
  double *r;      /* n: metric, see blockwise.h */
  double *z, *g;  /* n each: iterate, gradient */
  double *d, *Md; /* n each: direction and its product */
  double *s;      /* n: shift, held */
  double *zero;   /* n */
  double *work;   /* of the products */
  bool shifts;    /* some block has a shift */
  double renewal; /* natural residual when s was renewed last */
} nsds_gradient;

/* Starts at z; g and, where there are any, the shifts there. */
nsds_gradient nsds_gradient_start(nsds_solver *solver, const nsds_problem *problem,
                                  const double *z);

/* g from scratch, which ends the drift of rounding. */
void nsds_gradient_refresh(nsds_gradient *t);

/* When the programme is solved to part of the accuracy that the held shift has, renews the shift:
 * true, and f is another function. `trial` is n of scratch. */
bool nsds_gradient_renew(nsds_gradient *t, double *trial);

/* d = P(z - alpha R g) - z */
void nsds_gradient_project(nsds_gradient *t, double alpha);

/* g.d for the d of nsds_gradient_project(). */
double nsds_gradient_slope(const nsds_gradient *t, double alpha);

/* z += lambda d, g += lambda M d. */
void nsds_gradient_advance(nsds_gradient *t, double lambda);

#endif
