/*
 * One symmetric positive definite system, factored once and solved often: A = L L^T.
 *
 * Dense by own kernels where small and LAPACK above; sparse by CHOLMOD where built in, whose
 * supernodes and fill-reducing order suit the matrices of contact problems. Half the work of
 * factor.h, and the failure to factor is the test of definiteness. Sparse solves allocate only the
 * first time after an analysis.
 */
#ifndef NSDS_SRC_CHOLESKY_H
#define NSDS_SRC_CHOLESKY_H

#include "store.h"

typedef struct nsds_cholesky nsds_cholesky;

nsds_cholesky *nsds_cholesky_create(nsds_context *context);
void nsds_cholesky_destroy(nsds_cholesky *cholesky);

/* Makes one that the store destroys, where *cholesky is NULL. */
nsds_status nsds_cholesky_hold(nsds_store *store, nsds_cholesky **cholesky);

/* Memory for dense matrices up to n x n. */
nsds_status nsds_cholesky_reserve_dense(nsds_cholesky *cholesky, int n);

/* Factors a dense column-major n x n matrix, of which the lower triangle is read (copied).
 * NSDS_ERROR_SINGULAR, not recorded in the context, when it is not positive definite to working
 * precision or not finite. */
nsds_status nsds_cholesky_dense(nsds_cholesky *cholesky, int n, const double *a);

/* The same for a CSC matrix that is better taken as a dense one. */
nsds_status nsds_cholesky_full(nsds_cholesky *cholesky, int n, const int *p, const int *i,
                               const double *x);

/* Whether sparse matrices can be factored in this build. */
bool nsds_cholesky_is_sparse(void);

/* Factors a CSC matrix with both triangles stored, rows increasing; `pattern` as in factor.h. */
nsds_status nsds_cholesky_csc(nsds_cholesky *cholesky, int n, const int *p, const int *i,
                              const double *x, uint64_t pattern);

/* NSDS_OK where a symmetric CSC matrix is positive definite to working precision, else
 * NSDS_ERROR_SINGULAR, not recorded. In every build: without CHOLMOD by the pivots of KLU, taken on
 * the diagonal. */
nsds_status nsds_definite_csc(nsds_context *context, int n, const int *p, const int *i,
                              const double *x);

/* Solves A x = b in place. */
nsds_status nsds_cholesky_solve(nsds_cholesky *cholesky, double *b);

#endif
