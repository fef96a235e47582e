#ifndef NSDS_SRC_DEFINITE_H
#define NSDS_SRC_DEFINITE_H

#include "numerics/linear/factor_state.h"

/* Returns NSDS_OK if a symmetric matrix, dense (p, i NULL) or CSC, is positive definite to working
 * precision, else NSDS_ERROR_SINGULAR, which is not recorded. Builds without CHOLMOD use the pivots
 * of KLU on the diagonal. */
nsds_status nsds_check_definite(nsds_context *context, int n, const int *p, const int *i,
                                const double *x);
/* Does the same in memory that stays; `factor` must serve nothing else. `pattern` as in
 * nsds_factor_csc(). */
nsds_status nsds_factor_definite(nsds_factor *factor, int n, const int *p, const int *i,
                                 const double *x, uint64_t pattern);

#endif
