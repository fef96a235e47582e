/*
 * M dx/dt = A x + b(t) + r with a singular M of constant M and A. Elimination with pivots gives
 *
 *     T M = [I K; 0 0] C          C: the order of columns, x = (x1, x2) in this order
 *
 * Then u = x1 + K x2 is the state, and the last rows T2 of T are algebraic equations for x2:
 *
 *     x = (u, 0) + (-K x2, x2),   0 = T2 (A x + b + r)
 *     E x2 = -T2 (A (u, 0) + b + r),   E = T2 A (-K, I)
 *
 * The index is 1 if E is regular. With N = (-K, I) (-E^-1 T2) and R = (I + N A) (I, 0) follow
 *
 *     x     = X x' + N (b + r)                 X = R [I K] C, for any x' of the same M x'
 *     dx/dt = F (A x + b) + P r + N db/dt      F = R T1, P = F (I + A N), x without r
 *
 * If E is singular, w E = 0, then 0 = W (A x + b + r) with W = w T2 is a constraint of u alone, as of
 * capacitors in a loop. If b and r do not move it, W A dx/dt = 0 takes its place in M dx/dt = ... The
 * index was 2 then, if the rest has index 1. States that miss the constraint jump, see
 * events/state_jump.c.
 *
 * A nonlinear f is linearized at the last x with all inputs, A = df/dx and b = f - A x there. Events
 * repeat this with lambda, by Newton's method (soft_rows.c), at each evaluation.
 *
 * A step of implicit Euler, (M - h A) x+ = M x + h (b + r), needs no such parts, and takes fast
 * motion to the end.
 *
 * Source: Brenan, Campbell and Petzold (1996), ch. 2.
 */
#include "kernel/assembly/index_one.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/slot.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/shape_column.h"
#include "numerics/linear/factor.h"
#include "numerics/linear/factor_dense.h"
#include "numerics/linear/product.h"

static const double least_pivot = 1e-12; /* relative to the terms of its row */

/* A rectangular matrix by columns, with the size of the terms of each row. */
typedef struct index_one_table {
  int nrow, ncol;
  double *a, *size;
} index_one_table;

static double *index_one_entry(const index_one_table *t, int i, int j) {
  return &t->a[i + (ptrdiff_t)j * t->nrow];
}

static void find_sizes(const index_one_table *t, int ncol) {
  for (int i = 0; i < t->nrow; ++i) {
    t->size[i] = 0.0;
    for (int j = 0; j < ncol; ++j) nsds_raise(&t->size[i], fabs(*index_one_entry(t, i, j)));
  }
}

static void swap_rows(const index_one_table *t, int i, int k) {
  for (int j = 0; i != k && j < t->ncol; ++j) {
    double kept = *index_one_entry(t, i, j);
    *index_one_entry(t, i, j) = *index_one_entry(t, k, j);
    *index_one_entry(t, k, j) = kept;
  }
  double size = t->size[i];
  t->size[i] = t->size[k];
  t->size[k] = size;
}

static void swap_columns(const index_one_table *t, int j, int k, int *order) {
  for (int i = 0; j != k && i < t->nrow; ++i) {
    double kept = *index_one_entry(t, i, j);
    *index_one_entry(t, i, j) = *index_one_entry(t, i, k);
    *index_one_entry(t, i, k) = kept;
  }
  int kept = order[j];
  order[j] = order[k];
  order[k] = kept;
}

/* Finds the largest entry behind the first k pivots, relative to the terms of its row. */
static double index_one_pivot(const index_one_table *t, int k, int ncol, int *pi, int *pj) {
  double largest = 0.0;
  for (int j = k; j < ncol; ++j)
    for (int i = k; i < t->nrow; ++i) {
      double value = fabs(*index_one_entry(t, i, j));
      if (value <= largest * t->size[i]) continue;
      largest = value / t->size[i];
      *pi = i;
      *pj = j;
    }
  return largest;
}

