/* The linear systems of an active set, see active_system.h. */
#include "numerics/newton/active_system.h"

#include "numerics/linear/factor.h"
#include "numerics/linear/factor_dense.h"
#include "numerics/linear/matrix.h"

void nsds_active_multiply(const nsds_active_system *t, const double *z, double *w) {
  nsds_problem view = {.n = t->M.n, .M = t->M, .q = t->q};
  nsds_problem_multiply(&view, z, w, NULL);
  for (int i = 0; t->weight > 0.0 && i < t->M.n; ++i) w[i] += t->weight * t->d[i] * z[i];
}

/* Adds |M| |z| of a dense M. Takes four columns at once where it can. */
static NSDS_CLONES void add_magnitudes(int n, const double *restrict x, const double *restrict z,
                                       double *restrict scale) {
  for (int j = 0; j < n;) {
    const double *restrict a = x + (size_t)j * (size_t)n;
    double size = fabs(z[j]), s1 = 0.0, s2 = 0.0, s3 = 0.0;
    if (j + 4 <= n) s1 = fabs(z[j + 1]), s2 = fabs(z[j + 2]), s3 = fabs(z[j + 3]);
    if (size > 0.0 && s1 > 0.0 && s2 > 0.0 && s3 > 0.0) {
      const double *restrict b = a + n, *restrict c = b + n, *restrict d = c + n;
      for (int i = 0; i < n; ++i)
        scale[i] = (((scale[i] + fabs(a[i]) * size) + fabs(b[i]) * s1) + fabs(c[i]) * s2) +
                   fabs(d[i]) * s3;
      j += 4;
      continue;
    }
    for (int i = 0; size > 0.0 && i < n; ++i) scale[i] += fabs(a[i]) * size;
    ++j;
  }
}

void nsds_active_scale(const nsds_active_system *t, const double *z, double *scale) {
  int n = t->M.n;
  for (int i = 0; i < n; ++i) scale[i] = fabs(t->q[i]);
  if (t->M.storage == NSDS_DENSE) {
    add_magnitudes(n, t->M.x, z, scale);
    return;
  }
  for (int j = 0; j < n; ++j) {
    nsds_column c = nsds_matrix_column(&t->M, j);
    double size = fabs(z[j]);
    for (int k = 0; size > 0.0 && k < c.count; ++k)
      scale[nsds_column_row(c, k)] += fabs(c.x[k]) * size;
  }
}

void nsds_active_need_diagonal(nsds_active_system *t) {
  if (t->has_d) return;
  for (int j = 0; j < t->M.n; ++j) {
    nsds_column c = nsds_matrix_column(&t->M, j);
    double most = 0.0;
    t->d[j] = fabs(c.x[t->csc ? t->csc->diagonal[j] - t->csc->p[j] : j]);
    for (int k = 0; t->d[j] == 0.0 && k < c.count; ++k) most = fmax(most, fabs(c.x[k]));
    if (t->d[j] == 0.0) t->d[j] = most > 0.0 ? most : 1.0;
  }
  t->has_d = true;
}

static bool factor_is_kept(const nsds_active_system *t) {
  return t->kept.stamp != 0 && t->kept.stamp == t->problem->M.stamp && t->kept.n == t->M.n &&
         t->kept.weight == t->weight && memcmp(t->kept.set, t->active, (size_t)t->M.n) == 0;
}

static nsds_status factor_dense(nsds_active_system *t) {
  size_t n = (size_t)t->M.n;
  int k = 0;
  for (int i = 0; i < t->M.n; ++i)
    if (t->active[i]) t->index[k++] = i;
  if (k == t->M.n && t->weight == 0.0) return nsds_factor_dense(t->factor, k, t->M.x);
  double *a = t->system;
  for (int j = 0; j < k; ++j) {
    const double *column = t->M.x + (size_t)t->index[j] * n;
    for (int i = 0; i < k; ++i) *a++ = column[t->index[i]];
    if (t->weight > 0.0) a[j - k] += t->weight * t->d[t->index[j]];
  }
  return nsds_factor_dense(t->factor, k, t->system);
}

static nsds_status factor_csc(nsds_active_system *t) {
  const nsds_csc_form *f = t->csc;
  for (int j = 0; j < t->M.n; ++j) {
    for (int k = f->p[j]; k < f->p[j + 1]; ++k)
      t->system[k] = t->active[j] && t->active[f->i[k]] ? f->x[k] : 0.0;
    if (!t->active[j]) t->system[f->diagonal[j]] = 1.0;
    else t->system[f->diagonal[j]] += t->weight * t->d[j];
  }
  return nsds_factor_csc(t->factor, t->M.n, f->p, f->i, t->system, f->pattern);
}

