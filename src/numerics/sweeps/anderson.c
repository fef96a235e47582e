/*
 * Anderson acceleration (Anderson: J. ACM 12, 1965; Walker & Ni: SIAM J. Numer. Anal. 49, 2011,
 * type II). The columns of dF are differences of the last residuals. With gamma = argmin ||f - dF
 * gamma|| the next point is g - dG gamma. Cholesky factors of the Gram matrix solve the least
 * squares problem, newest difference first. Columns that depend on those before are left out.
 */
#include "numerics/sweeps/anderson.h"

#include "base/base.h"
#include "base/parallel.h"
#include "numerics/store.h"

enum { least_rows = 2048 }; /* of a part */

/* A residual larger than the last one by this factor ends the trust in the history. */
static const double growth = 3.0;

/* Columns are left out if they keep less than this part of their squared length. */
static const double dependent = 1e-12;

nsds_status nsds_anderson_reserve(nsds_anderson *t, nsds_store *store, int n, int ny, int memory) {
  size_t rows = (size_t)n, extra = (size_t)ny, columns = (size_t)memory;
  size_t count = columns > 0 ? (2 * rows + extra) * (columns + 1) : 0;
  nsds_status status = NSDS_HOLD_ONE(store, t->storage, count);
  if (status) return status;
  t->context = store->context;
  t->n = n;
  t->ny = ny;
  t->memory = memory;
  t->f = t->storage;
  t->g = t->f + rows;
  t->y = t->g + rows;
  t->df = t->y + extra;
  t->dg = t->df + rows * columns;
  t->dy = t->dg + rows * columns;
  nsds_anderson_restart(t);
  return NSDS_OK;
}

void nsds_anderson_restart(nsds_anderson *t) {
  t->count = t->next = 0;
  t->has_last = false;
}

/* a' b and a' c */
NSDS_CLONES static void dot_both(const double *restrict a, const double *restrict b,
                                 const double *restrict c, int n, double *ab, double *ac) {
  double u[4] = {0.0}, v[4] = {0.0};
  int i = 0;
#if defined(__GNUC__)
  nsds_four sum_u = {0.0}, sum_v = {0.0};
  for (; i + 3 < n; i += 4) {
    nsds_four x = *(const nsds_four *)(a + i);
    sum_u += x * *(const nsds_four *)(b + i);
    sum_v += x * *(const nsds_four *)(c + i);
  }
  memcpy(u, &sum_u, sizeof u);
  memcpy(v, &sum_v, sizeof v);
#endif
  for (; i < n; ++i) {
    u[0] += a[i] * b[i];
    v[0] += a[i] * c[i];
  }
  *ab = (u[0] + u[1]) + (u[2] + u[3]);
  *ac = (v[0] + v[1]) + (v[2] + v[3]);
}

NSDS_CLONES static void anderson_subtract(double *restrict y, double factor,
                                          const double *restrict x, int n) {
  for (int i = 0; i < n; ++i) y[i] -= factor * x[i];
}

static double *column(double *x, int rows, int k) { return x + (size_t)rows * (size_t)k; }

/* ---- by parts of the rows ---- */

/* The products of all differences with the difference at place `newest` and with f. */
typedef struct products {
  const nsds_anderson *anderson;
  int newest;
  double gram[nsds_most_parts][nsds_anderson_most], f[nsds_most_parts][nsds_anderson_most];
} products;

static void multiply_part(void *self, int part, int parts) {
  products *p = self;
  const nsds_anderson *t = p->anderson;
  int begin = nsds_part_begin(t->n, part, parts), end = nsds_part_begin(t->n, part + 1, parts);
  const double *newest = column(t->df, t->n, p->newest) + begin;
  for (int k = 0; k < t->count; ++k)
    dot_both(column(t->df, t->n, k) + begin, newest, t->f + begin, end - begin, &p->gram[part][k],
             &p->f[part][k]);
}

/* A step from x to g with y. */
typedef struct taken {
  nsds_anderson *anderson;
  const double *weight, *x;
  double *g, *y;
  const double *gamma;            /* once known */
  double square[nsds_most_parts]; /* of f, by parts */
} taken;

static void anderson_measure_part(void *self, int part, int parts) {
  taken *s = self;
  int n = s->anderson->n, end = nsds_part_begin(n, part + 1, parts);
  double square = 0.0;
  for (int i = nsds_part_begin(n, part, parts); i < end; ++i) {
    double f = s->weight[i] * (s->g[i] - s->x[i]);
    square += f * f;
  }
  s->square[part] = square;
}

/* || f || */
static double anderson_measure(taken *s) {
  int parts = nsds_parts(s->anderson->n, least_rows);
  double square = 0.0;
  nsds_share_out(s->anderson->context, parts, anderson_measure_part, s);
  for (int part = 0; part < parts; ++part) square += s->square[part];
  return sqrt(square);
}

/* Stores the differences from the last step at place `next`, over the old ones, and keeps this
 * step. */
