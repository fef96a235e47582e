/*
 * Smoothed aggregation, see aggregation.h. Let b be a vector that A hardly sees. N has one column
 * for each aggregate: its rows, scaled by b. F is the part of A between strongly tied rows, with a
 * diagonal such that F b = A b. Then
 *
 *     P = (I - omega D^-1 F) N,     omega = 4/3 / |D^-1 F|
 *
 * The vector b is D^-1/2 1 after a few sweeps on A b = 0, so that nothing depends on units. The
 * cycle has one sweep of Gauss and Seidel forwards before the coarse correction, and one backwards
 * after it.
 */
#include "numerics/linear/aggregation.h"

#include "base/base.h"
#include "numerics/store.h"

enum {
  coarsest_rows = 64,  /* levels up to this are not coarsened further */
  coarsest_sweeps = 8, /* sweeps on such a level; a larger last level has one */
  near_sweeps = 3,     /* sweeps on A b = 0 */
};

static const double strength = 0.08; /* |a_ij| over the root of diagonals; halved on each level */
static const double stalls = 0.8;    /* above this ratio of rows coarsening is not worth its cost */

/* ---- sweeps ---- */

static inline double row_times(const nsds_level_matrix *A, int i, const double *z) {
  double sum = 0.0;
  for (int k = A->p[i]; k < A->p[i + 1]; ++k) sum += A->x[k] * z[A->i[k]];
  return sum;
}

static void sweep_forwards(const nsds_aggregate_level *l, const double *r, double *z) {
  for (int i = 0; i < l->A.n; ++i) z[i] += l->inverse[i] * (r[i] - row_times(&l->A, i, z));
}

static void sweep_backwards(const nsds_aggregate_level *l, const double *r, double *z) {
  for (int i = l->A.n - 1; i >= 0; --i) z[i] += l->inverse[i] * (r[i] - row_times(&l->A, i, z));
}

/* Does the first sweep, from z = 0; each row sees earlier rows alone. */
static void sweep_from_zero(const nsds_aggregate_level *l, const double *r, double *z) {
  const nsds_level_matrix *A = &l->A;
  for (int i = 0; i < A->n; ++i) {
    double sum = r[i];
    for (int k = A->p[i]; k < A->p[i + 1]; ++k)
      if (A->i[k] < i) sum -= A->x[k] * z[A->i[k]];
    z[i] = l->inverse[i] * sum;
  }
}

/* ---- aggregates ---- */

static bool tied(const nsds_aggregate_level *l, double least, int i, int k) {
  int j = l->A.i[k];
  double x = l->A.x[k];
  return i != j && x * x * l->inverse[i] * l->inverse[j] > least * least;
}

/* Joins row i and tied rows without aggregate into one; false if there are none. */
static bool gather_around(nsds_aggregate_level *l, double least, int i, int aggregate) {
  bool any = false;
  for (int k = l->A.p[i]; k < l->A.p[i + 1]; ++k)
    if (tied(l, least, i, k) && l->of[l->A.i[k]] == -1) {
      l->of[l->A.i[k]] = aggregate;
      any = true;
    }
  if (any) l->of[i] = aggregate;
  return any;
}

static bool stands_free(const nsds_aggregate_level *l, double least, int i) {
  for (int k = l->A.p[i]; k < l->A.p[i + 1]; ++k)
    if (tied(l, least, i, k) && l->of[l->A.i[k]] != -1) return false;
  return l->of[i] == -1;
}

/* Forms aggregates of whole neighborhoods first. Remaining rows join one of these, or each
 * other. */
