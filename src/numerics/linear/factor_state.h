/*
 * The state of a factorization, shared by factor.c, factor_dense.c (dense matrices) and cholesky.c
 * (symmetric definite matrices).
 */
#ifndef NSDS_SRC_FACTOR_STATE_H
#define NSDS_SRC_FACTOR_STATE_H

#include "numerics/linear/small_lu.h"
#include "numerics/linear/tridiagonal.h"
#include "numerics/store.h"

typedef struct nsds_factor nsds_factor;

struct nsds_factor {
  nsds_context *context;
  nsds_store store;                                        /* holds the arrays */
  void (*solve)(nsds_factor *factor, int nrhs, double *b); /* with these factors; NULL: none */
  int n;
  int reserved_rows; /* with dense workspace */
  bool scaled;
  bool lost_pivots; /* the last sparse factorization could not keep the pivots before */
  bool balanced;    /* sparse matrices come with rows of about one size */
  double rcond;
  nsds_allowance *allowance; /* or NULL */
  double most_operations;    /* of sparse factors with pivoting; 0: any number */
  double rate;               /* operations a second of the last large factorization; 0: unknown */

  double *lu;      /* n x n */
  double *scale;   /* row scales, then column scales; used when `scaled` */
  int *pivot;      /* n; from 0 up to inline_solve_limit rows, LAPACK's from 1 above */
  int *row;        /* row of A for each row of the factors */
  double *inverse; /* reciprocals of the pivots */
  double *work;    /* 4 n for dgecon, 2 n for UMFPACK, the factors of a tridiagonal matrix */
  int *iwork;      /* n */

  nsds_tridiagonal tridiagonal; /* its arrays lie in `work` */
  /* NULL until a matrix needs them */
  struct nsds_sparse_factor *sparse;
  struct nsds_sparse_cholesky *definite;
  struct nsds_signed_factor *indefinite;
};

/* Returns NSDS_OK, or NSDS_ERROR_SINGULAR with *rcond = 0. The comparison also refuses NaN. */
static inline nsds_status nsds_judge_rcond(int n, double *rcond) {
  if (*rcond >= nsds_least_rcond(n) && isfinite(*rcond)) return NSDS_OK;
  *rcond = 0.0;
  return NSDS_ERROR_SINGULAR;
}

static inline nsds_status nsds_factor_judge(nsds_factor *factor, double rcond) {
  factor->rcond = rcond;
  return nsds_judge_rcond(factor->n, &factor->rcond);
}

static inline nsds_status nsds_factor_work(nsds_factor *factor, size_t count, size_t n) {
  const nsds_cut cut[] = {NSDS_CUT(factor->work, count), NSDS_CUT(factor->iwork, n)};
  return NSDS_HOLD(&factor->store, cut);
}

#endif
