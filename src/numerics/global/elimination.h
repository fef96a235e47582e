/*
 * Velocities and multipliers for given forces: M v = f + G lambda, G^T v + b = 0, G of any rank.
 */
#ifndef NSDS_SRC_ELIMINATION_H
#define NSDS_SRC_ELIMINATION_H

#include "saddle.h"

typedef struct nsds_elimination {
  nsds_saddle saddle;
  nsds_saddle mass;  /* M alone, to see whether it is definite, where there is G */
  double *given, *y; /* nv + p, p: work */
} nsds_elimination;

/* Factors M and G. NSDS_ERROR_SINGULAR, not recorded, where M is singular or not definite. */
nsds_status nsds_elimination_factor(nsds_elimination *elimination, nsds_store *store,
                                    const nsds_global_problem *problem);

/* (f, b) to (v, lambda) in place; returns what is left of the equality rows, relative to the
 * largest of the terms in square roots of energies. */
double nsds_eliminate(nsds_elimination *elimination, double *x);

#endif
