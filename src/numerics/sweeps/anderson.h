/*
 * Anderson acceleration of a fixed-point iteration x -> g(x) whose point carries along y, affine in
 * x: from the last steps the combination whose residual f = g - x would vanish if g were affine.
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
 * After a step from x to g with y: both are replaced by the combination. `weight` (n) gives the
 * residual one unit. False when nothing was changed, because there is no history; also when the
 * residual has grown too much since the last combination, in which case g and y are what they were
 * before that, and the history is forgotten.
 */
bool nsds_anderson_step(nsds_anderson *t, const double *weight, const double *x, double *g,
                        double *y);

#endif
