/*
 * Dense factors: right-looking LU with partial pivoting up to nsds_own_rows rows, LAPACK's dgetrf
 * above (Golub & Van Loan, Matrix Computations, 3.4). A badly scaled matrix is first equilibrated
 * by powers of two, so that units do not affect singularity and no rounding is added.
 */
#include "numerics/linear/factor_dense.h"

#include "base/base.h"
#include "numerics/linear/cholesky.h"
#include "numerics/linear/factor_cost.h"
#include "numerics/linear/factor_state.h"
#include "numerics/linear/matrix.h"
#include "numerics/store.h"

#include <lapacke.h>

enum {
  inline_solve_limit = 64, /* below, a call of BLAS costs more than the triangular solves */
  unrolled_rows = 12       /* up to here a right-hand side stays in registers */
};

/* Row maxima further apart than this are equilibrated, since they may look like singularity. */
static const double spread_limit = 0x1p20;

#if defined(__clang__)
#define NSDS_UNROLL _Pragma("unroll")
#elif defined(__GNUC__)
#define NSDS_UNROLL _Pragma("GCC unroll 16")
#else
#define NSDS_UNROLL
#endif

nsds_status nsds_factor_reserve_dense(nsds_factor *factor, int n) {
  if (NSDS_LIKELY(n <= factor->reserved_rows)) return NSDS_OK;
  size_t m = (size_t)n, lapack = n > nsds_own_rows ? m : 0;
  const nsds_cut cut[] = {NSDS_CUT(factor->lu, m * m), NSDS_CUT(factor->scale, 2 * m),
                          NSDS_CUT(factor->pivot, m), NSDS_CUT(factor->row, m)};
  nsds_status status = NSDS_HOLD(&factor->store, cut);
  if (!status) status = NSDS_HOLD_ONE(&factor->store, factor->inverse, m);
  if (!status) status = nsds_factor_work(factor, 4 * lapack, lapack);
  if (!status) factor->reserved_rows = n;
  return status;
}

/* Writes the largest absolute entries of the rows to `row`; false if a row vanishes or is not
 * finite. */
NSDS_INLINE bool row_maxima(int n, const double *a, double *row, double *spread) {
  memset(row, 0, (size_t)n * sizeof *row);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      double t = fabs(a[i + (ptrdiff_t)j * n]);
      row[i] = t > row[i] || isnan(t) ? t : row[i];
    }
  double least = row[0], most = row[0];
  for (int i = 0; i < n; ++i) {
    if (!(row[i] > 0.0) || isinf(row[i])) return false;
    if (row[i] < least) least = row[i];
    if (row[i] > most) most = row[i];
  }
  *spread = most / least;
  return true;
}

/* Scales the rows of a (n x n), given their largest entries in `row`, then its columns to largest
 * entries in [1/2, 1). The scales, powers of two, are written to `row` and `column`. */
static void equilibrate(int n, double *a, double *row, double *column) {
  for (int i = 0; i < n; ++i) row[i] = nsds_inverse_power(row[i], 1);
  for (int j = 0; j < n; ++j) {
    double *aj = a + (ptrdiff_t)j * n, most = 0.0;
    for (int i = 0; i < n; ++i) {
      aj[i] *= row[i];
      if (fabs(aj[i]) > most) most = fabs(aj[i]);
    }
    column[j] = nsds_inverse_power(most, 1);
    for (int i = 0; i < n; ++i) aj[i] *= column[j];
  }
}

NSDS_INLINE double small_rcond(int n, const double *lu) {
  double least = fabs(lu[0]), most = least;
  for (int k = 1; k < n; ++k) {
    double t = fabs(lu[k + k * n]);
    if (t < least) least = t;
    if (t > most) most = t;
  }
  return least / most;
}

/* Prepares the inline solves: the interchanges as one permutation, and the reciprocals of the
 * pivots. A division per row would be the slowest link of the chain. */
NSDS_INLINE nsds_status factor_dense_accept(nsds_factor *factor, const int n, double rcond) {
  if (n > inline_solve_limit) return nsds_factor_judge(factor, rcond);
  for (int k = 0; k < n; ++k) factor->row[k] = k;
  for (int k = 0; k < n; ++k) {
    int other = factor->pivot[k], t = factor->row[k];
    factor->row[k] = factor->row[other];
    factor->row[other] = t;
    factor->inverse[k] = 1.0 / factor->lu[k + (ptrdiff_t)k * n];
  }
  return nsds_factor_judge(factor, rcond);
}

