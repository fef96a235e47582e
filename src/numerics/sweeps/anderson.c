/*
 * Anderson acceleration (Anderson: J. ACM 12, 1965; Walker & Ni: SIAM J. Numer. Anal. 49, 2011,
 * type II): with differences of the last residuals in the columns of dF, gamma = argmin ||f - dF
 * gamma||, the next point is g - dG gamma. The least squares problem is solved by Cholesky factors
 * of the Gram matrix, newest difference first, leaving out columns that depend on those before.
 */
#include "anderson.h"

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

/* The newest difference goes to place `next`, over the oldest where all are taken. */
static void push(nsds_anderson *t, const double *weight, const double *x, const double *g,
                 const double *y) {
  int k = t->next;
  double *df = column(t->df, t->n, k), *dg = column(t->dg, t->n, k), *dy = column(t->dy, t->ny, k);
  for (int i = 0; i < t->n; ++i) {
    df[i] = weight[i] * (g[i] - x[i]) - t->f[i];
    dg[i] = g[i] - t->g[i];
  }
  for (int i = 0; i < t->ny; ++i) dy[i] = y[i] - t->y[i];
  if (t->count < t->memory) ++t->count;
  t->next = (k + 1) % t->memory;
  for (int j = 0; j < t->count; ++j)
    t->gram[j + k * nsds_anderson_most] = t->gram[k + j * nsds_anderson_most] =
        dot(column(t->df, t->n, j), df, t->n);
}

/* gamma by Cholesky factors, columns in the order newest to oldest; 0 for those left out. */
static void least_squares(const nsds_anderson *t, double *gamma) {
  enum { most = nsds_anderson_most };
  double L[most * most], c[most];
  int place[most], kept = 0;
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
  for (int j = 0; j < kept; ++j) {
    c[j] = dot(column(t->df, t->n, place[j]), t->f, t->n);
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
  double gamma[nsds_anderson_most], square = 0.0;
  for (int i = 0; i < t->n; ++i) {
    double f = weight[i] * (g[i] - x[i]);
    square += f * f;
  }
  double norm = sqrt(square);
  if (t->count > 0 && !(norm <= growth * t->last_norm)) {
    memcpy(g, t->g, (size_t)t->n * sizeof *g);
    memcpy(y, t->y, (size_t)t->ny * sizeof *y);
    nsds_anderson_restart(t);
    return false;
  }
  if (t->has_last) push(t, weight, x, g, y);
  for (int i = 0; i < t->n; ++i) t->f[i] = weight[i] * (g[i] - x[i]);
  memcpy(t->g, g, (size_t)t->n * sizeof *g);
  memcpy(t->y, y, (size_t)t->ny * sizeof *y);
  t->has_last = true;
  t->last_norm = norm;
  if (t->count == 0) return false;
  least_squares(t, gamma);
  for (int k = 0; k < t->count; ++k) {
    if (gamma[k] == 0.0) continue;
    subtract(g, gamma[k], column(t->dg, t->n, k), t->n);
    subtract(y, gamma[k], column(t->dy, t->ny, k), t->ny);
  }
  return true;
}
