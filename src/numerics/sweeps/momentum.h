/*
 * Nesterov's momentum of a fixed-point iteration whose point x carries along y, affine in x: from
 * where a step has led it goes on by a part of the way from where the step before has led.
 */
#ifndef NSDS_SRC_MOMENTUM_H
#define NSDS_SRC_MOMENTUM_H

#include "base/base.h"

typedef struct nsds_momentum {
  const nsds_context *context; /* its threads share the work */
  int n, ny;                   /* entries of x, of y */
  double limit;                /* largest t */
  double *last, *y_last;       /* where the step before has led */
  double t, least;             /* t_k; the least change of a step since t was 1 */
  double change, along;        /* of the last step; against the momentum where positive */
} nsds_momentum;

/* What a step from `before` to x has changed; `weight` (n) is the unit in which steps are
 * measured. */
void nsds_momentum_look(nsds_momentum *m, const double *weight, const double *before,
                        const double *x);

/* After that, the first step or another, which has led to x and y: goes on. True where these have
 * changed. */
bool nsds_momentum_step(nsds_momentum *m, bool first, double *x, double *y);

#endif