static nsds_status factor_lapack(nsds_factor *factor) {
  int n = factor->n, info = 0;
  double operations = 0.1 * (2.0 / 3.0) * n * n * n; /* in sparse ones that take as long */
  if (!nsds_factor_may_begin(factor, operations, 0.0)) return nsds_factor_judge(factor, 0.0);
  double norm = LAPACK_dlange("1", &n, &n, factor->lu, &n, factor->work);
  LAPACK_dgetrf(&n, &n, factor->lu, &n, factor->pivot, &info);
  if (info != 0) return nsds_factor_judge(factor, 0.0);
  double rcond = 0.0;
  LAPACK_dgecon("1", &n, factor->lu, &n, &norm, &rcond, factor->work, factor->iwork, &info);
  if (n <= inline_solve_limit)
    for (int k = 0; k < n; ++k) --factor->pivot[k];
  return factor_dense_accept(factor, n, rcond);
}

/* Factors with own kernels. A constant n at the call unrolls the loops of small systems. */
NSDS_INLINE nsds_status factor_dense_factor_own(nsds_factor *factor, const int n) {
  if (!nsds_small_lu(n, factor->lu, factor->pivot)) return nsds_factor_judge(factor, 0.0);
  return factor_dense_accept(factor, n, small_rcond(n, factor->lu));
}

static void factor_dense_solve_dense(nsds_factor *factor, int nrhs, double *b);
static void solve_diagonal(nsds_factor *factor, int nrhs, double *b);

static nsds_status open_dense(nsds_factor *factor, int n) {
  factor->solve = NULL;
  nsds_status status = nsds_factor_reserve_dense(factor, n);
  if (status) return status;
  factor->solve = factor_dense_solve_dense;
  factor->n = n;
  factor->scaled = false;
  return NSDS_OK;
}

static nsds_status factor_loaded(nsds_factor *factor) {
  int n = factor->n;
  const double *lu = factor->lu;
  double spread, first = n > 0 ? lu[0] : 1.0;
  if (n <= 1)
    return nsds_factor_judge(factor, isfinite(1.0 / first) && isfinite(first) ? 1.0 : 0.0);
  bool regular = n == 3   ? row_maxima(3, lu, factor->scale, &spread)
                 : n == 6 ? row_maxima(6, lu, factor->scale, &spread)
                          : row_maxima(n, lu, factor->scale, &spread);
  if (!regular) return nsds_factor_judge(factor, 0.0);
  if (spread > spread_limit) {
    equilibrate(n, factor->lu, factor->scale, factor->scale + n);
    factor->scaled = true;
  }
  if (n > nsds_own_rows) return factor_lapack(factor);
  switch (n) {
  case 2: return factor_dense_factor_own(factor, 2);
  case 3: return factor_dense_factor_own(factor, 3);
  case 4: return factor_dense_factor_own(factor, 4);
  case 6: return factor_dense_factor_own(factor, 6);
  default: return factor_dense_factor_own(factor, n);
  }
}

nsds_status nsds_factor_load(nsds_factor *factor, bool definite, int n, const double *a,
                             const int *p, const int *i, const double *x) {
  nsds_status status = open_dense(factor, n);
  if (status) return status;
  if (p) nsds_scatter(n, p, i, x, factor->lu);
  else if (n > 0) memcpy(factor->lu, a, (size_t)n * (size_t)n * sizeof *a);
  return definite ? nsds_cholesky_loaded(factor) : factor_loaded(factor);
}

nsds_status nsds_factor_dense(nsds_factor *factor, int n, const double *a) {
  return nsds_factor_load(factor, false, n, a, NULL, NULL, NULL);
}

nsds_status nsds_invert_diagonal(int n, const double *a, int stride, double *inverse,
                                 double *rcond) {
  double least = INFINITY, most = 0.0;
  for (int k = 0; k < n; ++k) {
    double entry = a[(size_t)k * (size_t)stride], pivot = fabs(entry);
    if (!(pivot > 0.0) || isinf(pivot) || isinf(1.0 / pivot)) least = 0.0;
    least = fmin(least, pivot);
    most = fmax(most, pivot);
    inverse[k] = 1.0 / entry;
  }
  bool balanced = least > 0.0 && most > spread_limit * least;
  *rcond = n == 0 || balanced ? 1.0 : least / most;
  return nsds_judge_rcond(n, rcond);
}

