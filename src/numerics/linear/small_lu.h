/*
 * Small dense systems: LU with partial pivoting by own kernels, and the limits of size and condition
 * for all factors.
 */
#ifndef NSDS_SRC_SMALL_LU_H
#define NSDS_SRC_SMALL_LU_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

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
