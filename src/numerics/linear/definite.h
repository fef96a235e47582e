#ifndef NSDS_SRC_DEFINITE_H
#define NSDS_SRC_DEFINITE_H

#include "numerics/linear/factor_state.h"

/* NSDS_OK where a symmetric matrix, dense (p, i NULL) or CSC, is positive definite to working
 * precision, else NSDS_ERROR_SINGULAR, not recorded. In every build: without CHOLMOD by the pivots
 * of KLU, taken on the diagonal. */
nsds_status nsds_check_definite(nsds_context *context, int n, const int *p, const int *i,
                                const double *x);
/* The same in memory that stays, where `factor` serves nothing else; `pattern` as above. */
nsds_status nsds_factor_definite(nsds_factor *factor, int n, const int *p, const int *i,
                                 const double *x, uint64_t pattern);

#endif