/* Makes [I K; 0 0] of the first ncol columns, and applies the same to the others. Returns the rank. */
static int index_one_eliminate(const index_one_table *t, int ncol, int *order) {
  int rank = 0, pi = 0, pj = 0;
  find_sizes(t, ncol);
  for (int j = 0; j < ncol; ++j) order[j] = j;
  for (; rank < t->nrow && rank < ncol; ++rank) {
    if (!(index_one_pivot(t, rank, ncol, &pi, &pj) > least_pivot)) break;
    swap_rows(t, rank, pi);
    swap_columns(t, rank, pj, order);
    double pivot = *index_one_entry(t, rank, rank);
    for (int j = 0; j < t->ncol; ++j) *index_one_entry(t, rank, j) /= pivot;
    t->size[rank] /= fabs(pivot);
    for (int i = 0; i < t->nrow; ++i) {
      double factor = i == rank ? 0.0 : *index_one_entry(t, i, rank);
      if (factor == 0.0) continue;
      for (int j = 0; j < t->ncol; ++j)
        *index_one_entry(t, i, j) -= factor * *index_one_entry(t, rank, j);
      nsds_raise(&t->size[i], fabs(factor) * t->size[rank]);
      *index_one_entry(t, i, rank) = 0.0;
    }
  }
  return rank;
}

/* C = A B, dense: n x n, n x columns. */
static void index_one_product(int n, int columns, const double *A, const double *B, double *C) {
  nsds_zero_doubles(C, (size_t)n * (size_t)columns);
  for (int j = 0; j < columns; ++j, B += n, C += n) nsds_add_product(n, n, A, n, B, C);
}

/* Writes a matrix dense. */
static void make_dense(const nsds_matrix_shape *shape, int n, const double *values, double *out) {
  nsds_zero_doubles(out, (size_t)n * (size_t)n);
  for (int j = 0; values && j < n; ++j) {
    nsds_shape_column column = nsds_shape_column_at(shape->p, shape->i, n, j);
    for (int k = column.first; k < column.last; ++k)
      out[nsds_shape_column_row(&column, k) + (ptrdiff_t)j * n] += values[k];
  }
}

static nsds_status index_one_create(nsds_slot *slot) {
  nsds_context *context = slot->on.context;
  size_t n = (size_t)slot->nv, square = n * n;
  nsds_index_one *own = slot->index_one;
  if (own) return NSDS_OK;
  own = NSDS_NEW(context, nsds_index_one);
  if (!own) return NSDS_ERROR_MEMORY;
  slot->index_one = own;
  own->context = own->store.context = context;
  own->n = slot->nv;
  const nsds_cut cuts[] = {
      NSDS_CUT(own->X, square), NSDS_CUT(own->N, square), NSDS_CUT(own->F, square),
      NSDS_CUT(own->P, square), NSDS_CUT(own->W, square), NSDS_CUT(own->x, n),
      NSDS_CUT(own->b, n),      NSDS_CUT(own->f, n),      NSDS_CUT(own->shift, n),
      NSDS_CUT(own->ahead, n),  NSDS_CUT(own->rest, n),   NSDS_CUT(own->work, 6 * square + 2 * n),
      NSDS_CUT(own->point, n),  NSDS_CUT(own->kept, n),   NSDS_CUT(own->order, 2 * n)};
  own->factor = nsds_factor_create(context);
  if (!own->factor) return NSDS_ERROR_MEMORY;
  nsds_status status = NSDS_HOLD(&own->store, cuts);
  return status ? status : nsds_factor_reserve_dense(own->factor, slot->nv);
}

void nsds_index_one_destroy(nsds_index_one *own) {
  if (!own) return;
  nsds_factor_destroy(own->factor);
  nsds_store_release(&own->store);
  nsds_release(own->context, own);
}

static nsds_status index_one_refuse(const nsds_slot *slot, double t, const char *why) {
  char label[nsds_label_size];
  return nsds_fail(slot->on.context, NSDS_ERROR_SINGULAR,
                   "event-driven: %s: M is singular at t = %.17g, and %s",
                   nsds_ds_label(slot->ds, label), t, why);
}

/* The parts of the elimination. */
typedef struct index_one_parts {
  double *A, *T, *V; /* n x n; V: n x (n - rank), (-K, I) in the order of x */
  double *E;         /* (n - rank) x (n - rank + n): T2 A V, then T2 */
  double *size;
  int *order, *of_e;
} index_one_parts;

