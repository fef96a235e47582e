/* Presolve of a convex quadratic programme, see trim.h. */
#include "numerics/programme/trim.h"

#include "base/base.h"
#include "numerics/sets/bounds.h"

enum { most_passes = 8, most_compared = 32 /* rows of one hash value */ };

static const double noise = 1e-13; /* of sums, relative to their terms */
static const double alike = 1e-14; /* of entries of duplicate rows, relative */

nsds_status nsds_trim_reserve(nsds_trim *t, nsds_store *store, int n) {
  const nsds_cut cut[] = {NSDS_CUT(t->q, n),      NSDS_CUT(t->size, n),  NSDS_CUT(t->lower, n),
                          NSDS_CUT(t->upper, n),  NSDS_CUT(t->left, n),  NSDS_CUT(t->waits, n),
                          NSDS_CUT(t->degree, n), NSDS_CUT(t->queue, n), NSDS_CUT(t->next, n),
                          NSDS_CUT(t->head, n),   NSDS_CUT(t->record, n)};
  return NSDS_HOLD(store, cut);
}

/* ---- rows ---- */

static double trim_diagonal(const nsds_trim *t, int row) {
  const nsds_programme_rows *m = t->rows;
  for (int k = m->p[row]; k < m->p[row + 1] && m->i[k] <= row; ++k)
    if (m->i[k] == row) return m->x[k];
  return 0.0;
}

/* Returns true if entry k of the column of `row` counts: off the diagonal, of a row that is there. */
static bool trim_counts(const nsds_trim *t, int row, int k) {
  int i = t->rows->i[k];
  return i != row && !t->left[i] && t->rows->x[k] != 0.0;
}

/* Returns true if no entry of the row is symmetric. */
static bool trim_flat(const nsds_trim *t, int row) {
  const nsds_programme_rows *m = t->rows;
  for (int k = m->p[row]; k < m->p[row + 1]; ++k)
    if (m->x[k] != 0.0 && !t->left[m->i[k]] && m->sign[m->i[k]] == m->sign[row]) return false;
  return true;
}

static void trim_call(nsds_trim *t, int row) {
  if (t->waits[row] || t->left[row]) return;
  t->waits[row] = true;
  t->queue[(t->first + t->waiting++) % t->rows->n] = row;
}

static nsds_trim_record *trim_leave(nsds_trim *t, nsds_trim_rule rule, int row, int other) {
  const nsds_programme_rows *m = t->rows;
  nsds_trim_record *r = &t->record[t->count++];
  *r = (nsds_trim_record){rule, row, other, .lower = t->lower[row], .upper = t->upper[row]};
  t->left[row] = true;
  for (int k = m->p[row]; k < m->p[row + 1]; ++k)
    if (trim_counts(t, row, k)) {
      --t->degree[m->i[k]];
      trim_call(t, m->i[k]);
    }
  return r;
}

/* Adds M z of one row to q of the others. */
static void trim_add(nsds_trim *t, int row, double z) {
  const nsds_programme_rows *m = t->rows;
  for (int k = m->p[row]; z != 0.0 && k < m->p[row + 1]; ++k) {
    if (!trim_counts(t, row, k)) continue;
    t->q[m->i[k]] += m->x[k] * z;
    t->size[m->i[k]] += fabs(m->x[k] * z);
  }
}

static void trim_fix(nsds_trim *t, int row, double z) {
  trim_add(t, row, z);
  trim_leave(t, NSDS_TRIM_FIXED, row, row)->value = z;
}

/* ---- the rules ---- */

static bool trim_empty(nsds_trim *t, int row) {
  double d = trim_diagonal(t, row), q = t->q[row], l = t->lower[row], u = t->upper[row];
  if (fabs(q) <= noise * t->size[row]) q = 0.0;
  double z = q == 0.0 ? nsds_clip(0.0, l, u) : d > 0.0 ? nsds_clip(-q / d, l, u) : q > 0.0 ? l : u;
  if (!isfinite(z)) return false;
  trim_fix(t, row, z);
  return true;
}

/* Bounds z_j from below or above; false if that contradicts its other bound. */
static bool trim_bound(nsds_trim *t, int j, double v, double size, bool below) {
  double *own = below ? &t->lower[j] : &t->upper[j], other = below ? t->upper[j] : t->lower[j];
  if (below ? v <= *own : v >= *own) return true;
  *own = v;
  if (below ? v <= other : v >= other) return true;
  if (fabs(v - other) > noise * (size + fabs(other))) return false;
  *own = other;
  return true;
}

