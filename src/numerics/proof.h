/*
 * Looking for a proof that a problem has no solution.
 */
#ifndef NSDS_SRC_PROOF_H
#define NSDS_SRC_PROOF_H

#include "numerics/solver_internal.h"

enum { nsds_most_proof_rows = 300 }; /* of a problem that is looked at */

typedef struct nsds_proof {
  double *y;                   /* n: the proof */
  double *A;                   /* (n + 1) x columns: M^T y - g and the load of each weight */
  double *weight;              /* of the columns, >= 0 */
  int *row;                    /* two for each column: the rows of its y, -1: none */
  double *value;               /* and what stands there */
  double *unit;                /* n: 1 / sqrt(M_ii) */
  int *active, count;          /* columns whose weights may be positive */
  double *Q, *R, *next, *rest; /* their factors, weights to come, what is left of the load */
  double *work;
  int rows;             /* of a problem of bounds, for which there is room, */
  nsds_storage storage; /* stored like this */
} nsds_proof;

/* Room for problems of bounds of this size. */
nsds_status nsds_proof_reserve(nsds_proof *p, nsds_solver *solver, const nsds_problem *problem);

/* Sets *found, and y, where one is found that nsds_certify_no_solution() accepts. */
nsds_status nsds_proof_look(nsds_proof *p, nsds_solver *solver, const nsds_problem *problem,
                            bool *found);

#endif
