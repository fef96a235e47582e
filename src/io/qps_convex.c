/*
 * Is the objective convex? Columns without curvature are left out. The others are scaled so that
 * H has ones on its diagonal. Then H is positive semidefinite if and only if Cholesky's method with
 * the largest pivots ends with a rest that vanishes. Beyond `most_whole` curved columns only pairs
 * are tested, |H_ij| <= 1.
 */
#include "io/qps_convex.h"

#include "base/context.h"

#include <math.h>
#include <stdlib.h>

enum { most_whole = 500 };
static const double small = 1e-9; /* relative to the diagonal */

static int by_place(const void *one, const void *other) {
  const nsds_qps_entry *a = one, *b = other;
  if (a->column != b->column) return (a->column > b->column) - (a->column < b->column);
  return (a->row > b->row) - (a->row < b->row);
}

/* Adds the entries of one place. */
static void add_alike(nsds_qps_entries *H) {
  size_t n = 0;
  if (H->count > 1) qsort(H->entry, H->count, sizeof *H->entry, by_place);
  for (size_t k = 0; k < H->count; ++k) {
    bool same = n > 0 && by_place(&H->entry[n - 1], &H->entry[k]) == 0;
    if (same) H->entry[n - 1].x += H->entry[k].x;
    else H->entry[n++] = H->entry[k];
  }
  H->count = n;
}

static nsds_status refuse_column(nsds_text *text, const nsds_qps *p, int j) {
  nsds_qps_word name = p->column_names.name[j];
  return nsds_text_expected(
      text,
      "before this, %s objective; the curvature of column '%.*s' has the wrong "
      "sign, alone or together with others",
      p->most ? "a concave" : "a convex", (int)name.size, name.at);
}

/* Lists curved columns and writes 1 / sqrt(H_jj) to scale; 0: no curvature. Returns a column whose
 * curvature has the wrong sign, or -1. */
static int qps_scale_columns(const nsds_qps *p, double *scale) {
  double sign = p->most ? -1.0 : 1.0;
  for (size_t k = 0; k < p->H.count; ++k) {
    const nsds_qps_entry *e = &p->H.entry[k];
    if (e->row != e->column) continue;
    if (sign * e->x < 0.0) return e->column;
    if (e->x != 0.0) scale[e->column] = 1.0 / sqrt(fabs(e->x));
  }
  for (size_t k = 0; k < p->H.count; ++k) {
    const nsds_qps_entry *e = &p->H.entry[k];
    double part = e->x * scale[e->row] * scale[e->column];
    if (e->row != e->column && e->x != 0.0 && !(part != 0.0 && fabs(part) <= 1.0 + small))
      return e->column;
  }
  return -1;
}

/* Returns the column k >= `from` with the largest diagonal entry left. */
static size_t largest_left(size_t n, const double *A, const size_t *order, size_t from) {
  size_t best = from;
  for (size_t k = from; k < n; ++k)
    if (A[order[k] * (n + 1)] > A[order[best] * (n + 1)]) best = k;
  return best;
}

/* Cholesky's method with the largest pivots, in an order of columns. Returns a column that shows a
 * negative curvature; n: there is none. */
static size_t indefinite_column(size_t n, double *A, size_t *order) {
  for (size_t k = 0; k < n; ++k) {
    size_t best = largest_left(n, A, order, k), p = order[best];
    double pivot = A[p * (n + 1)];
    order[best] = order[k];
    order[k] = p;
    for (size_t b = k; !(pivot > small) && b < n; ++b) /* the rest must vanish */
      for (size_t a = k; a < n; ++a)
        if (fabs(A[order[a] + order[b] * n]) > 100.0 * small) return order[a];
    if (!(pivot > small)) return n;
    for (size_t b = k + 1; b < n; ++b) {
      double factor = A[p + order[b] * n] / pivot;
      for (size_t a = k + 1; factor != 0.0 && a < n; ++a)
        A[order[a] + order[b] * n] -= factor * A[order[a] + p * n];
    }
  }
  return n;
}

/* Tests the n curved columns together; place: of each column among them. */
static nsds_status check_whole(nsds_text *text, const nsds_qps *p, const double *scale,
                               const int *place, size_t n) {
  double *A = NSDS_NEW_ARRAY(p->context, double, n *n);
  size_t *order = A ? NSDS_NEW_ARRAY(p->context, size_t, n) : NULL, found = n;
  if (!order) text->status = NSDS_ERROR_MEMORY;
  for (size_t k = 0; order && k < p->H.count; ++k) {
    const nsds_qps_entry *e = &p->H.entry[k];
    double part = (p->most ? -e->x : e->x) * scale[e->row] * scale[e->column];
    if (part != 0.0) A[(size_t)place[e->row] + (size_t)place[e->column] * n] = part;
  }
  for (size_t k = 0; order && k < n; ++k) order[k] = k;
  if (order) found = indefinite_column(n, A, order);
  for (int j = 0; found < n && j < p->column_names.count; ++j)
    if (scale[j] != 0.0 && (size_t)place[j] == found) refuse_column(text, p, j);
  nsds_release(p->context, A);
  nsds_release(p->context, order);
  return text->status;
}

/* Refuses a triangle with both (i, j) and (j, i), each of which has been entered twice. */
static nsds_status check_triangle(nsds_text *text, const nsds_qps *p) {
  for (size_t k = 1; k < p->H.count; ++k) {
    const nsds_qps_entry *a = &p->H.entry[k - 1], *b = &p->H.entry[k];
    if (by_place(a, b) != 0 || a->row == a->column || a->given == b->given) continue;
    nsds_qps_word one = p->column_names.name[a->row], other = p->column_names.name[a->column];
    return nsds_text_expected(text,
                              "before this, one triangle; columns '%.*s' and '%.*s' have two "
                              "entries, in both orders",
                              (int)one.size, one.at, (int)other.size, other.at);
  }
  return NSDS_OK;
}

nsds_status nsds_qps_check_curvature(nsds_text *text, nsds_qps *p, bool triangle) {
  int columns = p->column_names.count, n = 0;
  if (p->H.count == 0) return NSDS_OK;
  qsort(p->H.entry, p->H.count, sizeof *p->H.entry, by_place);
  if (triangle && check_triangle(text, p)) return text->status;
  add_alike(&p->H);
  double *scale = NSDS_NEW_ARRAY(p->context, double, columns);
  int *place = scale ? NSDS_NEW_ARRAY(p->context, int, columns) : NULL;
  if (!place) text->status = NSDS_ERROR_MEMORY;
  if (place) {
    int column = qps_scale_columns(p, scale);
    for (int j = 0; j < columns; ++j)
      if (scale[j] != 0.0) place[j] = n++;
    if (column >= 0) refuse_column(text, p, column);
    else if (n > 0 && n <= most_whole) check_whole(text, p, scale, place, (size_t)n);
  }
  nsds_release(p->context, scale);
  nsds_release(p->context, place);
  return text->status;
}