/* Limit of the reciprocal condition. Below it M hardly sees a part of z, the forces that redundant
 * contacts put on each other. This part is rounding alone and may have any size. */
static const double digits = 1e-13;

/* Returns FNV-1a by words of 8 bytes, of `count` entries in these rows; NULL: of a dense matrix. */
static uint64_t active_checksum_of(size_t n, size_t count, const double *x, const int *row) {
  uint64_t sum = UINT64_C(14695981039346656037) + n, bits;
  for (size_t k = 0; k < count; ++k) {
    memcpy(&bits, &x[k], sizeof bits);
    sum = (sum ^ bits ^ (row ? (uint64_t)row[k] : 0)) * UINT64_C(1099511628211);
  }
  return sum;
}

uint64_t nsds_active_checksum(const nsds_active_system *t) {
  size_t n = (size_t)t->M.n;
  return t->csc ? active_checksum_of(n, (size_t)t->csc->p[n], t->csc->x, t->csc->i)
                : active_checksum_of(n, n * n, t->M.x, NULL);
}

uint64_t nsds_active_kept_sum(nsds_active_system *t) {
  size_t n = (size_t)t->kept.n;
  if (!t->kept.summed) nsds_active_keep_sum(t, active_checksum_of(n, n * n, t->kept.copy, NULL));
  return t->kept.sum;
}

/* Keeps M for its checksum. Only archives need that. A matrix that is new in each step is rather
 * copied. */
static void keep_matrix(nsds_active_system *t) {
  size_t n = (size_t)t->M.n;
  t->kept.summed = false;
  if (t->csc || t->M.n > nsds_small_rows) nsds_active_keep_sum(t, nsds_active_checksum(t));
  else nsds_copy_doubles(t->kept.copy, t->M.x, n * n);
}

nsds_status nsds_active_factor(nsds_active_system *t) {
  if (factor_is_kept(t) && !t->kept.unfactored) return NSDS_OK;
  if (t->M.n > nsds_small_rows && t->kept.stamp != t->problem->M.stamp)
    nsds_factor_renew_pivots(t->factor); /* bits do not depend on matrices before */
  t->kept.stamp = 0;
  t->kept.unfactored = false;
  ++t->info->factorizations;
  nsds_active_need_diagonal(t);
  nsds_status status = t->csc ? factor_csc(t) : factor_dense(t);
  if (status) return status;
  if (t->weight == 0.0 && nsds_factor_rcond(t->factor) < digits) return NSDS_ERROR_SINGULAR;
  memcpy(t->kept.set, t->active, (size_t)t->M.n);
  t->kept.size = 0;
  for (int i = 0; i < t->M.n; ++i) t->kept.size += t->active[i];
  t->kept.n = t->M.n;
  t->kept.stamp = t->problem->M.stamp;
  t->kept.weight = t->weight;
  keep_matrix(t);
  return NSDS_OK;
}

/* Computes the right-hand side for the rows of A: minus the part of w from the rows at their
 * bounds. Leaves the bounds in z and this part in w. */
static const double *bound_part(nsds_active_system *t) {
  int n = t->M.n;
  if (!t->boxes) return t->q;
  for (int i = 0; i < n; ++i) t->z[i] = t->active[i] ? 0.0 : t->up[i] ? t->upper[i] : t->lower[i];
  nsds_active_multiply(t, t->z, t->w);
  return t->w;
}

void nsds_active_solve(nsds_active_system *t) {
  const double *w = bound_part(t);
  int n = t->M.n;
  if (t->csc || t->kept.size == n) {
    for (int i = 0; i < n; ++i) t->z[i] = t->active[i] ? -w[i] : t->boxes ? t->z[i] : 0.0;
    nsds_factor_solve(t->factor, 1, t->z);
    return;
  }
  int k = 0;
  for (int i = 0; i < n; ++i)
    if (t->active[i]) {
      t->index[k] = i;
      t->system[k++] = -w[i];
    }
  nsds_factor_solve(t->factor, 1, t->system);
  for (int i = 0; !t->boxes && i < n; ++i) t->z[i] = 0.0;
  for (int i = 0; i < k; ++i) t->z[t->index[i]] = t->system[i];
}
