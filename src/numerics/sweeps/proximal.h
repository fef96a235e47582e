/*
 * Proximal problems between sweeps (Rockafellar: SIAM J. Control Optim. 14, 1976): sweeps go over
 *
 *     w = M z + q + e R^-1 (z - c),   R^-1 the largest diagonal entry of each item's own part of M,
 *
 * with the sets of the problem, until what they change has fallen by some; then c moves to where
 * they have led, and some of that way beyond (Gol'shtein & Tret'yakov 1979).
 */
#ifndef NSDS_SRC_PROXIMAL_H
#define NSDS_SRC_PROXIMAL_H

#include "numerics/sweeps/nsgs.h"

typedef struct nsds_proximal {
  nsds_sweeps *sweeps;
  double weight;      /* e */
  double *centre, *q; /* n each: c; q + e R^-1 (z - c) at the start of the sweep */
  bool on;            /* the sweeps' local problems are those of a proximal problem */
  int sweep;          /* sweeps of the problem under way */
  double first;       /* what the first one has changed */
} nsds_proximal;

/* Before a sweep from z: the first one of a turn, the first one after another has been left, or the
 * next one. */
void nsds_proximal_begin(nsds_proximal *p, bool first, const double *z);

/* After a sweep that has changed so much: whether the problem is left, */
bool nsds_proximal_ends(nsds_proximal *p, double change);

/* and then: z moves on, into the sets, and y to it. */
void nsds_proximal_move(nsds_proximal *p, double *z, double *y);

/* The sweeps as they were, with `regularization`. */
void nsds_proximal_close(nsds_proximal *p, double regularization);

#endif
