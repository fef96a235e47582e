/* Complementary bases, see basis.h. */
#include "numerics/pivoting/basis.h"

#include "base/base.h"
#include "base/finite.h"
#include "numerics/linear/canonical.h"
#include "numerics/linear/factor.h"
#include "numerics/linear/factor_dense.h"
#include "numerics/linear/transversal.h"
#include "numerics/sets/bounds.h"
#include "numerics/sets/polyhedron.h"
#include "numerics/store.h"

#include <float.h>
#include <limits.h>

/* A correction that changes an entry by more than this part of it shows that the entry is
 * rounding. */
static const double no_digits = 0.125;

/* Reciprocal conditions. Below the first, times the rows, a system counts as singular. Rounding can
 * leave up to the second to a singular matrix. */
static const double rank_tolerance = 16 * DBL_EPSILON, doubtful = 1e-9;

/* An equation holds if its rest is at most this part of its terms, as refinement leaves in a
 * regular system. */
static const double refined = 1e-13;

/* ---- memory ---- */

nsds_status nsds_basis_reserve(nsds_basis *s, nsds_store *store, int n, int bounds) {
  size_t m = (size_t)n, most = m + (size_t)bounds;
  size_t matched = nsds_transversal_iwork * (m + 1), scratch = nsds_transversal_work * (m + 1);
  const nsds_cut cut[] = {NSDS_CUT(s->own.M, m * m),
                          NSDS_CUT(s->own.q, m),
                          NSDS_CUT(s->own.row, m),
                          NSDS_CUT(s->own.column, m),
                          NSDS_CUT(s->own.seen, 2 * m),
                          NSDS_CUT(s->lower, m),
                          NSDS_CUT(s->upper, m),
                          NSDS_CUT(s->d, m),
                          NSDS_CUT(s->z, m),
                          NSDS_CUT(s->list, m),
                          NSDS_CUT(s->state, m),
                          NSDS_CUT(s->a, m * m),
                          NSDS_CUT(s->b, m),
                          NSDS_CUT(s->x, m),
                          NSDS_CUT(s->correction, m),
                          NSDS_CUT(s->scale, m),
                          NSDS_CUT(s->facet, m),
                          NSDS_CUT(s->G, most * m),
                          NSDS_CUT(s->g, most),
                          NSDS_CUT(s->constant, most),
                          NSDS_CUT(s->work, nsds_polyhedron_work(n)),
                          NSDS_CUT(s->row_power, m),
                          NSDS_CUT(s->column_power, m),
                          NSDS_CUT(s->matching, matched),
                          NSDS_CUT(s->matching_work, scratch)};
  if (NSDS_LIKELY(n < s->reserved && bounds <= s->bounds)) return NSDS_OK;
  nsds_status status = nsds_factor_hold(store, &s->factor);
  if (!status) status = NSDS_HOLD(store, cut);
  if (!status) status = nsds_factor_reserve_dense(s->factor, n);
  if (status) return status;
  s->reserved = n + 1;
  s->bounds = bounds;
  return NSDS_OK;
}

/* ---- the basis ---- */

/* Returns |M_ii|; if zero, the largest entry of the row, or 1. */
static double unit_of_row(const nsds_basis *s, int i) {
  double d = fabs(s->own.M[i + (ptrdiff_t)i * s->n]);
  if (d > 0.0) return d;
  for (int j = 0; j < s->n; ++j) d = fmax(d, fabs(s->own.M[i + (ptrdiff_t)j * s->n]));
  return d > 0.0 ? d : 1.0;
}

static nsds_row_state state_of(double z, double lower, double upper) {
  if (lower == upper) return NSDS_ROW_LOWER;
  if (z <= lower && isfinite(lower)) return NSDS_ROW_LOWER;
  return z >= upper && isfinite(upper) ? NSDS_ROW_UPPER : NSDS_ROW_UNKNOWN;
}

/* Copies the problem in canonical units. */
static void take_in_units(nsds_basis *s, const nsds_problem *problem, const double *M) {
  int n = problem->n;
  nsds_columns_view view = {.n = n, .a = M};
  nsds_canonical_scales(&view, problem->q, s->own.row, s->own.column, s->x, s->own.seen);
  for (int j = 0; j < n; ++j) {
    s->own.q[j] = s->own.row[j] * problem->q[j];
    s->lower[j] /= s->own.column[j];
    s->upper[j] /= s->own.column[j];
    for (int i = 0; i < n; ++i)
      s->own.M[i + (ptrdiff_t)j * n] = M[i + (ptrdiff_t)j * n] * s->own.row[i] * s->own.column[j];
  }
}