static void keep_part(void *self, int part, int parts) {
  const taken *s = self;
  nsds_anderson *t = s->anderson;
  int k = t->next, end = nsds_part_begin(t->n, part + 1, parts);
  double *df = column(t->df, t->n, k), *dg = column(t->dg, t->n, k), *dy = column(t->dy, t->ny, k);
  for (int i = nsds_part_begin(t->n, part, parts); i < end; ++i) {
    double f = s->weight[i] * (s->g[i] - s->x[i]);
    if (t->has_last) {
      df[i] = f - t->f[i];
      dg[i] = s->g[i] - t->g[i];
    }
    t->f[i] = f;
    t->g[i] = s->g[i];
  }
  end = nsds_part_begin(t->ny, part + 1, parts);
  for (int i = nsds_part_begin(t->ny, part, parts); i < end; ++i) {
    if (t->has_last) dy[i] = s->y[i] - t->y[i];
    t->y[i] = s->y[i];
  }
}

static void combine_part(void *self, int part, int parts) {
  const taken *s = self;
  const nsds_anderson *t = s->anderson;
  int begin = nsds_part_begin(t->n, part, parts), end = nsds_part_begin(t->n, part + 1, parts);
  int from = nsds_part_begin(t->ny, part, parts), to = nsds_part_begin(t->ny, part + 1, parts);
  for (int k = 0; k < t->count; ++k) {
    if (s->gamma[k] == 0.0) continue;
    anderson_subtract(s->g + begin, s->gamma[k], column(t->dg, t->n, k) + begin, end - begin);
    anderson_subtract(s->y + from, s->gamma[k], column(t->dy, t->ny, k) + from, to - from);
  }
}

/* ---- the method ---- */

/* Stores the newest difference at place `next`, over the oldest if all places are taken. Computes
 * the products of all differences with f. */
static void push(nsds_anderson *t, double *with_f) {
  enum { most = nsds_anderson_most };
  int newest = t->next, parts = nsds_parts(t->n, least_rows);
  if (t->count < t->memory) ++t->count;
  t->next = (newest + 1) % t->memory;
  products p; /* large, and all that is read is written first */
  p.anderson = t;
  p.newest = newest;
  nsds_share_out(t->context, parts, multiply_part, &p);
  for (int k = 0; k < t->count; ++k) {
    double product = 0.0;
    with_f[k] = 0.0;
    for (int part = 0; part < parts; ++part) {
      product += p.gram[part][k];
      with_f[k] += p.f[part][k];
    }
    t->gram[k + newest * most] = t->gram[newest + k * most] = product;
  }
}

/* Computes x -= factor y from `begin` to `end` - 1. Up to three more entries change on both sides,
 * where y is zero or nobody reads x. */
NSDS_INLINE void anderson_reduce(double *restrict x, double factor, const double *restrict y,
                                 int begin, int end) {
  for (int i = begin / 4 * 4; i < end; i += 4) {
#if defined(__GNUC__)
    *(nsds_four *)(x + i) -= factor * *(const nsds_four *)(y + i);
#else
    for (int k = i; k < i + 4; ++k) x[k] -= factor * y[k];
#endif
  }
}

/* Computes gamma by factors L D L^T. Columns go in the order newest to oldest. Columns that are
 * left out get 0. */
NSDS_CLONES static void least_squares(const nsds_anderson *t, const double *with_f, double *gamma) {
  enum { most = nsds_anderson_most };
  double A[most * most], inverse[most], c[most] = {0.0}, column[most] = {0.0};
  int place[most], n = t->count;
  for (int a = 0; a < n; ++a) {
    double *row = A + a * most;
    place[a] = (t->next - 1 - a + 2 * t->memory) % t->memory;
    for (int b = a / 4 * 4; b < a / 4 * 4 + 4; ++b) row[b] = 0.0;
    for (int b = 0; b <= a; ++b) row[b] = t->gram[place[a] * most + place[b]];
    c[a] = with_f[place[a]];
  }
  for (int j = 0; j < n; ++j) {
    double pivot = A[j * most + j];
    bool kept = pivot > dependent * t->gram[place[j] * (most + 1)];
    inverse[j] = kept ? 1.0 / pivot : 0.0;
    column[j] = 0.0;
    if (!kept) continue;
    for (int i = j + 1; i < n; ++i) column[i] = A[i * most + j];
    for (int i = j + 1; i < n; ++i)
      anderson_reduce(A + i * most, column[i] * inverse[j], column, j + 1, i + 1);
    anderson_reduce(c, c[j] * inverse[j], column, j + 1, n);
  }
  for (int i = n - 1; i >= 0; --i) {
    double x = gamma[place[i]] = c[i] * inverse[i];
    anderson_reduce(c, x, A + i * most, 0, i);
  }
}

bool nsds_anderson_step(nsds_anderson *t, const double *weight, const double *x, double *g,
                        double *y) {
  double gamma[nsds_anderson_most], with_f[nsds_anderson_most];
  taken step = {.anderson = t, .weight = weight, .x = x, .g = g, .y = y, .gamma = gamma};
  int parts = nsds_parts(t->n, least_rows);
  double norm = anderson_measure(&step);
  if (t->count > 0 && !(norm <= growth * t->last_norm)) {
    nsds_copy_shared(t->context, g, t->g, t->n);
    nsds_copy_shared(t->context, y, t->y, t->ny);
    nsds_anderson_restart(t);
    return false;
  }
  nsds_share_out(t->context, parts, keep_part, &step);
  bool first = !t->has_last;
  t->has_last = true;
  t->last_norm = norm;
  if (first) return false;
  push(t, with_f);
  least_squares(t, with_f, gamma);
  nsds_share_out(t->context, parts, combine_part, &step);
  return true;
}
