/*
 * One square linear system, factored once and solved often: A x = b.
 *
 * - Dense: LU with partial pivoting; own kernels for small matrices, LAPACK above.
 * - Sparse (CSC): a kernel for diagonally dominant tridiagonal matrices, otherwise KLU; UMFPACK (if
 *   built in) if the symbolic analysis foresees heavy fill. The symbolic analysis is kept while the
 *   pattern stays the same, and only numbers are computed. If that loses accuracy (reciprocal
 *   condition, pivot growth), the factors are made with new pivots.
 * - Symmetric positive definite: A = L L^T, half the work; the failure to factor is the test of
 *   definiteness. Dense as above; sparse by CHOLMOD (if built in), whose supernodes and
 *   fill-reducing order suit contact problems.
 *
 * Solves never allocate. The iteration matrices W of the kernel and the Newton-type solvers use
 * this.
 */
#ifndef NSDS_SRC_FACTOR_H
#define NSDS_SRC_FACTOR_H

#include "numerics/linear/small_lu.h"
#include "numerics/store.h"

typedef struct nsds_factor nsds_factor;

nsds_factor *nsds_factor_create(nsds_context *context);
void nsds_factor_destroy(nsds_factor *factor);

/* Creates a factor that the store destroys, if *factor is NULL. */
nsds_status nsds_factor_hold(nsds_store *store, nsds_factor **factor);

/* Factors a CSC matrix; errors as in nsds_factor_dense(). `pattern` identifies the sparsity
 * pattern: equal nonzero values in consecutive calls promise the same n, p, i, so that the symbolic
 * analysis is reused. p, i, x are not kept. */
nsds_status nsds_factor_csc(nsds_factor *factor, int n, const int *p, const int *i, const double *x,
                            uint64_t pattern);

/* Does the same, as a dense matrix (`dense`) or by Cholesky (`definite`: symmetric, rows
 * increasing). For Cholesky NSDS_ERROR_SINGULAR also means not positive definite to working
 * precision, or sparse without CHOLMOD. */
nsds_status nsds_factor_columns(nsds_factor *factor, bool dense, bool definite, int n, const int *p,
                                const int *i, const double *x, uint64_t pattern);

/* Reserves the library's own memory of nsds_factor_csc() for n x n. KLU and UMFPACK allocate when
 * they factor. */
nsds_status nsds_factor_reserve_csc(nsds_factor *factor, int n);

/* Refuses sparse factors with pivoting that need more operations, as singular. */
void nsds_factor_limit(nsds_factor *factor, double most_operations);

/* Says that later sparse matrices have rows of about one size; they are not scaled then. */
void nsds_factor_expect_balanced(nsds_factor *factor);

/* Gives the next sparse matrix pivots of its own, so that its factors depend on no matrix before. */
void nsds_factor_renew_pivots(nsds_factor *factor);
/* Returns true if the last sparse factorization could not keep the pivots before it. */
bool nsds_factor_lost_pivots(const nsds_factor *factor);

/* Solves A X = B in place for nrhs right-hand sides, b column-major n x nrhs. */
void nsds_factor_solve(nsds_factor *factor, int nrhs, double *b);

/* Returns the estimated reciprocal condition of the last factorization (1-norm or KLU's cheap
 * estimate). */
double nsds_factor_rcond(const nsds_factor *factor);

#endif
