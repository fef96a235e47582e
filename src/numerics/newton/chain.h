/*
 * Linear complementarity problems of chains: M a Minkowski matrix (off-diagonal entries <= 0,
 * positive definite) whose graph is a union of paths, as in columns of bodies.
 *
 * One pass of linear cost finds the rows with z_i > 0 (Cryer: SIAM J. Numer. Anal. 20, 1983). Along
 * a path the problem of the first k rows is extended by the next row. For such matrices an active
 * row stays active when others become active (Chandrasekaran 1970; Cottle, Pang & Stone 1992, 4.7).
 * Every row therefore enters once. A run of active rows a..b is stored by its effect on its ends,
 *
 *     z_a = A_0 + A_1 z_{a-1} + A_2 z_{b+1},    z_b = B_0 + B_1 z_{a-1} + B_2 z_{b+1},
 *
 * and two runs merge in a few operations.
 */
#ifndef NSDS_SRC_CHAIN_H
#define NSDS_SRC_CHAIN_H

#include "numerics/solver_internal.h"

typedef struct nsds_chain_run {
  int first, last;
  double a[3], b[3];
} nsds_chain_run;

typedef struct nsds_chain {
  int *order;          /* n: rows path by path */
  double *diagonal;    /* n: entries by place in `order` */
  double *before;      /* n: entry with the row before, 0 at the start of a path */
  double *after;       /* n: entry with the row after, 0 at the end of a path */
  nsds_chain_run *run; /* n */
  bool paths;          /* the graph is a union of paths */
  uint64_t pattern;    /* pattern of `order` */
} nsds_chain;

/* Orders the rows and reserves memory; returns at once while the pattern stays the same. */
nsds_status nsds_chain_reserve(nsds_store *store, nsds_chain *chain, const nsds_csc_form *form);

/* Marks the rows with z_i > 0 in the solution of 0 <= M z + q, z >= 0. Returns false, with nothing
 * marked, if the matrix is of another kind. */
bool nsds_chain_solve(nsds_chain *chain, const nsds_csc_form *form, const double *q,
                      unsigned char *active);

#endif
