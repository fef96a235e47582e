/* Complementary bases, see basis.h. */
#include "basis.h"
#include "solver_internal.h"

#include <float.h>

nsds_status nsds_basis_reserve(nsds_basis *s, nsds_store *store, int n) {
  const nsds_cut cut[] = {NSDS_CUT(s->lower, n), NSDS_CUT(s->upper, n), NSDS_CUT(s->d, n),
                          NSDS_CUT(s->z, n),     NSDS_CUT(s->list, n),  NSDS_CUT(s->state, n)};
  nsds_status status = NSDS_HOLD(store, cut);
  return status ? status : nsds_basic_system_reserve(&s->system, store, n);
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
  nsds_status status = nsds_basic_system_solve(&s->system, s->unknowns);
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
