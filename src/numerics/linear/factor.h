/*
 * One square linear system, factored once and solved often: A x = b.
 *
 * Dense: LU with partial pivoting; own kernels where small, LAPACK above.
 * Sparse (CSC): a kernel for diagonally dominant tridiagonal matrices, otherwise KLU; UMFPACK
 * (where built in) when the symbolic analysis foresees heavy fill. The symbolic analysis is kept
 * while the pattern stays the same; then only numbers are redone, and a refactorisation that lost
 * accuracy (reciprocal condition, pivot growth) is made anew with pivoting. Solves never allocate.
 * Serves the iteration matrices W of the kernel and the Newton-type solvers.
 *
 * Symmetric positive definite: A = L L^T, half the work, and the failure to factor is the test of
 * definiteness. Dense as above; sparse by CHOLMOD where built in, whose supernodes and
 * fill-reducing order suit the matrices of contact problems.
 */
#ifndef NSDS_SRC_FACTOR_H
#define NSDS_SRC_FACTOR_H

#include "numerics/store.h"

#include <float.h>

/* Dense work of up to so many rows goes through kernels of our own, everywhere: its bits are the
 * same under any BLAS, and LAPACK's condition estimate alone costs several factorisations there.
 * Above, LAPACK. */
enum { nsds_own_rows = 32 };

/* A matrix is factored as a dense one up to so many rows, or where one entry in so many is there:
 * per entry, dense factors cost that much less. */
enum { nsds_small_rows = 64, nsds_dense_fraction = 4 };

static inline bool nsds_better_dense(int n, double entries, int most_rows) {
  return n <= nsds_small_rows ||
         (n <= most_rows && nsds_dense_fraction * entries >= (double)n * (double)n);
}

/* Matrices of a smaller reciprocal condition are singular to working precision. */
static inline double nsds_least_rcond(int n) { return n * DBL_EPSILON; }

/* The power of two near 1 / x, or near its square root where root is 2; 1 for what has no inverse.
 */
static inline double nsds_inverse_power(double x, int root) {
  enum { least_exponent = -1020 }; /* whose inverse is still a number */
  if (!(x > 0.0) || !isfinite(x)) return 1.0;
  int exponent;
  frexp(x, &exponent);
  if (exponent < least_exponent) exponent = least_exponent;
  return ldexp(1.0, -exponent / root);
}

typedef struct nsds_factor nsds_factor;

nsds_factor *nsds_factor_create(nsds_context *context);
void nsds_factor_destroy(nsds_factor *factor);

/* Makes one that the store destroys, where *factor is NULL. */
nsds_status nsds_factor_hold(nsds_store *store, nsds_factor **factor);

/* Factors a CSC matrix. `pattern` identifies the sparsity pattern: equal nonzero values on
 * consecutive calls promise the same n, p, i, so the symbolic analysis is reused. p, i, x are not
 * kept. Errors as above. */
nsds_status nsds_factor_csc(nsds_factor *factor, int n, const int *p, const int *i, const double *x,
                            uint64_t pattern);

/* The same for a CSC matrix that may be better taken as a dense one, where `dense`; and where
 * `definite` for a symmetric one, rows increasing, by Cholesky: NSDS_ERROR_SINGULAR also when it is
 * not positive definite to working precision, and for sparse ones in builds without CHOLMOD. */
nsds_status nsds_factor_columns(nsds_factor *factor, bool dense, bool definite, int n, const int *p,
                                const int *i, const double *x, uint64_t pattern);

/* The memory of its own that nsds_factor_csc() takes for n x n; the libraries take theirs there. */
nsds_status nsds_factor_reserve_csc(nsds_factor *factor, int n);

/* From now on sparse matrices come with rows of about one size, and are not scaled. */
void nsds_factor_expect_balanced(nsds_factor *factor);

/* Solves A X = B in place for nrhs right-hand sides, b column-major n x nrhs. */
void nsds_factor_solve(nsds_factor *factor, int nrhs, double *b);

/* Reciprocal condition estimate of the last factorisation (1-norm or KLU's cheap one). */
double nsds_factor_rcond(const nsds_factor *factor);

/* Small dense LU, inlined where the size is known at the call: factors a (n x n column-major) in
 * place with row interchanges in `pivot`; returns false when a pivot is zero or not finite. */
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

/* Solves with the factors of nsds_small_lu(), in place. The interchanges come first: the rows of L
 * stand where the later ones moved them. */
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