/* Writes V = (-K, I) from [I K; 0 0]. */
static void write_free_directions(const nsds_index_one *own, const double *M,
                                  const index_one_parts *p) {
  int n = own->n, r = own->rank;
  nsds_zero_doubles(p->V, (size_t)n * (size_t)(n - r));
  for (int j = r; j < n; ++j) {
    double *column = p->V + (ptrdiff_t)(j - r) * n;
    column[p->order[j]] = 1.0;
    for (int i = 0; i < r; ++i) column[p->order[i]] -= M[i + (ptrdiff_t)j * n];
  }
}

/* Forms (E, -T2), and eliminates E. Returns its rank. */
static int eliminate_e(const nsds_index_one *own, const index_one_parts *p, double *work) {
  int n = own->n, r = own->rank, m = n - r;
  index_one_product(n, m, p->A, p->V, work); /* A V */
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < m; ++i) {
      double sum = 0.0, terms = 0.0;
      for (int k = 0; k < n; ++k) {
        double term = p->T[r + i + (ptrdiff_t)k * n] * work[k + (ptrdiff_t)j * n];
        sum += term;
        terms += fabs(term);
      }
      p->E[i + (ptrdiff_t)j * m] = fabs(sum) <= least_pivot * terms ? 0.0 : sum;
    }
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) p->E[i + (ptrdiff_t)(m + j) * m] = -p->T[r + i + (ptrdiff_t)j * n];
  const index_one_table table = {m, m + n, p->E, p->size};
  return index_one_eliminate(&table, m, p->of_e);
}

/* Takes the rows of (E, -T2) without a pivot as constraints W, and puts W A dx/dt = 0 in their place.
 * X and F are free so far. */
static void take_constraints(nsds_index_one *own, double *M, const index_one_parts *p, int rank) {
  int n = own->n, r = own->rank, m = n - r;
  double *rows = own->X, *inputs = own->F;
  own->hidden = m - rank;
  nsds_zero_doubles(rows, (size_t)n * (size_t)n);
  nsds_zero_doubles(inputs, (size_t)n * (size_t)n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < r; ++i) {
      rows[i + (ptrdiff_t)p->order[j] * n] = M[i + (ptrdiff_t)j * n];
      inputs[i + (ptrdiff_t)j * n] = p->T[i + (ptrdiff_t)j * n];
    }
    for (int i = 0; i < m; ++i) {
      double entry = -p->E[i + (ptrdiff_t)(m + j) * m];
      if (i < rank) inputs[r + i + (ptrdiff_t)j * n] = entry;
      else own->W[(ptrdiff_t)(i - rank) * n + j] = entry;
    }
  }
  for (int k = 0; k < own->hidden; ++k)
    for (int j = 0; j < n; ++j) {
      const double *W = own->W + (ptrdiff_t)k * n, *column = p->A + (ptrdiff_t)j * n;
      double sum = 0.0, terms = 0.0;
      for (int i = 0; i < n; ++i) {
        sum += W[i] * column[i];
        terms += fabs(W[i] * column[i]);
      }
      rows[r + rank + k + (ptrdiff_t)j * n] = fabs(sum) <= least_pivot * terms ? 0.0 : sum;
    }
  nsds_copy_doubles(M, rows, (size_t)n * (size_t)n);
  nsds_copy_doubles(p->T, inputs, (size_t)n * (size_t)n);
  const index_one_table table = {n, 2 * n, M, p->size};
  own->rank = index_one_eliminate(&table, n, p->order);
  write_free_directions(own, M, p);
}

/* Finds N = V (-E^-1 T2) from (E, -T2) after the elimination. */
static void find_n(nsds_index_one *own, const index_one_parts *p) {
  int n = own->n, m = n - own->rank;
  nsds_zero_doubles(own->N, (size_t)n * (size_t)n);
  for (int j = 0; j < n; ++j)
    for (int k = 0; k < m; ++k) {
      double factor = p->E[k + (ptrdiff_t)(m + j) * m];
      const double *column = p->V + (ptrdiff_t)p->of_e[k] * n;
      for (int i = 0; factor != 0.0 && i < n; ++i)
        own->N[i + (ptrdiff_t)j * n] += column[i] * factor;
    }
}

