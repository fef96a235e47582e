#ifndef NSDS_SRC_CHOLESKY_H
#define NSDS_SRC_CHOLESKY_H

#include "numerics/linear/factor_state.h"

/* Writes L to the lower triangle of the matrix in `lu`. */
nsds_status nsds_cholesky_loaded(nsds_factor *factor);
/* Factors by CHOLMOD; returns NSDS_ERROR_SINGULAR in builds without it. */
nsds_status nsds_cholesky_csc(nsds_factor *factor, int n, const int *p, const int *i,
                              const double *x, uint64_t pattern);
void nsds_cholesky_drop(nsds_factor *factor);

#endif
