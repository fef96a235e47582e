#ifndef NSDS_SRC_FACTOR_DENSE_H
#define NSDS_SRC_FACTOR_DENSE_H

#include "numerics/linear/factor_state.h"

/* Reserves memory for dense matrices up to n x n, so that nsds_factor_dense() allocates nothing. */
nsds_status nsds_factor_reserve_dense(nsds_factor *factor, int n);
/* Factors a dense column-major n x n matrix, which is copied. Returns NSDS_ERROR_SINGULAR if the
 * matrix is singular to working precision: reciprocal condition below n * machine epsilon, or not
 * finite. The error is not recorded, as the caller knows the name and time of the system. */
nsds_status nsds_factor_dense(nsds_factor *factor, int n, const double *a);
/* Does the same for a diagonal matrix: other entries are not read. Diagonal entries are `stride`
 * apart. Needs memory for n numbers only. */
nsds_status nsds_factor_diagonal(nsds_factor *factor, int n, const double *a, int stride);
/* Computes the reciprocals of diagonal entries, judged in the same way. */
nsds_status nsds_invert_diagonal(int n, const double *a, int stride, double *inverse,
                                 double *rcond);
/* Factors a dense n x n matrix: `a`, or compressed columns. */
nsds_status nsds_factor_load(nsds_factor *factor, bool definite, int n, const double *a,
                             const int *p, const int *i, const double *x);

#endif