/* Finds X, F and P. M is [I K; 0 0] in the order of the elimination. */
static void find_maps(nsds_index_one *own, const double *M, const index_one_parts *p,
                      double *work) {
  int n = own->n, r = own->rank;
  double *NA = work, *R = work + (size_t)n * (size_t)n;
  index_one_product(n, n, own->N, p->A, NA);
  for (int j = 0; j < r; ++j) { /* R = (I + N A) (I, 0) */
    nsds_copy_doubles(R + (ptrdiff_t)j * n, NA + (ptrdiff_t)p->order[j] * n, (size_t)n);
    R[p->order[j] + (ptrdiff_t)j * n] += 1.0;
  }
  nsds_zero_doubles(own->X, (size_t)n * (size_t)n);
  nsds_zero_doubles(own->F, (size_t)n * (size_t)n);
  for (int j = 0; j < n; ++j)
    for (int k = 0; k < r; ++k)
      for (int i = 0; i < n; ++i) {
        double entry = R[i + (ptrdiff_t)k * n];
        own->X[i + (ptrdiff_t)p->order[j] * n] += entry * M[k + (ptrdiff_t)j * n];
        own->F[i + (ptrdiff_t)j * n] += entry * p->T[k + (ptrdiff_t)j * n];
      }
  index_one_product(n, n, p->A, own->N, NA);
  for (int j = 0; j < n; ++j) NA[j + (ptrdiff_t)j * n] += 1.0;
  index_one_product(n, n, own->F, NA, own->P);
}

/* Finds the matrices for the present A. */
static nsds_status index_one_take(nsds_slot *slot, double t) {
  const nsds_ds *ds = slot->ds;
  nsds_index_one *own = slot->index_one;
  size_t n = (size_t)own->n, square = n * n;
  double *M = own->work; /* then T, in one table */
  const index_one_parts p = {.T = M + square,
                             .A = M + 2 * square,
                             .V = M + 3 * square,
                             .E = M + 4 * square,
                             .size = M + 6 * square,
                             .order = own->order,
                             .of_e = own->order + n};
  make_dense(&ds->mass, own->n, slot->M, M);
  make_dense(&ds->stiffness, own->n, slot->K, p.A);
  nsds_zero_doubles(p.T, square);
  for (size_t k = 0; k < n; ++k) p.T[k + k * n] = 1.0;
  const index_one_table table = {own->n, 2 * own->n, M, p.size};
  own->rank = index_one_eliminate(&table, own->n, p.order);
  write_free_directions(own, M, &p);
  own->hidden = 0;
  int rank = eliminate_e(own, &p, own->X); /* X is free so far */
  if (rank < own->n - own->rank && own->bends)
    return index_one_refuse(
        slot, t,
        "the rows of M dx/dt = f(t, x) + r without M do not determine its algebraic "
        "unknowns: the index is above 1; valid is nsds_adaptive()");
  if (rank < own->n - own->rank) {
    take_constraints(own, M, &p, rank);
    rank = eliminate_e(own, &p, own->X);
  }
  if (rank < own->n - own->rank)
    return index_one_refuse(
        slot, t,
        "the rows of M dx/dt = A x + b + r without M, and their derivatives, do "
        "not determine its algebraic unknowns: the index is above 2; valid is "
        "nsds_adaptive()");
  find_n(own, &p);
  find_maps(own, M, &p, p.V); /* V and E are no longer needed */
  nsds_zero_doubles(own->rest, n);
  return NSDS_OK;
}

nsds_status nsds_index_one_make(nsds_slot *slot, double t, const double *x) {
  const nsds_ds *ds = slot->ds;
  if (!ds->mass.constant)
    return index_one_refuse(slot, t,
                            "its algebraic unknowns are known only where M of M dx/dt = f(t, x) is "
                            "constant; valid is nsds_adaptive()");
  nsds_status status = index_one_create(slot);
  if (status) return status;
  nsds_index_one *own = slot->index_one;
  own->bends = !ds->affine || (slot->K && !ds->stiffness.constant);
  if (!own->bends) return index_one_take(slot, t);
  nsds_copy_doubles(own->point, x, (size_t)own->n);
  return nsds_index_one_bend(slot, t);
}

