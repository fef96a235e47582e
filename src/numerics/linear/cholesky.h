#ifndef NSDS_SRC_CHOLESKY_H
#define NSDS_SRC_CHOLESKY_H

#include "numerics/linear/factor_state.h"

/* NSDS_OK where a symmetric matrix, dense (p, i NULL) or CSC, is positive definite to working
 * precision, else NSDS_ERROR_SINGULAR, not recorded. In every build: without CHOLMOD by the pivots
 * of KLU, taken on the diagonal. */
nsds_status nsds_check_definite(nsds_context *context, int n, const int *p, const int *i,
                                const double *x);
/* The same in memory that stays, where `factor` serves nothing else; `pattern` as above. */
nsds_status nsds_factor_definite(nsds_factor *factor, int n, const int *p, const int *i,
                                 const double *x, uint64_t pattern);
/* L in place of the lower triangle of a matrix in `lu`. */
nsds_status nsds_cholesky_loaded(nsds_factor *factor);
/* CHOLMOD, where built in; otherwise NSDS_ERROR_SINGULAR. */
nsds_status nsds_cholesky_csc(nsds_factor *factor, int n, const int *p, const int *i,
                              const double *x, uint64_t pattern);
void nsds_cholesky_drop(nsds_factor *factor);

#endif