void nsds_basis_start(nsds_basis *s, const nsds_problem *problem, const double *M,
                      const double *z) {
  s->n = problem->n;
  nsds_row_bounds(problem, s->lower, s->upper);
  for (int i = 0; i < s->n; ++i)
    s->state[i] = (unsigned char)state_of(z[i], s->lower[i], s->upper[i]);
  take_in_units(s, problem, M);
  for (int i = 0; i < s->n; ++i) s->d[i] = unit_of_row(s, i);
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

/* Sets the known z, and the linear system of the unknown ones. */
static void basis_set_up(nsds_basis *s) {
  int n = s->n, k = 0;
  for (int i = 0; i < n; ++i) {
    if (s->state[i] == NSDS_ROW_UNKNOWN) s->list[k++] = i;
    s->z[i] = s->state[i] == NSDS_ROW_LOWER   ? s->lower[i]
              : s->state[i] == NSDS_ROW_UPPER ? s->upper[i]
                                              : 0.0;
  }
  for (int r = 0; r < k; ++r) s->b[r] = -s->own.q[s->list[r]];
  for (int j = 0; j < n; ++j)
    if (s->z[j] != 0.0)
      for (int r = 0; r < k; ++r) s->b[r] -= s->own.M[s->list[r] + (ptrdiff_t)j * n] * s->z[j];
  for (int c = 0; c < k; ++c)
    for (int r = 0; r < k; ++r)
      s->a[r + (ptrdiff_t)c * k] = s->own.M[s->list[r] + (ptrdiff_t)s->list[c] * n];
  s->unknowns = k;
}

double nsds_basis_w(const nsds_basis *s, int i, double *size) {
  double w = s->own.q[i];
  *size = fabs(w);
  for (int j = 0; j < s->n; ++j) {
    double t = s->own.M[i + (ptrdiff_t)j * s->n] * s->z[j];
    w += t;
    *size += fabs(t);
  }
  return w;
}

/*
 * ---- a regular basis ----
 *
 * A basis is solved by LU with two steps of iterative refinement (Higham, Accuracy and Stability,
 * 12), and more while equations do not hold. The last step shows rounding: an entry that changes by
 * a good part of itself has no digits and is set to zero. Otherwise it would be the only term in
 * rows whose other terms vanish.
 *
 * A system may look singular only because rows and columns have units far apart. The system is then
 * factored again in units that follow from its own entries, so that the user's units do not matter.
 */

static void basis_correct(nsds_basis *s, int k) {
  double *d = s->correction;
  memcpy(d, s->b, (size_t)k * sizeof *d);
  for (int j = 0; j < k; ++j)
    if (s->x[j] != 0.0)
      for (int i = 0; i < k; ++i) d[i] -= s->a[i + (ptrdiff_t)j * k] * s->x[j];
  if (nsds_first_nonfinite(d, k) >= 0) memset(d, 0, (size_t)k * sizeof *d);
  nsds_factor_solve(s->factor, 1, d);
  for (int i = 0; i < k; ++i) s->x[i] = isfinite(s->x[i] + d[i]) ? s->x[i] + d[i] : 0.0;
}

/* Returns true if each equation holds up to rounding of its terms. */
static bool equations_hold(const nsds_basis *s, int k) {
  for (int i = 0; i < k; ++i) {
    double rest = s->b[i], size = fabs(rest);
    for (int j = 0; j < k; ++j) {
      double t = s->a[i + (ptrdiff_t)j * k] * s->x[j];
      rest -= t;
      size += fabs(t);
    }
    if (!(fabs(rest) <= refined * size) || isinf(size)) return false;
  }
  return true;
}

/* Solves with the factors and refines. s->settled says that the equations hold. */
static void solve_refined(nsds_basis *s, int k) {
  enum { corrections = 3, most_corrections = 12 }; /* the solution counts as the first correction */
  s->settled = k == 0;
  memset(s->x, 0, (size_t)k * sizeof *s->x);
  for (int step = 1; step <= most_corrections && !s->settled; ++step) {
    basis_correct(s, k);
    if (step < corrections) continue;
    for (int i = 0; i < k; ++i)
      if (fabs(s->correction[i]) > no_digits * fabs(s->x[i])) s->x[i] = 0.0;
    s->settled = equations_hold(s, k);
  }
}

/* Scales the system so that no entry much exceeds 1; false if singular. */
static bool balance_system(nsds_basis *s, int k) {
  int most = INT_MIN;
  if (!nsds_transversal(k, s->a, s->row_power, s->column_power, s->matching_work, s->matching))
    return false;
  for (int j = 0; j < k; ++j)
    for (int i = 0; i < k; ++i) {
      double *entry = &s->a[i + (ptrdiff_t)j * k];
      *entry = scalbn(*entry, s->row_power[i] + s->column_power[j]);
    }
  for (int i = 0, power; i < k; ++i) {
    if (s->b[i] == 0.0) continue;
    frexp(s->b[i], &power);
    if (power + s->row_power[i] > most) most = power + s->row_power[i];
  }
  for (int i = 0; i < k; ++i) {
    if (s->b[i] != 0.0) s->b[i] = scalbn(s->b[i], s->row_power[i] - most);
    if (most > INT_MIN) s->column_power[i] += most;
  }
  return true;
}

static nsds_status basis_factor_system(nsds_basis *s, int k, double *rcond) {
  nsds_status status = k == 0 ? NSDS_OK : nsds_factor_dense(s->factor, k, s->a);
  *rcond = status ? 0.0 : k == 0 ? 1.0 : nsds_factor_rcond(s->factor);
  if (status || *rcond > rank_tolerance * k) return status;
  *rcond = 0.0;
  return NSDS_ERROR_SINGULAR;
}

nsds_status nsds_basis_solve(nsds_basis *s, double *rcond) {
  basis_set_up(s);
  int k = s->unknowns;
  bool finite = nsds_first_nonfinite(s->b, k) < 0;
  s->settled = finite;
  nsds_status status = basis_factor_system(s, k, rcond);
  if (!status) solve_refined(s, k);
  bool good = !status && s->settled && *rcond > doubtful;
  bool balanced = !good && finite && (!status || status == NSDS_ERROR_SINGULAR);
  if (balanced) {
    s->settled = true;
    *rcond = 0.0;
    status = balance_system(s, k) ? basis_factor_system(s, k, rcond) : NSDS_ERROR_SINGULAR;
    if (!status) solve_refined(s, k);
  }
  if (!status && !s->settled && balanced && *rcond <= doubtful) {
    s->settled = true; /* found singular */
    *rcond = 0.0;
    status = NSDS_ERROR_SINGULAR;
  }
  if (status) return status;
  for (int r = 0; r < k; ++r)
    s->z[s->list[r]] = balanced ? scalbn(s->x[r], s->column_power[r]) : s->x[r];
  return *rcond > doubtful ? NSDS_OK : NSDS_ERROR_SINGULAR;
}

/*
 * ---- a singular basis ----
 *
 * The face of a singular basis is a polyhedron in the unknowns t = z_B / scale. A face without
 * interior may be empty by rounding alone. Only a clearly empty face counts as empty.
 */

/* Facets are moved by these parts of the size of their terms: as rounding does, and clearly. */
static const double by_rounding = 1e-12, clearly = 1e-6;

/* Adds sign (value + M_iB z_B) >= 0; `size` is that of the terms of the value. Returns false if
 * this clearly fails for every z_B. */
static bool basis_add_row(nsds_basis *s, int i, double sign, double value, double size) {
  double most = 0.0;
  for (int u = 0; u < s->unknowns; ++u) {
    double t = s->own.M[i + (ptrdiff_t)s->list[u] * s->n] * s->scale[u];
    s->G[s->facets + u * s->most] = sign * t;
    most = fmax(most, fabs(t));
  }
  s->g[s->facets] = most > 0.0 ? -sign * value : 0.0;
  s->constant[s->facets++] = size;
  return most > 0.0 || !(sign * value < -clearly * size);
}

/* Adds sign (t_u - bound / scale) >= 0. */
static void basis_add_bound(nsds_basis *s, int u, double sign, double bound) {
  if (!isfinite(bound)) return;
  for (int j = 0; j < s->unknowns; ++j) s->G[s->facets + j * s->most] = j == u ? sign : 0.0;
  s->g[s->facets] = sign * bound / s->scale[u];
  s->constant[s->facets] = fabs(s->g[s->facets]);
  ++s->facets;
}

/* Scales the unknowns so that column entries are at most about 1. */
static void find_scale(nsds_basis *s) {
  for (int u = 0; u < s->unknowns; ++u) {
    double most = 0.0;
    for (int i = 0; i < s->n; ++i)
      most = fmax(most, fabs(s->own.M[i + (ptrdiff_t)s->list[u] * s->n]) / s->d[i]);
    s->scale[u] = most > 0.0 ? nsds_inverse_power(most, 1) : 1.0;
  }
}

/* Collects the face, the rows w_B = 0 first. Returns false if a row without unknowns clearly
 * fails. */
static bool basis_collect(nsds_basis *s) {
  bool possible = true;
  double size, w;
  s->facets = 0;
  s->most = s->n + s->bounds;
  for (int u = 0; u < s->unknowns; ++u) s->z[s->list[u]] = 0.0;
  find_scale(s);
  for (int u = 0; u < s->unknowns && possible; ++u) {
    w = nsds_basis_w(s, s->list[u], &size);
    possible = basis_add_row(s, s->list[u], w > 0.0 ? -1.0 : 1.0, w, size);
  }
  for (int u = 0; u < s->unknowns; ++u) {
    basis_add_bound(s, u, 1.0, s->lower[s->list[u]]);
    basis_add_bound(s, u, -1.0, s->upper[s->list[u]]);
  }
  for (int i = 0; i < s->n && possible; ++i) {
    if (s->state[i] == NSDS_ROW_UNKNOWN || !(s->lower[i] < s->upper[i])) continue;
    w = nsds_basis_w(s, i, &size);
    possible = basis_add_row(s, i, s->state[i] == NSDS_ROW_LOWER ? 1.0 : -1.0, w, size);
  }
  return possible;
}

/* Moves the inequalities by this part of their terms at the point x. */
static void widen(nsds_basis *s, double part) {
  for (int f = s->unknowns; f < s->facets; ++f) {
    double size = s->constant[f];
    for (int u = 0; u < s->unknowns; ++u) size += fabs(s->G[f + u * s->most] * s->x[u]);
    s->g[f] -= part * size;
  }
}

/* Returns true if numbers overflow; nothing is known of the face then. */
static bool face_overflows(const nsds_basis *s) {
  for (int u = 0; u < s->unknowns; ++u)
    if (nsds_first_nonfinite(s->G + u * s->most, s->facets) >= 0) return true;
  return nsds_first_nonfinite(s->g, s->facets) >= 0 ||
         nsds_first_nonfinite(s->constant, s->facets) >= 0;
}

nsds_outcome nsds_basis_face(nsds_basis *s) {
  static const double widened[] = {0.0, by_rounding, clearly};
  nsds_outcome found = NSDS_NO_SOLUTION;
  bool met = basis_collect(s);
  if (face_overflows(s)) return NSDS_NOT_CONVERGED;
  const nsds_block face = {
      .set = NSDS_SET_POLYHEDRON, .size = s->unknowns, .nfacet = s->most, .H = s->G, .K = s->g};
  for (int f = s->facets; f < s->most; ++f) s->g[f] = -INFINITY;
  for (int k = 0; met && k < 3 && found == NSDS_NO_SOLUTION; ++k) {
    if (k > 0) widen(s, widened[k]);
    found = nsds_polyhedron_least(&face, s->unknowns, s->x, s->facet, s->work, &met);
    if (k == 2 && found == NSDS_SOLVED) found = NSDS_NOT_CONVERGED; /* nearly empty */
  }
  for (int u = 0; found == NSDS_SOLVED && u < s->unknowns; ++u)
    s->z[s->list[u]] = s->scale[u] * s->x[u];
  return found;
}

/* ---- its point ---- */

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
  for (int i = 0; i < s->n; ++i)
    z[i] = nsds_clip(s->z[i], s->lower[i], s->upper[i]) * s->own.column[i];
}
