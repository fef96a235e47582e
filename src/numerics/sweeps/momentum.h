/*
 * Nesterov's momentum of a fixed-point iteration whose point x carries along y, affine in x. After
 * each step the point goes on, past its end, by a part of the way from the end of the last step.
 */
#ifndef NSDS_SRC_MOMENTUM_H
#define NSDS_SRC_MOMENTUM_H

#include "base/base.h"

typedef struct nsds_momentum {
  const nsds_context *context; /* its threads share the work */
  int n, ny;                   /* entries of x, of y */
  double limit;                /* largest t */
  double *last, *y_last;       /* end of the last step */
  double t, least;             /* t_k; the least change of a step since t was 1 */
  double change, along;        /* of the last step; against the momentum where positive */
} nsds_momentum;

/* Measures how much a step from `before` to x has changed. `weight` (n) is the unit in which steps
 * are measured. */
void nsds_momentum_look(nsds_momentum *m, const double *weight, const double *before,
                        const double *x);

/* Call this after nsds_momentum_look(): goes on from x and y. `first` says if this step is the
 * first. Returns true if x and y have changed. */
bool nsds_momentum_step(nsds_momentum *m, bool first, double *x, double *y);

#endif
