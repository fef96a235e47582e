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

#include "numerics/store.h"

#include <float.h>

/* Dense work up to this number of rows uses own kernels everywhere, LAPACK above. The results have
 * the same bits under any BLAS, and LAPACK's condition estimate alone costs several factorizations
 * there. */
enum { nsds_own_rows = 32 };

/* A matrix is factored as dense up to this number of rows, or if one entry in nsds_dense_fraction
 * is not zero. Dense factors cost that much less per entry. */
enum { nsds_small_rows = 64, nsds_dense_fraction = 4 };

static inline bool nsds_better_dense(int n, double entries, int most_rows) {
  return n <= nsds_small_rows ||
         (n <= most_rows && nsds_dense_fraction * entries >= (double)n * (double)n);
}

/* Returns the least reciprocal condition; matrices below it are singular to working precision. */
static inline double nsds_least_rcond(int n) { return n * DBL_EPSILON; }

/* Returns the power of two near 1 / x (root 1) or near its square root (root 2); 1 if x has no
 * inverse. */
static inline double nsds_inverse_power(double x, int root) {
  enum { least_exponent = -1020 }; /* its inverse is still a number */
  if (!(x > 0.0) || !isfinite(x)) return 1.0;
  int exponent;
  frexp(x, &exponent);
  if (exponent < least_exponent) exponent = least_exponent;
  return ldexp(1.0, -exponent / root);
}

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

/* Factors a (n x n, column-major) in place by LU, with row interchanges in `pivot`; inlined for
 * sizes known at the call. Returns false if a pivot is zero or not finite. */
static inline bool nsds_small_lu(int n, double *a, int *pivot) {
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (fabs(a[i + k * n]) > fabs(a[best + k * n])) best = i;
    pivot[k] = best;
    double diagonal = a[best + k * n];
    if (diagonal == 0.0 || !isfinite(diagonal)) return false;
    if (best != k)
      for (int j = 0; j < n; ++j) {
        double t = a[k + j * n];
        a[k + j * n] = a[best + j * n];
        a[best + j * n] = t;
      }
    double inverse = 1.0 / diagonal;
    for (int i = k + 1; i < n; ++i) {
      double factor = a[i + k * n] *= inverse;
      if (factor != 0.0)
        for (int j = k + 1; j < n; ++j) a[i + j * n] -= factor * a[k + j * n];
    }
  }
  return true;
}

/* Solves in place with the factors of nsds_small_lu(). All interchanges come first, because later
 * interchanges have moved the rows of L. */
static inline void nsds_small_lu_solve(int n, const double *a, const int *pivot, double *b) {
  for (int k = 0; k < n; ++k) {
    double t = b[pivot[k]];
    b[pivot[k]] = b[k];
    b[k] = t;
  }
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) b[i] -= a[i + k * n] * b[k];
  for (int k = n - 1; k >= 0; --k) {
    b[k] /= a[k + k * n];
    for (int i = 0; i < k; ++i) b[i] -= a[i + k * n] * b[k];
  }
}

#endif
