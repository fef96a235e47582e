/*
 * Chains of balls on a line that strike each other, by any law of impact.
 */
#ifndef NSDS_TEST_EVENT_DRIVEN_CHAIN_H
#define NSDS_TEST_EVENT_DRIVEN_CHAIN_H

#include "support.h"

enum { most_balls = 12 };

typedef enum impact_law { NEWTON, POISSON, DISTRIBUTING } impact_law;

/* Balls on a line that all touch; contact i is between i and i + 1. */
typedef struct chain {
  int n;
  impact_law law;
  bool bi_stiffness;
  double exponent;
  double mass[most_balls], v[most_balls]; /* before */
  double e[most_balls], stiffness[most_balls];
  int order[most_balls]; /* in which the contacts are connected; {0}: as they are */
} chain;

typedef struct outcome {
  double v[most_balls], P[most_balls];
  double before, after; /* kinetic energy */
} outcome;

/* The law of contact i. */
nsds_law *chain_law(nsds_model *model, const chain *c, int i);
/* y = q_2 - q_1, and a ball. */
nsds_relation *chain_gap(nsds_model *model);
nsds_ds *chain_ball(nsds_model *model, double mass, double v);
/* Unit masses and stiffnesses, the first ball strikes the others at unit speed. */
chain chain_equal(int n, impact_law law, double e, double exponent);
/* The first event of the chain. */
outcome chain_strike(const chain *c);
/* Momentum to rounding, nothing approaches, no energy comes to be. The balance of each ball: what
 * the distributing law leaves open of speeds, 1e-12 of those of the lightest, is taken away where
 * contacts close, and is no part of P. */
void chain_check(const chain *c, const outcome *o);

#endif
