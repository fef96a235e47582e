/*
 * Anderson acceleration (Anderson: J. ACM 12, 1965; Walker & Ni: SIAM J. Numer. Anal. 49, 2011,
 * type II): with differences of the last residuals in the columns of dF, gamma = argmin ||f - dF
 * gamma||, the next point is g - dG gamma. The least squares problem is solved by Cholesky factors
 * of the Gram matrix, newest difference first, leaving out columns that depend on those before.
 */
#include "anderson.h"
#include "parallel.h"

enum { least_rows = 2048 }; /* of a part */

/* A residual larger than the last one by this factor ends the trust in the history. */
static const double growth = 3.0;

/* Columns that keep less than this part of their squared length are left out. */
static const double dependent = 1e-12;

nsds_status nsds_anderson_reserve(nsds_anderson *t, nsds_context *context, int n, int ny,
                                  int memory) {
  size_t rows = (size_t)n, extra = (size_t)ny, columns = (size_t)memory;
  size_t count = columns > 0 ? (2 * rows + extra) * (columns + 1) : 0;
  if (count > t->capacity) {
    nsds_status status = nsds_grow(context, &t->storage, &t->capacity, count, sizeof(double));
    if (status) return status;
  }
  t->context = context;
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

void nsds_anderson_release(nsds_anderson *t, nsds_context *context) {
  nsds_release(context, t->storage);
}

void nsds_anderson_restart(nsds_anderson *t) {
  t->count = t->next = 0;
  t->has_last = false;
}

NSDS_CLONES static double dot(const double *restrict a, const double *restrict b, int n) {
  double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
  int i = 0;
  for (; i + 3 < n; i += 4) {
    s0 += a[i] * b[i];
    s1 += a[i + 1] * b[i + 1];
    s2 += a[i + 2] * b[i + 2];
    s3 += a[i + 3] * b[i + 3];
  }
  for (; i < n; ++i) s0 += a[i] * b[i];
  return (s0 + s1) + (s2 + s3);
}

NSDS_CLONES static void subtract(double *restrict y, double factor, const double *restrict x,
                                 int n) {
  for (int i = 0; i < n; ++i) y[i] -= factor * x[i];
}

static double *column(double *x, int rows, int k) { return x + (size_t)rows * (size_t)k; }

/* ---- by parts of the rows ---- */

/* Columns times a vector, one after the other. */
typedef struct products {
  const nsds_anderson *anderson;
  int count, place[nsds_anderson_most]; /* columns of df */
  const double *x;
  double sum[nsds_most_parts][nsds_anderson_most];
} products;

static void multiply_part(void *self, int part, int parts) {
  products *p = self;
  const nsds_anderson *t = p->anderson;
  int begin = nsds_part_begin(t->n, part, parts), end = nsds_part_begin(t->n, part + 1, parts);
  for (int k = 0; k < p->count; ++k)
    p->sum[part][k] = dot(column(t->df, t->n, p->place[k]) + begin, p->x + begin, end - begin);
}

/* `place` and `count` are the caller's. */
static void multiply(const nsds_anderson *t, products *p, const double *x, double *result) {
  p->anderson = t;
  p->x = x;
  int parts = nsds_parts(t->n, least_rows);
  nsds_share_out(t->context, parts, multiply_part, p);
  for (int k = 0; k < p->count; ++k) {
    result[k] = 0.0;
    for (int part = 0; part < parts; ++part) result[k] += p->sum[part][k];
  }
}

/* A step from x to g with y. */
typedef struct taken {
  nsds_anderson *anderson;
  const double *weight, *x;
  double *g, *y;
  const double *gamma;            /* once known */
  double square[nsds_most_parts]; /* of f, by parts */
} taken;

static void measure_part(void *self, int part, int parts) {
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
static double measure(taken *s) {
  int parts = nsds_parts(s->anderson->n, least_rows);
  double square = 0.0;
  nsds_share_out(s->anderson->context, parts, measure_part, s);
  for (int part = 0; part < parts; ++part) square += s->square[part];
  return sqrt(square);
}

/* The differences from the last step go to place `next`, where there was one; this one is kept. */
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
    subtract(s->g + begin, s->gamma[k], column(t->dg, t->n, k) + begin, end - begin);
    subtract(s->y + from, s->gamma[k], column(t->dy, t->ny, k) + from, to - from);
  }
}

/* ---- the method ---- */

/* The newest difference, at place `next`, over the oldest where all are taken. */
static void push(nsds_anderson *t) {
  int k = t->next;
  double product[nsds_anderson_most];
  if (t->count < t->memory) ++t->count;
  t->next = (k + 1) % t->memory;
  products p; /* large, and all that is read is written first */
  p.count = t->count;
  for (int j = 0; j < t->count; ++j) p.place[j] = j;
  multiply(t, &p, column(t->df, t->n, k), product);
  for (int j = 0; j < t->count; ++j)
    t->gram[j + k * nsds_anderson_most] = t->gram[k + j * nsds_anderson_most] = product[j];
}

/* gamma by Cholesky factors, columns in the order newest to oldest; 0 for those left out. */
static void least_squares(const nsds_anderson *t, double *gamma) {
  enum { most = nsds_anderson_most };
  double L[most * most], c[most];
  products p;
  int *place = p.place, kept = 0;
  for (int age = 0; age < t->count; ++age) {
    int k = (t->next - 1 - age + 2 * t->memory) % t->memory;
    double pivot = t->gram[k + k * most];
    double *row = L + kept * most;
    gamma[k] = 0.0;
    for (int j = 0; j < kept; ++j) {
      double sum = t->gram[k + place[j] * most];
      for (int i = 0; i < j; ++i) sum -= row[i] * L[i + j * most];
      row[j] = sum / L[j + j * most];
      pivot -= row[j] * row[j];
    }
    if (!(pivot > dependent * t->gram[k + k * most])) continue;
    row[kept] = sqrt(pivot);
    place[kept++] = k;
  }
  p.count = kept;
  multiply(t, &p, t->f, c);
  for (int j = 0; j < kept; ++j) {
    for (int i = 0; i < j; ++i) c[j] -= L[i + j * most] * c[i];
    c[j] /= L[j + j * most];
  }
  for (int j = kept - 1; j >= 0; --j) {
    for (int i = j + 1; i < kept; ++i) c[j] -= L[j + i * most] * c[i];
    c[j] /= L[j + j * most];
    gamma[place[j]] = c[j];
  }
}

bool nsds_anderson_step(nsds_anderson *t, const double *weight, const double *x, double *g,
                        double *y) {
  double gamma[nsds_anderson_most];
  taken step = {.anderson = t, .weight = weight, .x = x, .g = g, .y = y, .gamma = gamma};
  int parts = nsds_parts(t->n, least_rows);
  double norm = measure(&step);
  if (t->count > 0 && !(norm <= growth * t->last_norm)) {
    nsds_copy_shared(t->context, g, t->g, t->n);
    nsds_copy_shared(t->context, y, t->y, t->ny);
    nsds_anderson_restart(t);
    return false;
  }
  nsds_share_out(t->context, parts, keep_part, &step);
  if (t->has_last) push(t);
  t->has_last = true;
  t->last_norm = norm;
  if (t->count == 0) return false;
  least_squares(t, gamma);
  nsds_share_out(t->context, parts, combine_part, &step);
  return true;
}
