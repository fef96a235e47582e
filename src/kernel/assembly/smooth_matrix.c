/*
 * Linear relation between lambda and the first differentials of s in some of the rows,
 *   d s = b + A lambda,   A = H M^-1 H^T (first order: C M^-1 B),   degree 0: s = b + D lambda
 * (differentiated: T ds/dt, T D = 0),
 * and at an impact between impulses and changes of dy/dt.
 */
#include "smooth.h"

#include "orthogonal.h"

/* A of n rows, and its factors. */
static nsds_status reserve_matrix(nsds_smooth *s, int rows) {
  nsds_context *context = s->plan->context;
  size_t n = (size_t)rows;
  nsds_status status = nsds_grow(context, &s->A, &s->A_capacity, 2 * n * n, sizeof *s->A);
  if (!status) status = nsds_factor_reserve_dense(s->factor, rows);
  if (!status)
    status = nsds_grow(context, &s->shares, &s->shares_capacity, n * (n + 4), sizeof *s->shares);
  return status;
}

/* Matrices of all rows of interactions; of contacts found, most of which are open, as they close. */
nsds_status nsds_smooth_reserve(nsds_smooth *s) {
  nsds_context *context = s->plan->context;
  size_t n = (size_t)s->nrow;
  int plain = 0;
  for (int c = 0; c < s->plan->ninteraction; ++c) plain += s->plan->contact[c].m;
  nsds_status status = nsds_grow(context, &s->chosen, &s->chosen_capacity, n, sizeof *s->chosen);
  if (!status) status = nsds_grow(context, &s->closed, &s->closed_capacity, n, sizeof *s->closed);
  if (!status) status = nsds_grow(context, &s->b, &s->b_capacity, 4 * n, sizeof *s->b);
  if (!status) status = nsds_grow(context, &s->block, &s->block_capacity, n, sizeof *s->block);
  if (!status) status = nsds_grow(context, &s->bounds, &s->bounds_capacity, 2 * n, sizeof *s->b);
  if (!status) status = reserve_matrix(s, plain);
  if (!status) status = nsds_grow(context, &s->order, &s->order_capacity, n, sizeof *s->order);
  s->terms = s->b + n;
  s->z = s->terms + n;
  s->w = s->z + n;
  return status;
}

void nsds_smooth_push(const nsds_smooth *s, const nsds_row *row, double x, double *v) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  const nsds_entry *entry = &s->carrier.entry[row->contact];
  for (int e = 0; e < contact->nds; ++e) {
    const nsds_edge *edge = &entry->edge[e];
    const double *Y = edge->Y + (size_t)row->i * (size_t)edge->size;
    for (int k = 0; k < edge->size; ++k) v[edge->column + k] += Y[k] * x;
  }
}

void nsds_smooth_load(const nsds_smooth *s, const nsds_row *row, double x, double *v) {
  nsds_smooth_push(s, row, x, v);
  for (const nsds_row *t = row + 1, *end = t + row->tangents; t < end; ++t)
    if (t->mode == NSDS_MODE_SLIDING) nsds_smooth_push(s, t, -row->mu * t->direction * x, v);
}

/* sum over common systems of H_r Y_q */
static double product(const nsds_smooth *s, const nsds_row *r, const nsds_row *q) {
  const nsds_contact *cr = &s->plan->contact[r->contact], *cq = &s->plan->contact[q->contact];
  const nsds_entry *er = &s->carrier.entry[r->contact], *eq = &s->carrier.entry[q->contact];
  double sum = 0.0;
  for (int a = 0; a < cr->nds; ++a)
    for (int b = 0; b < cq->nds; ++b) {
      const nsds_edge *h = &er->edge[a], *y = &eq->edge[b];
      if (h->column != y->column) continue;
      const double *Y = y->Y + (size_t)q->i * (size_t)y->size;
      for (int k = 0; k < h->size; ++k) sum += h->H[r->i + (size_t)k * (size_t)cr->m] * Y[k];
    }
  return sum;
}

double nsds_smooth_product(const nsds_smooth *s, const nsds_row *r, const nsds_row *q) {
  double sum = product(s, r, q);
  for (const nsds_row *t = q + 1, *end = t + q->tangents; t < end; ++t)
    if (t->mode == NSDS_MODE_SLIDING) sum -= q->mu * t->direction * product(s, r, t);
  return sum;
}

static double feedthrough(const nsds_smooth *s, const nsds_row *r, const nsds_row *q) {
  const nsds_entry *entry = &s->carrier.entry[r->contact];
  if (r->contact != q->contact) return 0.0;
  return entry->D[r->i + (size_t)q->i * (size_t)s->plan->contact[r->contact].m];
}

/* |e| and |C_rk x_k|, which y without lambda is the sum of. */
static double sum_of_places(const nsds_smooth *s, const nsds_row *row) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  const nsds_entry *entry = &s->carrier.entry[row->contact];
  double sum = contact->affine ? fabs(contact->shift[row->i]) : 0.0;
  for (int e = 0; e < contact->nds; ++e) {
    const nsds_edge *edge = &entry->edge[e];
    const double *x = s->plan->trial.v + edge->column;
    for (int k = 0; k < edge->size; ++k)
      sum += fabs(edge->H[row->i + (size_t)k * (size_t)contact->m] * x[k]);
  }
  return sum;
}