/* ---- evaluation ------------------------------------------------------------------------------ */

nsds_status nsds_index_one_bend(nsds_slot *slot, double t) {
  nsds_index_one *own = slot->index_one;
  nsds_arguments in = nsds_ds_in(slot->ds, t, slot->on.q_end, own->point);
  nsds_status status = slot->ds->first->jacobian(slot->ds->self, &in, slot->K);
  return status ? status : index_one_take(slot, t);
}

/* Computes b at t: of a nonlinear f the part that is not A x. */
static nsds_status find_b(const nsds_slot *slot, double t, const double *x) {
  nsds_index_one *own = slot->index_one;
  const double *at = own->bends ? own->point : x;
  nsds_arguments in = nsds_ds_in(slot->ds, t, slot->on.q_end, at);
  nsds_status status = slot->ds->first->rhs(slot->ds->self, &in, own->b);
  if (!status && own->bends && !slot->ds->affine)
    nsds_shape_multiply(&slot->ds->stiffness, own->n, slot->K, -1.0, at, own->b);
  return status;
}

/* Computes b at t, and x without inputs. */
static nsds_status index_one_find(const nsds_slot *slot, double t, const double *x) {
  nsds_index_one *own = slot->index_one;
  nsds_status status = find_b(slot, t, x);
  if (status) return status;
  nsds_zero_doubles(own->f, (size_t)own->n);
  nsds_add_product(own->n, own->n, own->X, own->n, x, own->f);
  nsds_add_product(own->n, own->n, own->N, own->n, own->b, own->f);
  nsds_copy_doubles(own->x, own->f, (size_t)own->n);
  return NSDS_OK;
}

nsds_status nsds_index_one_complete(const nsds_slot *slot, double t, double *x) {
  nsds_status status = index_one_find(slot, t, x);
  if (!status) nsds_copy_doubles(x, slot->index_one->x, (size_t)slot->nv);
  return status;
}

nsds_status nsds_index_one_rate(const nsds_slot *slot, double t, const double *x, double *rate) {
  nsds_index_one *own = slot->index_one;
  nsds_status status = index_one_find(slot, t, x);
  if (status) return status;
  nsds_copy_doubles(own->f, own->b, (size_t)own->n);
  nsds_shape_multiply(&slot->ds->stiffness, own->n, slot->K, 1.0, own->x, own->f);
  nsds_zero_doubles(rate, (size_t)own->n);
  nsds_add_product(own->n, own->n, own->F, own->n, own->f, rate);
  return NSDS_OK;
}

/* Refuses a b whose change over h moves a constraint of states. own->f is db/dt. */
static nsds_status check_hidden(const nsds_slot *slot, double t, double h) {
  const nsds_index_one *own = slot->index_one;
  for (int k = 0; k < own->hidden; ++k) {
    double rate = 0.0, terms = 0.0;
    for (int i = 0; i < own->n; ++i) {
      rate += own->W[(ptrdiff_t)k * own->n + i] * own->f[i];
      terms += fabs(own->W[(ptrdiff_t)k * own->n + i] * own->b[i]);
    }
    if (h * fabs(rate) > least_pivot * terms)
      return index_one_refuse(slot, t,
                              "b(t) moves a constraint of its states, as a source that varies does "
                              "in a loop of capacitors: unknowns follow from db/dt; valid is "
                              "nsds_adaptive()");
  }
  return NSDS_OK;
}

nsds_status nsds_index_one_shift(const nsds_slot *slot, double t, double h, int side) {
  static const double central[] = {1.0, -8.0, 0.0, 8.0, -1.0},
                      ahead[] = {-25.0, 48.0, -36.0, 16.0, -3.0};
  nsds_index_one *own = slot->index_one;
  const double *weight = side == 0 ? central : ahead;
  double sign = side < 0 ? -1.0 : 1.0;
  nsds_zero_doubles(own->f, (size_t)own->n);
  for (int k = 0; k < 5; ++k) {
    if (weight[k] == 0.0) continue;
    nsds_status status = find_b(slot, t + sign * h * (side == 0 ? k - 2 : k), slot->on.u_end);
    if (status) return status;
    for (int i = 0; i < own->n; ++i) own->f[i] += sign * weight[k] / (12.0 * h) * own->b[i];
  }
  nsds_zero_doubles(own->shift, (size_t)own->n);
  nsds_add_product(own->n, own->n, own->N, own->n, own->f, own->shift);
  return own->hidden > 0 ? check_hidden(slot, t, h) : NSDS_OK;
}