static int find_aggregates(nsds_aggregate_level *l, double least, int *joined) {
  int n = l->A.n, count = 0;
  for (int i = 0; i < n; ++i) l->of[i] = -1;
  for (int i = 0; i < n; ++i)
    if (stands_free(l, least, i)) count += gather_around(l, least, i, count);
  for (int i = 0; i < n; ++i) {
    joined[i] = l->of[i];
    for (int k = l->A.p[i]; joined[i] == -1 && k < l->A.p[i + 1]; ++k)
      if (tied(l, least, i, k)) joined[i] = l->of[l->A.i[k]];
  }
  for (int i = 0; i < n; ++i) l->of[i] = joined[i];
  for (int i = 0; i < n; ++i)
    if (l->of[i] == -1) count += gather_around(l, least, i, count);
  return count;
}

/* ---- prolongation ---- */

static void find_near(nsds_aggregate_level *l, double *zero) {
  int n = l->A.n;
  for (int i = 0; i < n; ++i) l->near[i] = sqrt(l->inverse[i]);
  nsds_zero_doubles(zero, (size_t)n);
  for (int k = 0; k < near_sweeps; ++k) {
    sweep_forwards(l, zero, l->near);
    sweep_backwards(l, zero, l->near);
  }
  for (int i = 0; i < n; ++i) {
    double least = 1e-3 * sqrt(l->inverse[i]);
    if (!(l->near[i] > least)) l->near[i] = least; /* happens if A is no M-matrix */
  }
}

/* Computes the diagonal of F; returns a bound of |D^-1 F| in the units of b. */
static double measure_strong(const nsds_aggregate_level *l, double least, double *diagonal) {
  static const double too_small = 0.5; /* below this part of A's diagonal, A's is used */
  double most = 1.0;
  for (int i = 0; i < l->A.n; ++i) {
    double strong = 0.0, weak = 0.0, own = 1.0 / l->inverse[i];
    for (int k = l->A.p[i]; k < l->A.p[i + 1]; ++k) {
      double part = l->A.x[k] * l->near[l->A.i[k]];
      if (tied(l, least, i, k)) strong += fabs(part);
      else if (l->A.i[k] != i) weak += part;
    }
    double d = own + weak / l->near[i];
    diagonal[i] = d > too_small * own ? d : own;
    most = fmax(most, 1.0 + strong / (l->near[i] * diagonal[i]));
  }
  return most;
}

/* Adds x to a column of a row whose entries begin at `start`. */
static void add_to_row(int *mark, int *index, double *value, int start, int *end, int column,
                       double x) {
  if (mark[column] < start) {
    mark[column] = *end;
    index[*end] = column;
    value[(*end)++] = 0.0;
  }
  value[mark[column]] += x;
}

static void smooth_rows(nsds_hierarchy *h, nsds_aggregate_level *l, double least,
                        const double *length) {
  double omega = 4.0 / 3.0 / measure_strong(l, least, h->sum);
  int end = 0;
  l->Pp[0] = 0;
  for (int i = 0; i < l->A.n; ++i) {
    double d = h->sum[i];
    int start = end;
    for (int k = l->A.p[i]; k < l->A.p[i + 1]; ++k) {
      int j = l->A.i[k], to = l->of[j];
      if (to < 0 || (i != j && !tied(l, least, i, k))) continue;
      double x = i == j ? 1.0 - omega : -omega * l->A.x[k] / d;
      add_to_row(h->mark, l->Pi, l->Px, start, &end, to, x * l->near[j] / length[to]);
    }
    l->Pp[i + 1] = end;
  }
}

static void transpose_rows(nsds_aggregate_level *l, int columns, int *next) {
  int n = l->A.n;
  for (int c = 0; c <= columns; ++c) l->Tp[c] = 0;
  for (int k = 0; k < l->Pp[n]; ++k) ++l->Tp[l->Pi[k] + 1];
  for (int c = 0; c < columns; ++c) {
    next[c] = l->Tp[c];
    l->Tp[c + 1] += l->Tp[c];
  }
  for (int i = 0; i < n; ++i)
    for (int k = l->Pp[i]; k < l->Pp[i + 1]; ++k) {
      int place = next[l->Pi[k]]++;
      l->Ti[place] = i;
      l->Tx[place] = l->Px[k];
    }
}

