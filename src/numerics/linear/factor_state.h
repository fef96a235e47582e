/*
 * What a factorisation holds, between factor.c and the kernels for dense matrices, factor_dense.c.
 */
#ifndef NSDS_SRC_FACTOR_STATE_H
#define NSDS_SRC_FACTOR_STATE_H

#include "factor.h"
#include "tridiagonal.h"

typedef enum factor_kind {
  FACTOR_NONE,
  FACTOR_DIAGONAL,
  FACTOR_DENSE,
  FACTOR_TRIDIAGONAL,
  FACTOR_KLU,
  FACTOR_UMFPACK
} factor_kind;

struct nsds_factor {
  nsds_context *context;
  factor_kind kind;
  int n;
  int reserved_rows; /* dense workspace is there for */
  bool scaled;
  double rcond;

  double *lu;      /* n x n; with what follows up to `row` one piece */
  double *scale;   /* row scales, then column scales; used when `scaled` */
  int *pivot;      /* n; from 0 up to inline_solve_limit rows, LAPACK's from 1 above */
  int *row;        /* row of A behind each row of the factors */
  double *inverse; /* reciprocals of the pivots */
  double *work;    /* 4 n for dgecon, 2 n for UMFPACK, the factors of a tridiagonal matrix */
  int *iwork;      /* n */
  size_t inverse_capacity, work_capacity, iwork_capacity;

  nsds_tridiagonal tridiagonal;      /* its arrays lie in `work` */
  struct nsds_sparse_factor *sparse; /* NULL until a matrix needs it */
};

/* Written so that NaN fails too. */
static inline nsds_status nsds_factor_judge(nsds_factor *factor, double rcond) {
  factor->rcond = rcond;
  if (rcond >= nsds_least_rcond(factor->n) && isfinite(rcond)) return NSDS_OK;
  factor->rcond = 0.0;
  return NSDS_ERROR_SINGULAR;
}

/* Solves with dense and diagonal factors. */
void nsds_factor_solve_dense(const nsds_factor *factor, int nrhs, double *b);

#endif
