/*
 * Linear systems with M + B; B is block diagonal over the blocks of the problem. Methods that
 * regularize M or linearize the sets solve them. The blocks of B are added to the pattern of M. The
 * result and its symbolic analysis are kept while M keeps its pattern.
 */
#ifndef NSDS_SRC_BLOCK_SYSTEM_H
#define NSDS_SRC_BLOCK_SYSTEM_H

#include "numerics/linear/factor_state.h"
#include "numerics/linear/factor.h"
#include "numerics/solver_internal.h"

typedef struct nsds_block_system {
  int n;
  bool dense; /* the factors are dense */
  nsds_factor *factor;
  double *base, *value; /* entries of M and of M + B */
  int *p, *i;           /* pattern of both */
  int *first, *size;    /* n each: first row and row count of the block of B that holds a row */
  int *place;           /* n: start in `value` of the block of B, for each column */
  bool symmetric;       /* M in `base` is symmetric up to rounding */
  bool by_signs; /* M is symmetric after multiplying rows by `sign`, one sign for a coupled block */
  signed char *sign; /* n */
  int *side;         /* 2 n: union-find of rows with either sign */
  int *next;         /* n: places in columns, for the test of symmetry */
  bool loaded;       /* `base` holds M of the problem reserved for last */
  uint64_t stamp;    /* of M in `base`; 0: not reusable */
  uint64_t source;   /* number of the CSC form's pattern from which p, i were made */
  uint64_t pattern;  /* number of the pattern p, i; 0: none yet */
} nsds_block_system;

/* Reserves memory from the solver's store for problems of this shape. `coupled` are the sets whose
 * blocks of B are full; for other sets B is diagonal. */
nsds_status nsds_block_system_reserve(nsds_block_system *system, nsds_solver *solver,
                                      const nsds_problem *problem, unsigned coupled);

/* Loads M, with B = 0; the problem must be the one reserved for last. */
void nsds_block_system_start(nsds_block_system *system, const nsds_solver *solver,
                             const nsds_problem *problem);

/* Returns the place of an entry of M + B within a block of B; add to it. */
static inline double *nsds_block_system_at(nsds_block_system *system, int row, int column) {
  return &system->value[system->place[column] + row - system->first[column]];
}

/* Factors M + B; NSDS_ERROR_SINGULAR as in factor.h. `symmetric` says that B is symmetric. If M is
 * too, up to rounding, Cholesky factors are tried first; if signs make it so, those of
 * quasidefinite.h. Otherwise LU. */
nsds_status nsds_block_system_factor(nsds_block_system *system, bool symmetric);

void nsds_block_system_solve(nsds_block_system *system, double *x);

#endif
