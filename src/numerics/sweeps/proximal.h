/*
 * Proximal problems between sweeps (Rockafellar: SIAM J. Control Optim. 14, 1976). Sweeps solve
 *
 *     w = M z + q + e R^-1 (z - c),   R^-1 the largest diagonal entry of each item's own part of M,
 *
 * with the sets of the problem, until their changes have fallen by a factor. Then c moves to the
 * point that they have reached, and beyond (Gol'shtein & Tret'yakov 1979).
 */
#ifndef NSDS_SRC_PROXIMAL_H
#define NSDS_SRC_PROXIMAL_H

#include "numerics/sweeps/sweeps.h"

typedef struct nsds_proximal {
  nsds_sweeps *sweeps;
  double weight;      /* e */
  double *centre, *q; /* n each: c; q + e R^-1 (z - c) at the start of the sweep */
  bool on;            /* the sweeps' local problems are those of a proximal problem */
  int sweep;          /* sweeps of the present problem */
  double first;       /* change of the first sweep */
} nsds_proximal;

/* Call this before a sweep from z. `first` says that the sweep is the first of a turn. A new
 * problem begins then, and after nsds_proximal_move(). */
void nsds_proximal_begin(nsds_proximal *p, bool first, const double *z);

/* Returns true if the problem is left, after a sweep with this change. */
bool nsds_proximal_ends(nsds_proximal *p, double change);

/* Moves z on after that, and into the sets; y follows. */
void nsds_proximal_move(nsds_proximal *p, double *z, double *y);

/* Restores the sweeps, with `regularization`. */
void nsds_proximal_close(nsds_proximal *p, double regularization);

#endif
