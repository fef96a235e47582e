/*
 * Orthogonal factors of singular matrices, see orthogonal.h.
 *
 * A P = Q R with column pivoting, the column with the largest rest first (Businger & Golub,
 * Numerische Mathematik 7, 1965; Golub & Van Loan, Matrix Computations, 5.4.2). Below the rank r, R
 * counts as zero. The first r rows of R are reduced to [T 0] from the right (ibid. 5.5.2). The
 * solution of least norm is then a triangular solve, and the kernel is known.
 *
 * A reflection is I - tau v v^T with v_0 = 1; its other entries are stored in place of the zeros it
 * makes.
 */
#include "numerics/linear/orthogonal.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Computes the reflection that maps (x0, rest) to (x0, 0): rest becomes v, x0 the result; returns
 * tau. */
static double reflect(int count, double *x0, double *rest, int stride) {
  double sum = 0.0;
  for (int i = 0; i < count; ++i) sum += rest[i * stride] * rest[i * stride];
  if (sum == 0.0) return 0.0;
  double alpha = *x0, beta = -copysign(sqrt(alpha * alpha + sum), alpha);
  for (int i = 0; i < count; ++i) rest[i * stride] /= alpha - beta;
  *x0 = beta;
  return (beta - alpha) / beta;
}

/* Subtracts tau v v^T (y0, rest) from (y0, rest). */
static void orthogonal_apply(int count, double tau, const double *v, int v_stride, double *y0,
                             double *rest, int stride) {
  double sum = *y0;
  for (int i = 0; i < count; ++i) sum += v[i * v_stride] * rest[i * stride];
  sum *= tau;
  *y0 -= sum;
  for (int i = 0; i < count; ++i) rest[i * stride] -= sum * v[i * v_stride];
}

/* Returns the column, from k on, with the largest part from row k on. */
static int largest_column(int n, const double *A, int k) {
  int best = k;
  double most = -1.0;
  for (int j = k; j < n; ++j) {
    double sum = 0.0;
    for (int i = k; i < n; ++i) sum += A[i + j * n] * A[i + j * n];
    if (sum > most) most = sum, best = j;
  }
  return best;
}

static void orthogonal_swap_columns(int n, double *A, int *pivot, int j, int k) {
  int place = pivot[j];
  pivot[j] = pivot[k];
  pivot[k] = place;
  for (int i = 0; i < n; ++i) {
    double t = A[i + j * n];
    A[i + j * n] = A[i + k * n];
    A[i + k * n] = t;
  }
}

/* Factors A P = Q R in place; pivot[j] is the column of A that has become column j. */
static void orthogonal_factor(int n, double *A, int *pivot, double *tau) {
  for (int j = 0; j < n; ++j) pivot[j] = j;
  for (int k = 0; k < n; ++k) {
    int best = largest_column(n, A, k), below = n - k - 1;
    if (best != k) orthogonal_swap_columns(n, A, pivot, best, k);
    double *a = A + k + k * n;
    tau[k] = reflect(below, a, a + 1, 1);
    for (int j = 1; j <= below; ++j)
      orthogonal_apply(below, tau[k], a + 1, 1, a + j * n, a + 1 + j * n, 1);
  }
}

/* Reduces the first `rank` rows of R to [T 0]. */
static void orthogonal_reduce(int n, double *A, int rank, double *tau) {
  for (int k = rank - 1; k >= 0; --k) {
    double *v = A + k + rank * n;
    tau[k] = reflect(n - rank, A + k + k * n, v, n);
    for (int i = 0; i < k; ++i)
      orthogonal_apply(n - rank, tau[k], v, n, A + i + k * n, A + i + rank * n, n);
  }
}

int nsds_orthogonal_factor(int n, double *A, double tolerance, int *pivot, double *tau) {
  int rank = 0;
  orthogonal_factor(n, A, pivot, tau);
  while (rank < n && fabs(A[rank + rank * n]) > tolerance * fabs(A[0])) ++rank;
  orthogonal_reduce(n, A, rank, tau + n);
  return rank;
}

/* Computes y = P Z x with the reflections Z from the right. */
static void back(int n, const double *A, int rank, const int *pivot, const double *tau, double *x,
                 double *y) {
  for (int k = 0; k < rank; ++k)
    orthogonal_apply(n - rank, tau[n + k], A + k + rank * n, n, x + k, x + rank, 1);
  for (int j = 0; j < n; ++j) y[pivot[j]] = x[j];
}

void nsds_orthogonal_solve(int n, const double *A, int rank, const int *pivot, double *tau,
                           double *b) {
  double *x = tau + 2 * n;
  memcpy(x, b, (size_t)n * sizeof *x);
  for (int k = 0; k < n; ++k)
    orthogonal_apply(n - k - 1, tau[k], A + k + 1 + k * n, 1, x + k, x + k + 1, 1);
  for (int k = rank - 1; k >= 0; --k) {
    x[k] /= A[k + k * n];
    for (int i = 0; i < k; ++i) x[i] -= A[i + k * n] * x[k];
  }
  memset(x + rank, 0, (size_t)(n - rank) * sizeof *x);
  back(n, A, rank, pivot, tau, x, b);
}

void nsds_orthogonal_kernel(int n, const double *A, int rank, const int *pivot, double *tau, int k,
                            double *y) {
  double *x = tau + 2 * n;
  for (int i = 0; i < n; ++i) x[i] = i == rank + k;
  back(n, A, rank, pivot, tau, x, y);
}

double nsds_orthogonalise(int m, int count, const double *Q, double *h, double *c) {
  double square = 0.0;
  for (int k = 0; k < count; ++k) c[k] = 0.0;
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < count; ++k) {
      const double *q = Q + k * m;
      double t = 0.0;
      for (int i = 0; i < m; ++i) t += q[i] * h[i];
      if (t == 0.0) continue;
      c[k] += t;
      for (int i = 0; i < m; ++i) h[i] -= t * q[i];
    }
  for (int i = 0; i < m; ++i) square += h[i] * h[i];
  return square;
}