/* Turns a singleton row into a bound of its partner. Both bounds finite would bend the law. */
static bool trim_singleton(nsds_trim *t, int row, int j, double a) {
  double l = t->lower[row], u = t->upper[row], v = -t->q[row] / a, size = t->size[row] / fabs(a);
  bool down = l == -INFINITY, up = u == INFINITY;
  if (fabs(t->q[row]) <= noise * t->size[row]) v = 0.0;
  double base = down ? (up ? 0.0 : u) : l;
  double other_lower = t->lower[j], other_upper = t->upper[j];
  bool fits = true;
  if (up) fits = trim_bound(t, j, v, size, a > 0.0);
  if (down) fits = fits && trim_bound(t, j, v, size, a < 0.0);
  if (!fits) return false;
  trim_add(t, row, base);
  nsds_trim_record *r = trim_leave(t, NSDS_TRIM_SINGLETON, row, j);
  r->factor = a;
  r->value = base;
  bool below = (a > 0.0) == up;
  r->bound = below ? t->lower[j] : t->upper[j];
  r->bears = (up && down) || r->bound != (below ? other_lower : other_upper);
  r->other_lower = other_lower;
  r->other_upper = other_upper;
  trim_call(t, j);
  return true;
}

/* Looks at one row; false if it contradicts. */
static bool trim_look(nsds_trim *t, int row) {
  const nsds_programme_rows *m = t->rows;
  if (t->lower[row] == t->upper[row]) return trim_fix(t, row, t->lower[row]), true;
  if (t->degree[row] == 0) return trim_empty(t, row);
  bool bounded = t->lower[row] > -INFINITY && t->upper[row] < INFINITY;
  if (t->degree[row] != 1 || bounded || !trim_flat(t, row)) return true;
  for (int k = m->p[row]; k < m->p[row + 1]; ++k)
    if (trim_counts(t, row, k)) return trim_singleton(t, row, m->i[k], -m->x[k]);
  return true;
}

static bool trim_drain(nsds_trim *t) {
  while (t->waiting > 0) {
    int row = t->queue[t->first];
    t->first = (t->first + 1) % t->rows->n;
    --t->waiting;
    t->waits[row] = false;
    if (!t->left[row] && !trim_look(t, row)) return false;
  }
  return true;
}

/* ---- duplicates ---- */

/* Returns the factor a with M_row = a M_other; 0: there is none. */
static double trim_factor(const nsds_trim *t, int row, int other) {
  const nsds_programme_rows *m = t->rows;
  int a = m->p[row], b = m->p[other];
  double factor = 0.0;
  for (;; ++a, ++b) {
    while (a < m->p[row + 1] && !trim_counts(t, row, a)) ++a;
    while (b < m->p[other + 1] && !trim_counts(t, other, b)) ++b;
    if (a == m->p[row + 1] || b == m->p[other + 1])
      return a == m->p[row + 1] && b == m->p[other + 1] ? factor : 0.0;
    if (m->i[a] != m->i[b]) return 0.0;
    if (factor == 0.0) factor = m->x[a] / m->x[b];
    if (!(fabs(m->x[a] - factor * m->x[b]) <= alike * fabs(m->x[a]))) return 0.0;
  }
}

/* Returns the row of the two that is at a bound because q differs by `rest`, and the bound; -1: not
 * known. */
static int trim_outdone(const nsds_trim *t, int row, int other, double factor, double rest,
                        double *z) {
  const double *l = t->lower, *u = t->upper;
  bool free_row = l[row] == -INFINITY && u[row] == INFINITY;
  bool free_other = l[other] == -INFINITY && u[other] == INFINITY;
  double w_other = -rest / factor; /* of `other` if that of `row` vanishes */
  if (free_other || (factor > 0.0 && rest > 0.0 && u[other] == INFINITY) ||
      (factor > 0.0 && rest < 0.0 && l[other] == -INFINITY) ||
      (factor < 0.0 && rest > 0.0 && l[other] == -INFINITY) ||
      (factor < 0.0 && rest < 0.0 && u[other] == INFINITY))
    return *z = rest > 0.0 ? l[row] : u[row], row;
  if (free_row ||
      (w_other > 0.0 && (factor > 0.0 ? u : l)[row] == (factor > 0.0 ? 1 : -1) * INFINITY) ||
      (w_other < 0.0 && (factor > 0.0 ? l : u)[row] == (factor > 0.0 ? -1 : 1) * INFINITY))
    return *z = w_other > 0.0 ? l[other] : u[other], other;
  return -1;
}

/* Joins a duplicate row to the other one; false if they contradict each other. */
static bool trim_join(nsds_trim *t, int row, int other, double factor) {
  double rest = t->q[row] - factor * t->q[other], z = 0.0;
  double terms = t->size[row] + fabs(factor) * t->size[other];
  if (fabs(rest) > noise * terms) {
    int outdone = trim_outdone(t, row, other, factor, rest, &z);
    if (outdone >= 0 && isfinite(z)) trim_fix(t, outdone, z);
    return outdone < 0 || isfinite(z);
  }
  double l = factor > 0.0 ? t->lower[row] : t->upper[row];
  double u = factor > 0.0 ? t->upper[row] : t->lower[row];
  nsds_trim_record *r = trim_leave(t, NSDS_TRIM_DUPLICATE, row, other);
  r->factor = factor;
  r->other_lower = t->lower[other];
  r->other_upper = t->upper[other];
  t->lower[other] += factor * l;
  t->upper[other] += factor * u;
  trim_call(t, other);
  return true;
}

