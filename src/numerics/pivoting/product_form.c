/* Basis matrices under exchanges of columns, see product_form.h. */
#include "product_form.h"
#include "solver_internal.h"

/* Exchanges until B is factored anew, as rounding gathers in them; of dense ones as many as cost no
 * more than the factors. */
enum { few_exchanges = 64 };

static int most_exchanges(const nsds_product_form *f) {
  return f->dense && f->n > few_exchanges ? f->n : few_exchanges;
}

/* Entries of the exchanges over those of B, and per row, that take about the time of a sparse
 * factorisation. */
enum { long_entries = 2, long_rows = 16 };

nsds_status nsds_product_form_reserve(nsds_product_form *f, nsds_context *context, int n,
                                      bool dense) {
  size_t m = (size_t)n;
  nsds_status status;
  f->n = n;
  f->dense = dense;
  if (!f->factor && !(f->factor = nsds_factor_create(context))) return NSDS_ERROR_MEMORY;
  if (!f->next && !(f->next = nsds_factor_create(context))) return NSDS_ERROR_MEMORY;
  size_t most = (size_t)most_exchanges(f);
  if ((status = nsds_sparse_columns_reserve(context, &f->eta, most, most * m))) return status;
  if (dense) {
    if ((status = NSDS_ENSURE(context, f->full, f->full_capacity, m * m)) ||
        (status = nsds_factor_reserve_dense(f->factor, n)))
      return status;
    return nsds_factor_reserve_dense(f->next, n);
  }
  status = nsds_factor_reserve_csc(f->factor, n);
  return status ? status : nsds_factor_reserve_csc(f->next, n);
}

void nsds_product_form_start(nsds_product_form *f) {
  f->identity = true;
  f->eta.count = f->attempt = 0;
}

static void fill(nsds_product_form *f, const nsds_sparse_columns *all, const int *basic) {
  size_t n = (size_t)f->n;
  memset(f->full, 0, n * n * sizeof *f->full);
  for (size_t r = 0; r < n; ++r)
    for (int e = all->first[basic[r]]; e < all->first[basic[r] + 1]; ++e)
      f->full[(size_t)all->i[e] + r * n] = all->a[e];
}

static nsds_status collect(nsds_product_form *f, nsds_context *context,
                           const nsds_sparse_columns *all, const int *basic) {
  nsds_sparse_columns *B = &f->B;
  B->count = 0;
  for (int r = 0; r < f->n; ++r) {
    int first = all->first[basic[r]], count = all->first[basic[r] + 1] - first;
    nsds_status status = nsds_sparse_columns_open(context, B, count);
    if (status) return status;
    for (int e = 0; e < count; ++e)
      nsds_sparse_columns_add(B, all->i[first + e], all->a[first + e]);
  }
  return NSDS_OK;
}

nsds_status nsds_product_form_factor(nsds_product_form *f, nsds_context *context,
                                     const nsds_sparse_columns *all, const int *basic) {
  nsds_factor *fresh = f->next;
  nsds_status status = f->dense ? NSDS_OK : collect(f, context, all, basic);
  if (status) return status;
  if (f->dense) fill(f, all, basic);
  f->attempt = f->eta.count;
  status = f->dense ? nsds_factor_dense(fresh, f->n, f->full)
                    : nsds_factor_csc(fresh, f->n, f->B.first, f->B.i, f->B.a, ++f->pattern);
  if (status) return status;
  f->next = f->factor;
  f->factor = fresh;
  f->identity = false;
  f->eta.count = f->attempt = 0;
  return NSDS_OK;
}

void nsds_product_form_solve(const nsds_product_form *f, double *v) {
  const nsds_sparse_columns *eta = &f->eta;
  if (!f->identity) nsds_factor_solve(f->factor, 1, v);
  for (int k = 0; k < eta->count; ++k) {
    int first = eta->first[k], r = eta->i[first];
    if (v[r] == 0.0) continue;
    v[r] /= eta->a[first];
    for (int e = first + 1; e < eta->first[k + 1]; ++e) v[eta->i[e]] -= eta->a[e] * v[r];
  }
}

nsds_status nsds_product_form_exchange(nsds_product_form *f, nsds_context *context, int r,
                                       const double *alpha) {
  nsds_status status = nsds_sparse_columns_open(context, &f->eta, f->n);
  if (status) return status;
  nsds_sparse_columns_add(&f->eta, r, alpha[r]);
  for (int i = 0; i < f->n; ++i)
    if (i != r && alpha[i] != 0.0) nsds_sparse_columns_add(&f->eta, i, alpha[i]);
  return NSDS_OK;
}

bool nsds_product_form_is_long(const nsds_product_form *f) {
  const nsds_sparse_columns *eta = &f->eta;
  if (eta->count == f->attempt + most_exchanges(f)) return true;
  if (f->dense || f->attempt > 0 || eta->count == 0) return false;
  int entries = f->identity ? f->n : f->B.first[f->n];
  return eta->first[eta->count] > long_entries * entries + long_rows * f->n;
}

void nsds_product_form_release(nsds_product_form *f, nsds_context *context) {
  nsds_factor_destroy(f->factor);
  nsds_factor_destroy(f->next);
  nsds_sparse_columns_release(context, &f->B);
  nsds_sparse_columns_release(context, &f->eta);
  nsds_release(context, f->full);
}
