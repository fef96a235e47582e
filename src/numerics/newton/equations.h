/*
 * The laws of all blocks as equations within a proximal point iteration, for Newton methods:
 *
 *     phi(z, w) = 0,   w = M z + q + e R^-1 (z - c)
 *
 * phi of set_map.h unit by unit, R the metric of blockwise.h, c the centre.
 */
#ifndef NSDS_SRC_EQUATIONS_H
#define NSDS_SRC_EQUATIONS_H

#include "nsgs.h"
#include "set_map.h"

typedef struct nsds_equations {
  const nsds_problem *problem;
  nsds_sweeps sweeps; /* its units */
  nsds_map map;
  int *first;    /* nunit: where A and B of a unit begin */
  double *A, *B; /* m x m of every unit */
  size_t count;  /* entries of A */
  double e;
  /* n each, of the method's scratch */
  double *centre;
  double *rho, *root; /* of the equations; square roots of R */
  double *weight;     /* of the proximal term: e / R, or more */
  double *w, *phi;
} nsds_equations;

nsds_status nsds_equations_reserve(nsds_equations *s, nsds_solver *solver,
                                   const nsds_problem *problem);

/* R, and rho from it or, where the equation allows it, from the diagonal of each unit. */
void nsds_equations_scale(nsds_equations *s, double factor);

/* Takes e; with the weights e / R. */
void nsds_equations_weigh(nsds_equations *s, double e);

/* |phi|^2 in the metric, at z with M z + q in Mz; with the derivatives where they are wanted. */
double nsds_equations_at(nsds_equations *s, const double *z, const double *Mz, bool derivatives);

/* So many sweeps of block Gauss-Seidel from z put into the sets; y is that of nsds_sweeps. */
void nsds_equations_sweep(const nsds_equations *s, int count, double *z, double *y);

#endif
