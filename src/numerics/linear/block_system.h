/*
 * Linear systems with M + B, B block diagonal over the blocks of the problem: what the methods
 * solve that regularise M or linearise the sets. On the pattern of M with the blocks of B
 * put in; that pattern and its symbolic analysis are kept while M keeps its own.
 */
#ifndef NSDS_SRC_BLOCK_SYSTEM_H
#define NSDS_SRC_BLOCK_SYSTEM_H

#include "numerics/linear/factor_state.h"
#include "numerics/linear/factor.h"
#include "numerics/solver_internal.h"

typedef struct nsds_block_system {
  int n;
  bool dense; /* so are the factors */
  nsds_factor *factor;
  double *base, *value; /* entries of M, of M + B */
  int *p, *i;           /* their pattern */
  int *first, *size;    /* n each: first row and rows of the block of B that each row is in */
  int *place;           /* n: where in `value` the block of B starts in each column */
  bool symmetric;       /* M in `base`, up to rounding */
  bool by_signs;        /* it is with its rows multiplied by `sign`, a coupled block by one sign */
  signed char *sign;    /* n */
  int *side;            /* 2 n: rows with one sign and the other, joined for finding that out */
  int *next;            /* n: places in columns, for finding that out */
  bool loaded;          /* `base`, with M of the problem reserved for last */
  uint64_t stamp;       /* of M in `base`; 0: not reusable */
  uint64_t source;      /* number of the CSC form's pattern that the own one was made from */
  uint64_t pattern;     /* number of the own one, 0: none yet */
} nsds_block_system;

/* Memory for problems of this shape, of the solver's store. `coupled`: the sets whose blocks of B
 * are full; for the others B is diagonal. */
nsds_status nsds_block_system_reserve(nsds_block_system *system, nsds_solver *solver,
                                      const nsds_problem *problem, unsigned coupled);

/* The entries of M, B = 0; the problem is the one reserved for last. */
void nsds_block_system_start(nsds_block_system *system, const nsds_solver *solver,
                             const nsds_problem *problem);

/* An entry of M + B within a block of B, to be added to. */
static inline double *nsds_block_system_at(nsds_block_system *system, int row, int column) {
  return &system->value[system->place[column] + row - system->first[column]];
}

/* Factors M + B: NSDS_ERROR_SINGULAR as in factor.h. `symmetric`: B is; where M is too up to
 * rounding, Cholesky factors are tried first; where M is but for signs, those of quasidefinite.h; and
 * LU factors where M + B is not like that. */
nsds_status nsds_block_system_factor(nsds_block_system *system, bool symmetric);

/* x = (M + B)^-1 x */
void nsds_block_system_solve(nsds_block_system *system, double *x);

#endif
