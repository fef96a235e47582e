/* Complementary bases, see basis.h. */
#include "basis.h"
#include "orthogonal.h"
#include "solver_internal.h"

#include <float.h>

/*
 * ---- the linear system A x = b of a basis ----
 *
 * Regular: LU with two steps of iterative refinement (Higham, Accuracy and Stability, 12). The
 * second step tells entries from rounding: one that it changes by a good part of itself has no
 * digits, and is zero; left as it is, it would be all there is in rows whose other terms vanish.
 * Singular: the least-squares solution of minimum norm (in equilibrated columns) by a complete
 * orthogonal factorisation (orthogonal.h), refined alike.
 */

/* An entry that a correction changes by more than this part of itself is rounding. */
static const double no_digits = 0.125;

/* Singular values below this part of the largest, times the rows, count as zero. */
static const double rank_tolerance = 16 * DBL_EPSILON;

/* Memory for systems of up to n rows; the arrays then have their final places. */
static nsds_status reserve_system(nsds_basic_system *s, nsds_store *store, int n) {
  size_t m = (size_t)n;
  const nsds_cut cut[] = {NSDS_CUT(s->a, m * m),      NSDS_CUT(s->copy, m * m),
                          NSDS_CUT(s->b, m),          NSDS_CUT(s->x, m),
                          NSDS_CUT(s->correction, m), NSDS_CUT(s->scale, 2 * m),
                          NSDS_CUT(s->work, 3 * m),   NSDS_CUT(s->pivot, m)};
  if (NSDS_LIKELY(n < s->reserved)) return NSDS_OK;
  nsds_status status = nsds_factor_hold(store, &s->factor);
  if (!status) status = NSDS_HOLD(store, cut);
  if (!status) status = nsds_factor_reserve_dense(s->factor, n);
  if (!status) s->reserved = n + 1;
  return status;
}

/* Orthogonal factors, in `copy`, of A with rows, then columns, of entries up to about 1; scale
 * holds both. */
static void factor_orthogonal(nsds_basic_system *s, int k) {
  double *row = s->scale;
  memcpy(s->copy, s->a, (size_t)k * (size_t)k * sizeof *s->a);
  memset(row, 0, (size_t)k * sizeof *row);
  for (int j = 0; j < k; ++j)
    for (int i = 0; i < k; ++i) row[i] = fmax(row[i], fabs(s->copy[i + (size_t)j * (size_t)k]));
  nsds_equilibrate(k, s->copy, row, row + k);
  s->rank = nsds_orthogonal_factor(k, s->copy, rank_tolerance * k, s->pivot, s->work);
}

/* d = the least-squares solution of A x = d */
static void solve_least_squares(nsds_basic_system *s, int k, double *d) {
  for (int i = 0; i < k; ++i) d[i] *= s->scale[i];
  nsds_orthogonal_solve(k, s->copy, s->rank, s->pivot, s->work, d);
  for (int i = 0; i < k; ++i) d[i] *= s->scale[k + i];
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
  if (k == 0 || (!status && nsds_factor_rcond(s->factor) > doubtful)) return status;
  if (status && status != NSDS_ERROR_SINGULAR) return status;
  factor_orthogonal(s, k);
  return s->rank < k ? NSDS_ERROR_SINGULAR : status;
}

/* Solves for x: NSDS_OK, or NSDS_ERROR_SINGULAR with the least-squares solution in x, which need
 * not solve; always finite. */