/* Makes P of level l and the near vector of the next level. */
static nsds_status make_prolongation(nsds_hierarchy *h, nsds_store *store, nsds_aggregate_level *l,
                                     double least, int count) {
  size_t n = (size_t)l->A.n, most = (size_t)l->A.p[n];
  const nsds_cut rows[] = {NSDS_CUT(l->Pp, n + 1), NSDS_CUT(l->Pi, most), NSDS_CUT(l->Px, most)};
  nsds_status status = NSDS_HOLD(store, rows);
  if (!status) status = NSDS_HOLD_ONE(store, l[1].near, count);
  if (status) return status;
  double *length = l[1].near;
  nsds_zero_doubles(length, (size_t)count);
  for (size_t i = 0; i < n; ++i)
    if (l->of[i] >= 0) length[l->of[i]] += l->near[i] * l->near[i];
  for (int c = 0; c < count; ++c) {
    length[c] = sqrt(length[c]);
    h->mark[c] = -1;
  }
  smooth_rows(h, l, least, length);
  size_t entries = (size_t)l->Pp[n];
  const nsds_cut columns[] = {NSDS_CUT(l->Tp, count + 1), NSDS_CUT(l->Ti, entries),
                              NSDS_CUT(l->Tx, entries)};
  status = NSDS_HOLD(store, columns);
  if (!status) transpose_rows(l, count, h->index);
  return status;
}

/* ---- the next matrix ---- */

/* Appends row c of P^T A P at *end. If x is NULL, entries are only counted. */
static void coarse_row(nsds_hierarchy *h, const nsds_aggregate_level *l, int c, int *i, double *x,
                       int *end) {
  int start = *end;
  for (int a = l->Tp[c]; a < l->Tp[c + 1]; ++a) {
    int row = l->Ti[a];
    for (int k = l->A.p[row]; k < l->A.p[row + 1]; ++k) {
      int j = l->A.i[k];
      double part = l->Tx[a] * l->A.x[k];
      for (int b = l->Pp[j]; b < l->Pp[j + 1]; ++b) {
        int column = l->Pi[b];
        if (x) add_to_row(h->mark, i, x, start, end, column, part * l->Px[b]);
        else if (h->mark[column] < c) h->mark[column] = c, ++*end;
      }
    }
  }
}

/* Makes the next matrix, unless it would have more entries than A, as on graphs without geometry
 * (*fuller). */
static nsds_status make_coarse(nsds_hierarchy *h, nsds_store *store, nsds_aggregate_level *l,
                               int count, bool *fuller) {
  nsds_aggregate_level *next = l + 1;
  int entries = 0;
  for (int c = 0; c < count; ++c) h->mark[c] = -1;
  for (int c = 0; c < count; ++c) coarse_row(h, l, c, NULL, NULL, &entries);
  *fuller = entries > l->A.p[l->A.n];
  if (*fuller) return NSDS_OK;
  const nsds_cut cut[] = {NSDS_CUT(next->p, count + 1), NSDS_CUT(next->i, entries),
                          NSDS_CUT(next->x, entries)};
  nsds_status status = NSDS_HOLD(store, cut);
  if (status) return status;
  for (int c = 0; c < count; ++c) h->mark[c] = -1;
  next->p[0] = entries = 0;
  for (int c = 0; c < count; ++c) {
    coarse_row(h, l, c, next->i, next->x, &entries);
    next->p[c + 1] = entries;
  }
  next->A = (nsds_level_matrix){count, next->p, next->i, next->x};
  return NSDS_OK;
}

/* ---- life ---- */

static nsds_status hold_level(nsds_store *store, nsds_aggregate_level *l, int n) {
  const nsds_cut cut[] = {NSDS_CUT(l->of, n), NSDS_CUT(l->inverse, n), NSDS_CUT(l->z, n),
                          NSDS_CUT(l->r, n)};
  return NSDS_HOLD(store, cut);
}