/* H_r a + bias, and the sum of the sizes of its terms; of degree 0 y, and of its terms. */
static void constant_part(const nsds_smooth *s, const nsds_row *row, double *b, double *terms) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  const nsds_entry *entry = &s->carrier.entry[row->contact];
  *b = row->bias;
  *terms = fabs(row->bias);
  if (row->degree == 0) {
    const nsds_row *first = row - row->i;
    *terms = fmax(*terms, sum_of_places(s, row));
    for (int j = 0; j < contact->m; ++j) {
      bool open = first[j].mode != NSDS_MODE_CLOSED;
      double term = open ? feedthrough(s, row, &first[j]) * first[j].lambda : 0.0;
      *b += term;
      *terms += fabs(term);
    }
    return;
  }
  for (int e = 0; e < contact->nds; ++e) {
    const nsds_edge *edge = &entry->edge[e];
    for (int k = 0; k < edge->size; ++k) {
      double term = edge->H[row->i + (size_t)k * (size_t)contact->m] * s->rate[edge->column + k];
      *b += term;
      *terms += fabs(term);
    }
  }
}

void nsds_smooth_rate_part(const nsds_smooth *s, const nsds_row *row, double *b, double *terms) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  const nsds_entry *entry = &s->carrier.entry[row->contact];
  *b = *terms = 0.0;
  for (int e = 0; e < contact->nds; ++e)
    for (int k = 0; k < entry->edge[e].size; ++k) {
      double term = entry->edge[e].H[row->i + (size_t)k * (size_t)contact->m] *
                    s->rate[entry->edge[e].column + k];
      *b += term;
      *terms += fabs(term);
    }
}

/* A differentiated row: the weighted sum over its contact. */
static double weighted_product(const nsds_smooth *s, const nsds_row *r, const nsds_row *q) {
  int m = s->plan->contact[r->contact].m;
  const double *weight = s->weight + r->weights + r->i;
  double sum = 0.0;
  for (int j = 0; j < m; ++j)
    if (weight[j * m] != 0.0) sum += weight[j * m] * nsds_smooth_product(s, r - r->i + j, q);
  return sum;
}

static void weighted_part(const nsds_smooth *s, const nsds_row *r, double *b, double *terms) {
  int m = s->plan->contact[r->contact].m;
  const double *weight = s->weight + r->weights + r->i;
  *b = *terms = 0.0;
  for (int j = 0; j < m; ++j) {
    double term, size;
    if (weight[j * m] == 0.0) continue;
    nsds_smooth_rate_part(s, r - r->i + j, &term, &size);
    *b += weight[j * m] * term;
    *terms += fabs(weight[j * m]) * size;
  }
}

static double entry_of(const nsds_smooth *s, const nsds_row *r, const nsds_row *q) {
  if (r->degree > 0) return nsds_smooth_product(s, r, q);
  return r->differentiated ? weighted_product(s, r, q) : feedthrough(s, r, q);
}

double nsds_smooth_acceleration(const nsds_smooth *s, const nsds_row *row) {
  double b, size;
  constant_part(s, row, &b, &size);
  return b;
}

nsds_status nsds_smooth_matrix(nsds_smooth *s, bool impact) {
  int n = s->n;
  bool keep = s->factored && s->constant && !impact;
  nsds_status status = s->follows ? reserve_matrix(s, n) : NSDS_OK;
  if (status) return status;
  for (int j = 0; j < n && !keep; ++j)
    for (int i = 0; i < n; ++i) {
      const nsds_row *r = &s->row[s->chosen[i]], *q = &s->row[s->chosen[j]];
      s->A[i + (size_t)j * (size_t)n] = impact ? product(s, r, q) : entry_of(s, r, q);
    }
  for (int i = 0; i < n && !impact; ++i) {
    const nsds_row *row = &s->row[s->chosen[i]];
    if (row->differentiated) weighted_part(s, row, &s->b[i], &s->terms[i]);
    else constant_part(s, row, &s->b[i], &s->terms[i]);
  }
  return NSDS_OK;
}

nsds_status nsds_smooth_factor(nsds_smooth *s, double least) {
  size_t n = (size_t)s->n;
  double *C = s->shares, *scale = C + n * n;
  if (!s->shared) return nsds_factor_dense(s->factor, s->n, s->A);
  for (size_t k = 0; k < n; ++k) scale[k] = nsds_inverse_power(s->A[k + k * n], 2);
  for (size_t j = 0; j < n; ++j)
    for (size_t i = 0; i < n; ++i) {
      C[i + j * n] = scale[i] * s->A[i + j * n] * scale[j];
      if (!isfinite(C[i + j * n])) return NSDS_ERROR_SINGULAR;
    }
  s->rank = nsds_orthogonal_factor(s->n, C, least, s->order, scale + n);
  return NSDS_OK;
}

void nsds_smooth_solve(nsds_smooth *s) {
  size_t n = (size_t)s->n;
  double *scale = s->shares + n * n;
  if (!s->shared) {
    nsds_factor_solve(s->factor, 1, s->z);
    return;
  }
  for (size_t k = 0; k < n; ++k) s->z[k] *= scale[k];
  nsds_orthogonal_solve(s->n, s->shares, s->rank, s->order, scale + n, s->z);
  for (size_t k = 0; k < n; ++k) s->z[k] *= scale[k];
}
