/*
 * Search for a proof that a problem has no solution.
 */
#ifndef NSDS_SRC_PROOF_H
#define NSDS_SRC_PROOF_H

#include "numerics/solver_internal.h"

enum { nsds_most_proof_rows = 300 }; /* larger problems are not searched */

typedef struct nsds_proof {
  double *y;                   /* n: the proof */
  double *A;                   /* (n + 1) x columns: M^T y - g and the load of each weight */
  double *weight;              /* of each column, >= 0 */
  int *row;                    /* two per column: rows of its y; -1: none */
  double *value;               /* entries of y in these rows */
  double *unit, *column;       /* n: of the rows and columns of M */
  unsigned char *seen;         /* 2 n */
  int *active, count;          /* columns that may have positive weights */
  double *Q, *R, *next, *rest; /* factors of these columns, next weights, rest of the load */
  double *work;
  double *feasible;     /* of nsds_feasible_near() */
  int rows;             /* rows of the problems of bounds that fit */
  nsds_storage storage; /* storage of these problems */
} nsds_proof;

/* Returns true if the memory suffices for a problem of bounds. */
static inline bool nsds_proof_covers(const nsds_proof *p, const nsds_problem *problem) {
  return p->rows >= problem->n && p->storage == problem->M.storage;
}
/* Reserves memory for problems of bounds of this size. */
nsds_status nsds_proof_reserve(nsds_proof *p, nsds_solver *solver, const nsds_problem *problem);

/* Searches for a y that nsds_certify_no_solution() accepts; sets *found and y. There is none if a
 * feasible point is found near `near`; NULL: this is not tried. */
nsds_status nsds_proof_look(nsds_proof *p, nsds_solver *solver, const nsds_problem *problem,
                            const double *near, bool *found);

#endif
