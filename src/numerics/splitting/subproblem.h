/*
 * Sub-problems of the nested methods: the same rows with other sets, another q or another matrix,
 * solved by the inner instance.
 */
#ifndef NSDS_SRC_SUBPROBLEM_H
#define NSDS_SRC_SUBPROBLEM_H

#include "solver_internal.h"

/* The first options of every nested method; `last` is the last place in its list. */
#define NSDS_NESTED_OPTIONS(last)                                                                  \
  NSDS_COMMON_OPTIONS(0.0, "largest number of sub-problems; 0: 1000"), {                           \
    "inner", "integer", "place of the inner method in the row's list", 0.0, 0.0, last              \
  }

typedef struct nsds_subproblem {
  nsds_problem problem; /* what the inner method gets; block and q point to the arrays below */
  nsds_block *block;
  double *q, *z; /* n each: of the sub-problem, and its point */
  size_t block_capacity, q_capacity, z_capacity;
  bool interrupted; /* the last solve was */
  bool solved;      /* the last solve was */
} nsds_subproblem;

/* Arrays for up to `nblock` blocks, then the shape: M, n, an own stamp where the caller gives none.
 * The blocks are the caller's to fill. */
nsds_status nsds_subproblem_open(nsds_subproblem *sub, nsds_solver *solver,
                                 const nsds_problem *problem, int nblock);

/* Lets the inner method reserve, once the blocks are there. */
nsds_status nsds_subproblem_reserve(nsds_subproblem *sub, nsds_solver *solver);

/* Solves from sub->z, to which the answer goes, with the given tolerance; counts factorisations. */
nsds_status nsds_subproblem_solve(nsds_subproblem *sub, nsds_solver *solver, double tolerance,
                                  nsds_solver_info *info);

void nsds_subproblem_release(nsds_subproblem *sub, nsds_context *context);

#endif
