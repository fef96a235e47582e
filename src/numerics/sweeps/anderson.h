/*
 * Anderson acceleration of a fixed-point iteration x -> g(x) whose point carries along y, affine in
 * x. The acceleration combines the last steps so that the residual f = g - x would vanish if g were
 * affine.
 */
#ifndef NSDS_SRC_ANDERSON_H
#define NSDS_SRC_ANDERSON_H

#include "numerics/store.h"

enum { nsds_anderson_most = 40 };

typedef struct nsds_anderson {
  const nsds_context *context; /* its threads share the work */
  int n, ny, memory;           /* rows of x, of y, differences kept at most */
  int count, next;             /* differences kept; place of the next one */
  bool has_last;
  double last_norm;                                     /* of the last f */
  double *f, *g, *y;                                    /* last f (weighted), g, and its y */
  double *df, *dg, *dy;                                 /* memory columns each */
  double gram[nsds_anderson_most * nsds_anderson_most]; /* of the columns of df */
  double *storage;
} nsds_anderson;

nsds_status nsds_anderson_reserve(nsds_anderson *t, nsds_store *store, int n, int ny, int memory);

/* Forgets all steps. */
void nsds_anderson_restart(nsds_anderson *t);

/*
 * Call this after a step from x to g with y: the combination replaces g and y. `weight` (n) gives
 * the residual one unit.
 *
 * Returns false if g and y are no combination. Without history they are unchanged. If the residual
 * has grown too much since the last combination, g and y return to their values before that
 * combination, and the history is forgotten.
 */
bool nsds_anderson_step(nsds_anderson *t, const double *weight, const double *x, double *g,
                        double *y);

#endif
