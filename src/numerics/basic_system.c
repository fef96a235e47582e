/* The linear system of a basis, see basic_system.h. */
#include "basic_system.h"
#include "solver_internal.h"

#include <float.h>
#include <lapacke.h>

/* An entry that a correction changes by more than this part of itself is rounding. */
static const double no_digits = 0.125;

static int least_squares_work(int n) {
  double count = 0.0;
  int rank;
  LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, n, n, 1, NULL, n, NULL, n, NULL, 0.0, &rank, &count, -1);
  return (int)count;
}

nsds_status nsds_basic_system_reserve(nsds_basic_system *s, nsds_context *context, int n) {
  if (NSDS_LIKELY(n < s->reserved)) return NSDS_OK;
  size_t m = (size_t)n;
  int work = least_squares_work(n > 0 ? n : 1);
  nsds_status status;
  if (!s->factor && !(s->factor = nsds_factor_create(context))) return NSDS_ERROR_MEMORY;
  if ((status =
           NSDS_ENSURE(context, s->memory, s->memory_capacity, 2 * m * m + 5 * m + (size_t)work)) ||
      (status = NSDS_ENSURE(context, s->pivot, s->pivot_capacity, m + 1)) ||
      (status = nsds_factor_reserve_dense(s->factor, n)))
    return status;
  s->a = s->memory;
  s->copy = s->a + m * m;
  s->b = s->copy + m * m;
  s->x = s->b + m;
  s->correction = s->x + m;
  s->scale = s->correction + m;
  s->work = s->scale + 2 * m;
  s->work_count = work;
  s->reserved = n + 1;
  return NSDS_OK;
}

static double power_of_two_near_inverse(double x) {
  if (!(x > 0.0) || !isfinite(x)) return 1.0;
  int exponent;
  frexp(x, &exponent);
  return ldexp(1.0, exponent < -1020 ? 1020 : -exponent);
}

/* copy = A with rows, then columns, of entries up to about 1; scale holds both. */
static void equilibrate(nsds_basic_system *s, int k) {
  double *row = s->scale, *column = s->scale + k;
  memcpy(s->copy, s->a, (size_t)k * (size_t)k * sizeof *s->a);
  memset(row, 0, (size_t)k * sizeof *row);
  for (int j = 0; j < k; ++j)
    for (int i = 0; i < k; ++i) row[i] = fmax(row[i], fabs(s->copy[i + (size_t)j * (size_t)k]));
  for (int i = 0; i < k; ++i) row[i] = power_of_two_near_inverse(row[i]);
  for (int j = 0; j < k; ++j) {
    double *a = s->copy + (size_t)j * (size_t)k, most = 0.0;
    for (int i = 0; i < k; ++i) most = fmax(most, fabs(a[i] *= row[i]));
    column[j] = power_of_two_near_inverse(most);
    for (int i = 0; i < k; ++i) a[i] *= column[j];
  }
}

/* d = the least-squares solution of A x = d; returns the rank of A. */
static int solve_least_squares(nsds_basic_system *s, int k, double *d) {
  int rank;
  equilibrate(s, k);
  for (int i = 0; i < k; ++i) d[i] *= s->scale[i];
  memset(s->pivot, 0, (size_t)k * sizeof *s->pivot);
  LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, k, k, 1, s->copy, k, d, k, s->pivot, 16 * k * DBL_EPSILON,
                      &rank, s->work, s->work_count);
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
  static const double doubtful = 1e-9;
  nsds_status status = k == 0 ? NSDS_OK : nsds_factor_dense(s->factor, k, s->a);
  if (status || k == 0 || nsds_factor_rcond(s->factor) > doubtful) return status;
  memcpy(s->correction, s->b, (size_t)k * sizeof *s->b);
  return solve_least_squares(s, k, s->correction) < k ? NSDS_ERROR_SINGULAR : NSDS_OK;
}

nsds_status nsds_basic_system_solve(nsds_basic_system *s, int k) {
  enum { corrections = 3 };
  nsds_status status = factor(s, k);
  if (status && status != NSDS_ERROR_SINGULAR) return status;
  memset(s->x, 0, (size_t)k * sizeof *s->x);
  for (int step = 0; step < corrections && k > 0; ++step) correct(s, k, !status);
  for (int i = 0; i < k; ++i)
    if (fabs(s->correction[i]) > no_digits * fabs(s->x[i])) s->x[i] = 0.0;
  return status;
}

void nsds_basic_system_release(nsds_basic_system *s, nsds_context *context) {
  nsds_factor_destroy(s->factor);
  nsds_release(context, s->memory);
  nsds_release(context, s->pivot);
}