double nsds_index_one_stray(const nsds_slot *slot, double t, const double *x, nsds_status *status) {
  const nsds_index_one *own = slot->index_one;
  double largest = 0.0;
  if (own->hidden == 0) return 0.0;
  *status = find_b(slot, t, x);
  if (*status) return 0.0;
  double *A = own->work, *value = own->f, *size = own->ahead;
  make_dense(&slot->ds->stiffness, own->n, slot->K, A);
  for (int i = 0; i < own->n; ++i) {
    value[i] = own->b[i];
    size[i] = fabs(own->b[i]);
    for (int k = 0; k < own->n; ++k) {
      double term = A[i + (ptrdiff_t)k * own->n] * x[k];
      value[i] += term;
      size[i] += fabs(term);
    }
  }
  for (int k = 0; k < own->hidden; ++k) {
    double sum = 0.0, terms = 0.0;
    for (int i = 0; i < own->n; ++i) {
      sum += own->W[(ptrdiff_t)k * own->n + i] * value[i];
      terms += fabs(own->W[(ptrdiff_t)k * own->n + i]) * size[i];
    }
    if (terms > 0.0) nsds_raise(&largest, fabs(sum) / terms);
  }
  return largest;
}

bool nsds_index_one_enters(const nsds_index_one *own, int nrhs, const double *r) {
  bool any = false;
  for (int j = 0; j < nrhs; ++j, r += own->n)
    for (int k = 0; k < own->hidden; ++k) {
      double sum = 0.0, terms = 0.0;
      for (int i = 0; i < own->n; ++i) {
        sum += own->W[(ptrdiff_t)k * own->n + i] * r[i];
        terms += fabs(own->W[(ptrdiff_t)k * own->n + i] * r[i]);
      }
      any = any || fabs(sum) > least_pivot * terms;
    }
  return any;
}

nsds_status nsds_index_one_step(const nsds_slot *slot, double t, double length, const double *x,
                                const double *r) {
  nsds_index_one *own = slot->index_one;
  const nsds_ds *ds = slot->ds;
  size_t n = (size_t)own->n;
  double *W = own->work, *A = W + n * n;
  make_dense(&ds->mass, own->n, slot->M, W);
  make_dense(&ds->stiffness, own->n, slot->K, A);
  for (size_t k = 0; k < n * n; ++k) W[k] -= length * A[k];
  nsds_status status = nsds_factor_dense(own->factor, own->n, W);
  if (!status) status = find_b(slot, t + length, x);
  if (status) return status;
  for (size_t k = 0; k < n; ++k) own->ahead[k] = length * (own->b[k] + r[k]);
  nsds_mass_multiply(slot, 1.0, x, own->ahead);
  nsds_factor_solve(own->factor, 1, own->ahead);
  own->length = length;
  return NSDS_OK;
}

void nsds_index_one_answer(const nsds_index_one *own, int nrhs, double *b) {
  for (int k = 0; k < nrhs * own->n; ++k) b[k] *= own->length;
  nsds_factor_solve(own->factor, nrhs, b);
}

static void index_one_replace(const nsds_index_one *own, const double *A, int nrhs, double *b) {
  for (int k = 0; k < nrhs; ++k, b += own->n) {
    nsds_zero_doubles(own->f, (size_t)own->n);
    nsds_add_product(own->n, own->n, A, own->n, b, own->f);
    nsds_copy_doubles(b, own->f, (size_t)own->n);
  }
}

void nsds_index_one_apply(const nsds_index_one *own, int nrhs, double *b) {
  index_one_replace(own, own->P, nrhs, b);
}

void nsds_index_one_move(const nsds_index_one *own, int nrhs, double *b) {
  index_one_replace(own, own->N, nrhs, b);
}
