#ifndef NSDS_SRC_FACTOR_DENSE_H
#define NSDS_SRC_FACTOR_DENSE_H

#include "numerics/linear/factor_state.h"

/* Memory for dense matrices up to n x n, so that nsds_factor_dense() allocates nothing. */
nsds_status nsds_factor_reserve_dense(nsds_factor *factor, int n);
/* Factors a dense column-major n x n matrix (copied). NSDS_ERROR_SINGULAR (not recorded as a
 * context error: the caller knows the system's name and time, and composes the message) when the
 * matrix is singular to working precision: reciprocal condition below n * machine epsilon, or not
 * finite. */
nsds_status nsds_factor_dense(nsds_factor *factor, int n, const double *a);
/* The same for a matrix whose entries off the diagonal vanish and are not read; those of the
 * diagonal are `stride` apart. Needs memory for n numbers alone. */
nsds_status nsds_factor_diagonal(nsds_factor *factor, int n, const double *a, int stride);
/* Their reciprocals, judged in the same way. */
nsds_status nsds_invert_diagonal(int n, const double *a, int stride, double *inverse,
                                 double *rcond);
/* Factors a dense n x n matrix: `a`, or compressed columns. */
nsds_status nsds_factor_load(nsds_factor *factor, bool definite, int n, const double *a,
                             const int *p, const int *i, const double *x);

#endif
