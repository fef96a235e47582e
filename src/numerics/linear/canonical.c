/*
 * Scales that do not depend on units, see canonical.h.
 *
 * A spanning forest of the graph of rows and columns is grown in an order that depends on the places
 * of nonzero entries alone. The scales make the entries of the forest numbers in [1/2, 1), so
 * equivalent matrices become equal. A common factor of row and 1 / column is left in each connected
 * part; it makes the largest datum of the part a number in [1/2, 1). All further work sees this
 * matrix: rows and columns in turn are
 * divided by roots of their largest entries (Ruiz, RAL-TR-2001-034), in powers of two.
 */
#include "numerics/linear/canonical.h"

#include "base/base.h"
#include "numerics/linear/factor.h"

typedef struct canonical_column {
  int begin, end;
} canonical_column;

static canonical_column canonical_column_at(const nsds_columns_view *A, int k) {
  if (!A->i) return (canonical_column){k * A->n, (k + 1) * A->n};
  return (canonical_column){A->first[k], A->first[k + 1]};
}

static int canonical_row(const nsds_columns_view *A, int k, int e) {
  return A->i ? A->i[e] : e - k * A->n;
}

enum { away, seen_before, seen_now };

/* Makes column k part of the forest by its first row that is, and then its other rows. */
static bool grow_by_column(const nsds_columns_view *A, int k, double *row, double *column,
                           unsigned char *seen) {
  canonical_column c = canonical_column_at(A, k);
  bool grown = false;
  for (int e = c.begin; e < c.end && !seen[A->n + k]; ++e) {
    int i = canonical_row(A, k, e);
    if (A->a[e] == 0.0 || !seen[i]) continue;
    column[k] = nsds_inverse_power(fabs(A->a[e]) * row[i], 1);
    seen[A->n + k] = seen_now;
  }
  for (int e = c.begin; e < c.end && seen[A->n + k]; ++e) {
    int i = canonical_row(A, k, e);
    if (A->a[e] == 0.0 || seen[i]) continue;
    row[i] = nsds_inverse_power(fabs(A->a[e]) * column[k], 1);
    seen[i] = seen_now;
    grown = true;
  }
  return grown;
}

/* Brings the data b of the part that was grown last to [1/2, 1). */
static void close_part(const double *b, int n, double *row, double *column, unsigned char *seen) {
  double most = 0.0;
  for (int i = 0; i < n; ++i)
    if (seen[i] == seen_now) nsds_raise(&most, fabs(b[i]) * row[i]);
  double factor = nsds_inverse_power(most, 1);
  for (int k = 0; k < n; ++k) {
    if (seen[k] == seen_now) row[k] *= factor;
    if (seen[n + k] == seen_now) column[k] /= factor;
  }
  for (int k = 0; k < 2 * n; ++k) seen[k] = seen[k] == away ? away : seen_before;
}

static void grow_all(const nsds_columns_view *A, const double *b, double *row, double *column,
                     unsigned char *seen) {
  int n = A->n;
  memset(seen, away, 2 * (size_t)n);
  for (int k = 0; k < n; ++k) row[k] = column[k] = 1.0;
  for (int root = 0; root < n; ++root) {
    if (seen[root]) continue;
    seen[root] = seen_now;
    for (bool grown = true; grown;) {
      grown = false;
      for (int k = 0; k < n; ++k) grown = grow_by_column(A, k, row, column, seen) || grown;
    }
    close_part(b, n, row, column, seen);
  }
}

/* Divides by roots of the largest entries; false if nothing changes. */
static bool divide_once(const nsds_columns_view *A, double *row, double *column, double *most) {
  bool changed = false;
  for (int i = 0; i < A->n; ++i) most[i] = 0.0;
  for (int k = 0; k < A->n; ++k) {
    canonical_column c = canonical_column_at(A, k);
    double largest = 0.0;
    for (int e = c.begin; e < c.end; ++e) {
      int i = canonical_row(A, k, e);
      double a = fabs(A->a[e]) * row[i] * column[k];
      nsds_raise(&most[i], a);
      nsds_raise(&largest, a);
    }
    double factor = nsds_inverse_power(largest, 2);
    column[k] *= factor;
    changed = changed || factor != 1.0;
  }
  for (int i = 0; i < A->n; ++i) {
    double factor = nsds_inverse_power(most[i], 2);
    row[i] *= factor;
    changed = changed || factor != 1.0;
  }
  return changed;
}

void nsds_canonical_scales(const nsds_columns_view *A, const double *b, double *row, double *column,
                           double *most, unsigned char *seen) {
  enum { most_passes = 40 };
  grow_all(A, b, row, column, seen);
  for (int pass = 0; pass < most_passes; ++pass)
    if (!divide_once(A, row, column, most)) return;
}