nsds_status nsds_hierarchy_reserve(nsds_hierarchy *h, nsds_store *store, int n) {
  const nsds_cut cut[] = {NSDS_CUT(h->mark, n), NSDS_CUT(h->index, n), NSDS_CUT(h->sum, n)};
  nsds_status status = NSDS_HOLD(store, cut);
  if (!status) status = NSDS_HOLD_ONE(store, h->level[0].near, n);
  return status ? status : hold_level(store, &h->level[0], n);
}

static void invert_level_diagonal(nsds_aggregate_level *l) {
  for (int i = 0; i < l->A.n; ++i)
    for (int k = l->A.p[i]; k < l->A.p[i + 1]; ++k)
      if (l->A.i[k] == i) l->inverse[i] = 1.0 / l->A.x[k];
}

nsds_status nsds_hierarchy_build(nsds_hierarchy *h, nsds_store *store, const nsds_level_matrix *A) {
  nsds_status status = nsds_hierarchy_reserve(h, store, A->n);
  h->level[0].A = *A;
  h->levels = 1;
  if (status) return status;
  invert_level_diagonal(&h->level[0]);
  find_near(&h->level[0], h->sum);
  double least = strength;
  bool fuller = false;
  while (!status && h->levels < nsds_most_levels) {
    nsds_aggregate_level *l = &h->level[h->levels - 1];
    if (l->A.n <= coarsest_rows) break;
    int count = find_aggregates(l, least, h->mark);
    if (count == 0 || count > stalls * l->A.n) break;
    status = make_prolongation(h, store, l, least, count);
    if (!status) status = make_coarse(h, store, l, count, &fuller);
    if (!status) status = hold_level(store, l + 1, count);
    if (status || fuller) break;
    invert_level_diagonal(l + 1);
    ++h->levels;
    least *= 0.5;
  }
  return status;
}

/* ---- cycle ---- */

void nsds_hierarchy_prolong(const nsds_hierarchy *h, int k, const double *xc, double *x) {
  const nsds_aggregate_level *l = &h->level[k];
  for (int i = 0; i < l->A.n; ++i) {
    double sum = 0.0;
    for (int a = l->Pp[i]; a < l->Pp[i + 1]; ++a) sum += l->Px[a] * xc[l->Pi[a]];
    x[i] = sum;
  }
}

void nsds_hierarchy_restrict(const nsds_hierarchy *h, int k, const double *x, double *xc) {
  const nsds_aggregate_level *l = &h->level[k];
  for (int c = 0; c < l[1].A.n; ++c) {
    double sum = 0.0;
    for (int a = l->Tp[c]; a < l->Tp[c + 1]; ++a) sum += l->Tx[a] * x[l->Ti[a]];
    xc[c] = sum;
  }
}

static void cycle_from(nsds_hierarchy *h, int k, const double *r, double *z) {
  nsds_aggregate_level *l = &h->level[k], *next = l + 1;
  int n = l->A.n;
  sweep_from_zero(l, r, z);
  if (k + 1 == h->levels) {
    int sweeps = n <= coarsest_rows ? coarsest_sweeps : 1;
    for (int s = 0; s < sweeps; ++s) {
      sweep_backwards(l, r, z);
      if (s + 1 < sweeps) sweep_forwards(l, r, z);
    }
    return;
  }
  double *rest = h->sum; /* free again before the next level needs it */
  for (int i = 0; i < n; ++i) rest[i] = r[i] - row_times(&l->A, i, z);
  nsds_hierarchy_restrict(h, k, rest, next->r);
  cycle_from(h, k + 1, next->r, next->z);
  nsds_hierarchy_prolong(h, k, next->z, rest);
  for (int i = 0; i < n; ++i) z[i] += rest[i];
  sweep_backwards(l, r, z);
}

void nsds_hierarchy_cycle(nsds_hierarchy *h, const double *r, double *z) { cycle_from(h, 0, r, z); }
