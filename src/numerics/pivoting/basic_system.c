/* The linear system of a basis, see basic_system.h. */
#include "basic_system.h"
#include "orthogonal.h"
#include "solver_internal.h"

#include <float.h>

/* An entry that a correction changes by more than this part of itself is rounding. */
static const double no_digits = 0.125;

/* Singular values below this part of the largest, times the rows, count as zero. */
static const double rank_tolerance = 16 * DBL_EPSILON;

nsds_status nsds_basic_system_reserve(nsds_basic_system *s, nsds_store *store, int n) {
  size_t m = (size_t)n;
  const nsds_cut cut[] = {NSDS_CUT(s->a, m * m),      NSDS_CUT(s->copy, m * m),
                          NSDS_CUT(s->b, m),          NSDS_CUT(s->x, m),
                          NSDS_CUT(s->correction, m), NSDS_CUT(s->scale, 2 * m),
                          NSDS_CUT(s->work, 2 * m),   NSDS_CUT(s->pivot, m)};
  if (NSDS_LIKELY(n < s->reserved)) return NSDS_OK;
  nsds_status status = nsds_factor_hold(store, &s->factor);
  if (!status) status = NSDS_HOLD(store, cut);
  if (!status) status = nsds_factor_reserve_dense(s->factor, n);
  if (!status) s->reserved = n + 1;
  return status;
}

/* copy = A with rows, then columns, of entries up to about 1; scale holds both. */
static void equilibrate(nsds_basic_system *s, int k) {
  double *row = s->scale;
  memcpy(s->copy, s->a, (size_t)k * (size_t)k * sizeof *s->a);
  memset(row, 0, (size_t)k * sizeof *row);
  for (int j = 0; j < k; ++j)
    for (int i = 0; i < k; ++i) row[i] = fmax(row[i], fabs(s->copy[i + (size_t)j * (size_t)k]));
  nsds_equilibrate(k, s->copy, row, row + k);
}

/* d = the least-squares solution of A x = d; returns the rank of A. */
static int solve_least_squares(nsds_basic_system *s, int k, double *d) {
  equilibrate(s, k);
  for (int i = 0; i < k; ++i) d[i] *= s->scale[i];
  int rank = nsds_orthogonal_solve(k, s->copy, d, rank_tolerance * k, s->pivot, s->work);
  for (int i = 0; i < k; ++i) d[i] *= s->scale[k + i];
  return rank;
}

static void correct(nsds_basic_system *s, int k, bool regular) {
  double *d = s->correction;
  memcpy(d, s->b, (size_t)k * sizeof *d);
  for (int j = 0; j < k; ++j)
    if (s->x[j] != 0.0)
      for (int i = 0; i < k; ++i) d[i] -= s->a[i + (size_t)j * (size_t)k] * s->x[j];
  if (nsds_first_nonfinite(d, k) >= 0) memset(d, 0, (size_t)k * sizeof *d);
  if (regular) nsds_factor_solve(s->factor, 1, d);
  else solve_least_squares(s, k, d);
  for (int i = 0; i < k; ++i) s->x[i] = isfinite(s->x[i] + d[i]) ? s->x[i] + d[i] : 0.0;
}

/* LU where A is regular. Rounding can leave a pivot to a matrix that has none, so that doubtful
 * ones are left to the rank. */
static nsds_status factor(nsds_basic_system *s, int k) {
  static const double doubtful = 1e-9; /* reciprocal condition that rounding can leave */
  nsds_status status = k == 0 ? NSDS_OK : nsds_factor_dense(s->factor, k, s->a);
  if (status || k == 0 || nsds_factor_rcond(s->factor) > doubtful) return status;
  memcpy(s->correction, s->b, (size_t)k * sizeof *s->b);
  return solve_least_squares(s, k, s->correction) < k ? NSDS_ERROR_SINGULAR : NSDS_OK;
}

nsds_status nsds_basic_system_solve(nsds_basic_system *s, int k) {
  enum { corrections = 3 }; /* the solution, and two refinements */
  nsds_status status = factor(s, k);
  s->solved = k;
  if (status && status != NSDS_ERROR_SINGULAR) return status;
  memset(s->x, 0, (size_t)k * sizeof *s->x);
  for (int step = 0; step < corrections && k > 0; ++step) correct(s, k, !status);
  for (int i = 0; i < k; ++i)
    if (fabs(s->correction[i]) > no_digits * fabs(s->x[i])) s->x[i] = 0.0;
  return status;
}

double nsds_basic_system_rcond(const nsds_basic_system *s) {
  return s->solved > 0 ? nsds_factor_rcond(s->factor) : 1.0;
}

static void transpose(int k, double *a) {
  for (int j = 0; j < k; ++j)
    for (int i = 0; i < j; ++i) {
      double t = a[i + (size_t)j * (size_t)k];
      a[i + (size_t)j * (size_t)k] = a[j + (size_t)i * (size_t)k];
      a[j + (size_t)i * (size_t)k] = t;
    }
}

/* The kernel of A is that of the transpose of its transpose. */
int nsds_basic_system_kernel(nsds_basic_system *s, int k, const double **V) {
  double *a = s->copy;
  equilibrate(s, k);
  transpose(k, a);
  int rank = nsds_orthogonal_kernel(k, a, rank_tolerance * k, s->pivot, s->work);
  for (int j = rank; j < k; ++j)
    for (int i = 0; i < k; ++i) { /* without what is rounding */
      double *t = &a[i + (size_t)j * (size_t)k];
      *t = fabs(*t) > rank_tolerance * k ? *t * s->scale[k + i] : 0.0;
    }
  *V = a + (size_t)rank * (size_t)k;
  return k - rank;
}
