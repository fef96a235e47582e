#ifndef NSDS_SRC_CHOLESKY_H
#define NSDS_SRC_CHOLESKY_H

#include "numerics/linear/factor_state.h"

/* L in place of the lower triangle of a matrix in `lu`. */
nsds_status nsds_cholesky_loaded(nsds_factor *factor);
/* CHOLMOD, where built in; otherwise NSDS_ERROR_SINGULAR. */
nsds_status nsds_cholesky_csc(nsds_factor *factor, int n, const int *p, const int *i,
                              const double *x, uint64_t pattern);
void nsds_cholesky_drop(nsds_factor *factor);

#endif
