/* Basis matrices under exchanges of columns, see product_form.h. */
#include "numerics/pivoting/product_form.h"

#include "base/base.h"
#include "numerics/linear/factor.h"
#include "numerics/linear/factor_dense.h"
#include "numerics/store.h"

/* ---- columns ---- */

nsds_status nsds_sparse_columns_reserve(nsds_store *store, nsds_sparse_columns *c, size_t count,
                                        size_t entries) {
  nsds_status status = NSDS_HOLD_ONE(store, c->first, count + 1);
  if (!status) status = NSDS_HOLD_ONE(store, c->i, entries);
  return status ? status : NSDS_HOLD_ONE(store, c->a, entries);
}

nsds_status nsds_sparse_columns_open(nsds_store *store, nsds_sparse_columns *c, int room) {
  size_t used = c->count > 0 ? (size_t)c->first[c->count] : 0, needed = used + (size_t)room;
  if (needed > INT32_MAX) return NSDS_ERROR_MEMORY;
  nsds_status status = nsds_sparse_columns_reserve(store, c, (size_t)c->count + 1, needed);
  if (status) return status;
  c->first[c->count] = c->first[c->count + 1] = (int)used;
  ++c->count;
  return NSDS_OK;
}

/* ---- factors and exchanges ---- */

/* Number of exchanges until B is factored anew, as rounding grows with them. A dense B allows as
 * many as cost no more than its factors. */
enum { few_exchanges = 64 };

static int most_exchanges(const nsds_product_form *f) {
  return f->dense && f->n > few_exchanges ? f->n : few_exchanges;
}

/* Entries of the exchanges, relative to B and per row, that take about the time of a sparse
 * factorization. */
enum { long_entries = 2, long_rows = 16 };

nsds_status nsds_product_form_reserve(nsds_product_form *f, nsds_store *store, int n, bool dense) {
  size_t m = (size_t)n;
  f->n = n;
  f->dense = dense;
  size_t most = (size_t)most_exchanges(f);
  nsds_status (*reserve)(nsds_factor *, int) =
      dense ? nsds_factor_reserve_dense : nsds_factor_reserve_csc;
  nsds_status status = nsds_sparse_columns_reserve(store, &f->eta, most, most * m);
  if (!status && dense) status = nsds_sparse_columns_reserve(store, &f->B, m, m * m);
  if (!status) status = nsds_factor_hold(store, &f->factor);
  if (!status) status = nsds_factor_hold(store, &f->next);
  if (!status) status = reserve(f->factor, n);
  return status ? status : reserve(f->next, n);
}

void nsds_product_form_start(nsds_product_form *f) {
  f->identity = true;
  f->eta.count = f->attempt = 0;
}

static nsds_status product_form_collect(nsds_product_form *f, nsds_store *store,
                                        const nsds_sparse_columns *all, const int *basic) {
  f->B.count = 0;
  for (int r = 0; r < f->n; ++r) {
    int first = all->first[basic[r]], count = all->first[basic[r] + 1] - first;
    nsds_status status = nsds_sparse_columns_open(store, &f->B, count);
    if (status) return status;
    for (int e = 0; e < count; ++e)
      nsds_sparse_columns_add(&f->B, all->i[first + e], all->a[first + e]);
  }
  return NSDS_OK;
}

nsds_status nsds_product_form_factor(nsds_product_form *f, nsds_store *store,
                                     const nsds_sparse_columns *all, const int *basic) {
  nsds_factor *fresh = f->next;
  const nsds_sparse_columns *B = &f->B;
  nsds_status status = product_form_collect(f, store, all, basic);
  if (status) return status;
  f->attempt = f->eta.count;
  status = nsds_factor_columns(fresh, f->dense, false, f->n, B->first, B->i, B->a, ++f->pattern);
  if (status) return status;
  f->next = f->factor;
  f->factor = fresh;
  f->identity = false;
  f->eta.count = f->attempt = 0;
  return NSDS_OK;
}

NSDS_CLONES static void product_form_subtract(int n, double t, const double *restrict a,
                                              double *restrict v) {
  for (int i = 0; i < n; ++i) v[i] -= t * a[i];
}

void nsds_product_form_solve(const nsds_product_form *f, double *v) {
  const nsds_sparse_columns *eta = &f->eta;
  if (!f->identity) nsds_factor_solve(f->factor, 1, v);
  for (int k = 0; k < eta->count; ++k) {
    int first = eta->first[k], r = eta->i[first], count = eta->first[k + 1] - first;
    const double *a = eta->a + first;
    if (v[r] == 0.0) continue;
    double t = v[r] /= a[count == f->n ? r : 0];
    if (count == f->n) product_form_subtract(f->n, t, a, v);
    for (int e = 1; e < count && count < f->n; ++e) v[eta->i[first + e]] -= a[e] * t;
    v[r] = t;
  }
}

nsds_status nsds_product_form_exchange(nsds_product_form *f, nsds_store *store, int r,
                                       const double *alpha) {
  nsds_status status = nsds_sparse_columns_open(store, &f->eta, f->n);
  if (status) return status;
  enum { sparse = 2 }; /* if one entry in two is not zero, all are stored */
  int count = 0;
  for (int i = 0; i < f->n; ++i) count += alpha[i] != 0.0;
  bool full = sparse * count >= f->n;
  nsds_sparse_columns_add(&f->eta, r, alpha[full ? 0 : r]);
  for (int i = full; i < f->n; ++i)
    if (full || (i != r && alpha[i] != 0.0)) nsds_sparse_columns_add(&f->eta, i, alpha[i]);
  return NSDS_OK;
}

bool nsds_product_form_is_long(const nsds_product_form *f) {
  const nsds_sparse_columns *eta = &f->eta;
  if (eta->count == f->attempt + most_exchanges(f)) return true;
  if (f->dense || f->attempt > 0 || eta->count == 0) return false;
  int entries = f->identity ? f->n : f->B.first[f->n];
  return eta->first[eta->count] > long_entries * entries + long_rows * f->n;
}