static nsds_status solve_system(nsds_basic_system *s, int k) {
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

int nsds_basic_system_kernel(nsds_basic_system *s, int k, const double **V) {
  double *v = s->a;
  *V = v;
  nsds_orthogonal_kernel(k, s->copy, s->rank, s->pivot, s->work, v);
  for (int c = 0; c < k - s->rank; ++c)
    for (int i = 0; i < k; ++i, ++v) /* without what is rounding */
      *v = fabs(*v) > rank_tolerance * k ? *v * s->scale[k + i] : 0.0;
  return k - s->rank;
}

/* ---- the basis ---- */

nsds_status nsds_basis_reserve(nsds_basis *s, nsds_store *store, int n) {
  const nsds_cut cut[] = {NSDS_CUT(s->lower, n), NSDS_CUT(s->upper, n), NSDS_CUT(s->d, n),
                          NSDS_CUT(s->z, n),     NSDS_CUT(s->list, n),  NSDS_CUT(s->state, n)};
  nsds_status status = NSDS_HOLD(store, cut);
  return status ? status : reserve_system(&s->system, store, n);
}

/* |M_ii|, or where that vanishes the largest entry of the row, or 1. */
static double unit_of_row(const nsds_basis *s, int i) {
  double d = fabs(s->M[i + (size_t)i * (size_t)s->n]);
  if (d > 0.0) return d;
  for (int j = 0; j < s->n; ++j) d = fmax(d, fabs(s->M[i + (size_t)j * (size_t)s->n]));
  return d > 0.0 ? d : 1.0;
}

static nsds_row_state state_of(double z, double lower, double upper) {
  if (lower == upper) return NSDS_ROW_LOWER;
  if (z <= lower && isfinite(lower)) return NSDS_ROW_LOWER;
  return z >= upper && isfinite(upper) ? NSDS_ROW_UPPER : NSDS_ROW_UNKNOWN;
}

void nsds_basis_start(nsds_basis *s, const nsds_problem *problem, const double *M,
                      const double *z) {
  s->n = problem->n;
  s->M = M;
  s->q = problem->q;
  nsds_row_bounds(problem, s->lower, s->upper);
  for (int i = 0; i < s->n; ++i) {
    s->d[i] = unit_of_row(s, i);
    s->state[i] = (unsigned char)state_of(z[i], s->lower[i], s->upper[i]);
  }
}

int nsds_basis_choices(const nsds_basis *s, int i) {
  if (s->lower[i] == s->upper[i]) return 1;
  return 1 + isfinite(s->lower[i]) + isfinite(s->upper[i]);
}

nsds_row_state nsds_basis_next(const nsds_basis *s, int i) {
  bool below = isfinite(s->lower[i]), above = isfinite(s->upper[i]);
  if (s->lower[i] == s->upper[i]) return NSDS_ROW_LOWER;
  switch (s->state[i]) {
  case NSDS_ROW_LOWER: return NSDS_ROW_UNKNOWN;
  case NSDS_ROW_UPPER: return below ? NSDS_ROW_LOWER : NSDS_ROW_UNKNOWN;
  default: return above ? NSDS_ROW_UPPER : below ? NSDS_ROW_LOWER : NSDS_ROW_UNKNOWN;
  }
}

/* Puts the known z in place and the system of the others together. */
static int set_up(nsds_basis *s) {
  nsds_basic_system *system = &s->system;
  int n = s->n, k = 0;
  for (int i = 0; i < n; ++i) {
    if (s->state[i] == NSDS_ROW_UNKNOWN) s->list[k++] = i;
    s->z[i] = s->state[i] == NSDS_ROW_LOWER   ? s->lower[i]
              : s->state[i] == NSDS_ROW_UPPER ? s->upper[i]
                                              : 0.0;
  }
  for (int r = 0; r < k; ++r) system->b[r] = -s->q[s->list[r]];
  for (int j = 0; j < n; ++j)
    if (s->z[j] != 0.0)
      for (int r = 0; r < k; ++r)
        system->b[r] -= s->M[s->list[r] + (size_t)j * (size_t)n] * s->z[j];
  for (int c = 0; c < k; ++c)
    for (int r = 0; r < k; ++r)
      system->a[r + (size_t)c * (size_t)k] = s->M[s->list[r] + (size_t)s->list[c] * (size_t)n];
  return k;
}

double nsds_basis_w(const nsds_basis *s, int i, double *size) {
  double w = s->q[i];
  *size = fabs(w);
  for (int j = 0; j < s->n; ++j) {
    double t = s->M[i + (size_t)j * (size_t)s->n] * s->z[j];
    w += t;
    *size += fabs(t);
  }
  return w;
}

/* Whether w_B = 0, as only a regular system guarantees. */
static bool system_is_met(const nsds_basis *s) {
  static const double clear = 1e-9; /* far from what rounding leaves of a system that is met */
  for (int r = 0; r < s->unknowns; ++r) {
    double size, w = nsds_basis_w(s, s->list[r], &size);
    if (!(fabs(w) <= clear * size)) return false;
  }
  return true;
}

nsds_status nsds_basis_solve(nsds_basis *s) {
  s->unknowns = set_up(s);
  nsds_status status = solve_system(&s->system, s->unknowns);
  if (status && status != NSDS_ERROR_SINGULAR) return status;
  for (int r = 0; r < s->unknowns; ++r) s->z[s->list[r]] = s->system.x[r];
  s->consistent = !status || system_is_met(s);
  return status;
}

double nsds_basis_violation(const nsds_basis *s, int i) {
  double size, w = nsds_basis_w(s, i, &size), e = 0.0;
  switch (s->state[i]) {
  case NSDS_ROW_LOWER: e = s->lower[i] < s->upper[i] ? -w : 0.0; break;
  case NSDS_ROW_UPPER: e = w; break;
  default: e = s->d[i] * fmax(s->lower[i] - s->z[i], s->z[i] - s->upper[i]);
  }
  return e > 0.0 ? e / (size + DBL_MIN) : isnan(e) ? INFINITY : 0.0;
}

void nsds_basis_point(const nsds_basis *s, double *z) {
  for (int i = 0; i < s->n; ++i) z[i] = nsds_clip(s->z[i], s->lower[i], s->upper[i]);
}