static unsigned trim_hash(const nsds_trim *t, int row) {
  const nsds_programme_rows *m = t->rows;
  uint64_t hash = 0;
  for (int k = m->p[row]; k < m->p[row + 1]; ++k)
    if (trim_counts(t, row, k)) hash = (hash ^ (uint64_t)m->i[k]) * 0x9e3779b97f4a7c15u;
  return (unsigned)((hash >> 32) % (uint64_t)m->n);
}

/* Compares flat rows of the same places; false if some contradict each other. */
static bool trim_duplicates(nsds_trim *t) {
  int n = t->rows->n;
  for (int h = 0; h < n; ++h) t->head[h] = -1;
  for (int row = 0; row < n; ++row) {
    if (t->left[row] || t->degree[row] < 2 || !trim_flat(t, row)) continue;
    unsigned h = trim_hash(t, row);
    for (int k = t->head[h], tries = 0; k >= 0 && tries < most_compared; k = t->next[k], ++tries) {
      if (t->left[k] || t->degree[k] != t->degree[row]) continue;
      double factor = trim_factor(t, row, k);
      if (factor == 0.0) continue;
      if (!trim_join(t, row, k, factor)) return false;
      if (t->left[row]) break;
    }
    t->next[row] = t->head[h];
    t->head[h] = row;
  }
  return true;
}

bool nsds_trim_run(nsds_trim *t, const nsds_programme_rows *rows) {
  t->rows = rows;
  t->count = t->first = t->waiting = 0;
  for (int i = 0; i < rows->n; ++i) {
    t->q[i] = rows->q[i];
    t->size[i] = fabs(rows->q[i]);
    t->lower[i] = rows->lower[i];
    t->upper[i] = rows->upper[i];
    t->left[i] = t->waits[i] = false;
  }
  for (int i = 0; i < rows->n; ++i) {
    t->degree[i] = 0;
    for (int k = rows->p[i]; k < rows->p[i + 1]; ++k) t->degree[i] += trim_counts(t, i, k);
    trim_call(t, i);
  }
  for (int pass = 0; pass < most_passes; ++pass) {
    int before = t->count;
    if (!trim_drain(t) || !trim_duplicates(t)) return false;
    if (t->waiting == 0 && t->count == before) break;
  }
  return trim_drain(t);
}

/* ---- the way back ---- */

/* Returns w of a row from z of all rows; *size is that of its terms. */
static double trim_w(const nsds_trim *t, int row, const double *z, double *size) {
  const nsds_programme_rows *m = t->rows;
  double w = m->q[row];
  *size = fabs(w);
  for (int k = m->p[row]; k < m->p[row + 1]; ++k) {
    double x = m->x[k] * z[m->i[k]];
    w += m->sign[m->i[k]] == m->sign[row] ? x : -x;
    *size += fabs(x);
  }
  return w;
}

/* Gives the row what its bound bears: w of the partner, as far as the partner's own bounds do not. */
static void trim_bear(const nsds_trim *t, const nsds_trim_record *r, double *z) {
  double a = r->factor, at = z[r->other], size, w;
  bool unbound = r->upper == INFINITY && r->lower == -INFINITY;
  if (!r->bears) return;
  w = trim_w(t, r->other, z, &size);
  if (!unbound && !(w > 0.0 ? at > r->other_lower : at < r->other_upper)) return;
  if (at != r->bound && fabs(w) <= noise * size) return;
  z[r->row] = nsds_clip(r->value + w / a, r->lower, r->upper);
}

static void trim_split(const nsds_trim_record *r, double *z) {
  double a = r->factor, sum = z[r->other];
  double l = a > 0.0 ? r->lower : r->upper, u = a > 0.0 ? r->upper : r->lower;
  if (sum == r->other_lower + a * l) {
    z[r->other] = r->other_lower;
    z[r->row] = l;
  } else if (sum == r->other_upper + a * u) {
    z[r->other] = r->other_upper;
    z[r->row] = u;
  } else {
    double least = nsds_clip(0.0, r->lower, r->upper);
    z[r->other] = nsds_clip(sum - a * least, r->other_lower, r->other_upper);
    z[r->row] = z[r->other] == sum - a * least
                    ? least
                    : nsds_clip((sum - z[r->other]) / a, r->lower, r->upper);
  }
}

void nsds_trim_back(const nsds_trim *t, double *z) {
  for (int k = 0; k < t->count; ++k) {
    const nsds_trim_record *r = &t->record[k];
    z[r->row] = r->rule == NSDS_TRIM_DUPLICATE ? 0.0 : r->value;
  }
  for (int k = t->count - 1; k >= 0; --k) {
    const nsds_trim_record *r = &t->record[k];
    if (r->rule == NSDS_TRIM_SINGLETON) trim_bear(t, r, z);
    if (r->rule == NSDS_TRIM_DUPLICATE) trim_split(r, z);
  }
}