nsds_status nsds_factor_diagonal(nsds_factor *factor, int n, const double *a, int stride) {
  factor->solve = NULL;
  nsds_status status = NSDS_HOLD_ONE(&factor->store, factor->inverse, n);
  if (status) return status;
  factor->solve = solve_diagonal;
  factor->n = n;
  return nsds_invert_diagonal(n, a, stride, factor->inverse, &factor->rcond);
}

static void solve_diagonal(nsds_factor *factor, int nrhs, double *b) {
  for (int k = 0; k < nrhs; ++k, b += factor->n)
    for (int i = 0; i < factor->n; ++i) b[i] *= factor->inverse[i];
}

/*
 * Solves for one right-hand side of constant size n. The loops are unrolled, so that b stays in
 * registers: through memory each row would wait for the store of the row before.
 */
NSDS_INLINE void solve_unrolled(const int n, const nsds_factor *factor, double *x) {
  const double *lu = factor->lu;
  double b[unrolled_rows];
  NSDS_UNROLL for (int k = 0; k < n; ++k) b[k] = x[factor->row[k]];
  NSDS_UNROLL for (int k = 0; k < n; ++k) {
    NSDS_UNROLL for (int i = k + 1; i < n; ++i) b[i] -= lu[i + k * n] * b[k];
  }
  NSDS_UNROLL for (int k = n - 1; k >= 0; --k) {
    b[k] *= factor->inverse[k];
    NSDS_UNROLL for (int i = 0; i < k; ++i) b[i] -= lu[i + k * n] * b[k];
  }
  NSDS_UNROLL for (int k = 0; k < n; ++k) x[k] = b[k];
}

/* Computes the same sums in the same order, row by row. */
static void factor_dense_solve_rows(const nsds_factor *factor, double *x) {
  const double *lu = factor->lu;
  double b[inline_solve_limit];
  int n = factor->n;
  for (int i = 0; i < n; ++i) {
    double sum = x[factor->row[i]];
    for (int k = 0; k < i; ++k) sum -= lu[i + k * n] * b[k];
    b[i] = sum;
  }
  for (int i = n - 1; i >= 0; --i) {
    double sum = b[i];
    for (int k = n - 1; k > i; --k) sum -= lu[i + k * n] * b[k];
    b[i] = sum * factor->inverse[i];
  }
  memcpy(x, b, (size_t)n * sizeof *x);
}

static void solve_inline(const nsds_factor *factor, double *b) {
  switch (factor->n) {
  case 2: solve_unrolled(2, factor, b); break;
  case 3: solve_unrolled(3, factor, b); break;
  case 4: solve_unrolled(4, factor, b); break;
  case 5: solve_unrolled(5, factor, b); break;
  case 6: solve_unrolled(6, factor, b); break;
  case 7: solve_unrolled(7, factor, b); break;
  case 8: solve_unrolled(8, factor, b); break;
  case 9: solve_unrolled(9, factor, b); break;
  case 10: solve_unrolled(10, factor, b); break;
  case 11: solve_unrolled(11, factor, b); break;
  case 12: solve_unrolled(12, factor, b); break;
  default: factor_dense_solve_rows(factor, b);
  }
}

static void factor_dense_solve_dense(nsds_factor *factor, int nrhs, double *b) {
  int n = factor->n, info;
  if (n == 1) {
    for (int k = 0; k < nrhs; ++k) b[k] /= factor->lu[0];
    return;
  }
  for (int k = 0; factor->scaled && k < nrhs; ++k)
    for (int i = 0; i < n; ++i) b[i + (ptrdiff_t)k * n] *= factor->scale[i];
  if (n <= inline_solve_limit)
    for (int k = 0; k < nrhs; ++k) solve_inline(factor, b + (ptrdiff_t)k * n);
  else LAPACK_dgetrs("N", &n, &nrhs, factor->lu, &n, factor->pivot, b, &n, &info);
  for (int k = 0; factor->scaled && k < nrhs; ++k)
    for (int i = 0; i < n; ++i) b[i + (ptrdiff_t)k * n] *= factor->scale[n + i];
}
