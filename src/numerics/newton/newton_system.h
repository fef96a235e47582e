/*
 * The linear system of a Newton step for equations block by block, phi_a(z_a, w_a) = 0 with
 * w = M z + q + e R^-1 (z - c), R the metric of blockwise.h:
 *
 *     (A + B (M + e R^-1)) d = -phi,   A = d phi / dz and B = d phi / dw block diagonal
 *
 * Blocks with B_a = 0, open contacts say, give d_a at once. What remains is factored in the
 * variables R^-1/2 d: dense where small or full, else sparse, with a symbolic analysis that is kept
 * while about the same blocks remain.
 */
#ifndef NSDS_SRC_NEWTON_SYSTEM_H
#define NSDS_SRC_NEWTON_SYSTEM_H

#include "factor.h"
#include "solver_internal.h"

typedef struct nsds_newton_system {
  const nsds_block_rows *M; /* cut at the blocks */
  nsds_factor *factor;
  bool dense;           /* whatever remains */
  nsds_problem rest;    /* n rows remain, or did when the pattern was made; their matrix */
  nsds_block_rows kept; /* in block rows, of the arrays below */
  int *place;           /* block rows of M: number among those kept, -1: not there */
  int *block;           /* and back */
  int *row, *first;
  int *column, *start, *source; /* of a block; which one of M it is, -1: none */
  double *value;
  int *p, *i, *work; /* as compressed columns */
  double *x, *d;     /* entries, right-hand side */
  uint64_t stamp;    /* of M behind the pattern; 0: unknown */
  uint64_t pattern;  /* number of the pattern */
} nsds_newton_system;

/* The equations at a point, blocks one after another. */
typedef struct nsds_linearised {
  double *A, *B;  /* m x m of every block, column-major */
  int *first;     /* where those of each block begin */
  double *phi;    /* n */
  double *root;   /* n: square roots of R */
  double *weight; /* n: e R^-1, or more in rows that are held */
} nsds_linearised;

/* Memory of the solver's store. */
nsds_status nsds_newton_system_reserve(nsds_newton_system *system, nsds_solver *solver,
                                       const nsds_problem *problem, int nblock, const int *row);

/* NSDS_ERROR_SINGULAR as in factor.h. */
nsds_status nsds_newton_system_factor(nsds_newton_system *system, const nsds_linearised *at);

/* d (n) for the phi of the same point. */
void nsds_newton_system_solve(nsds_newton_system *system, const nsds_linearised *at, double *d);

#endif
