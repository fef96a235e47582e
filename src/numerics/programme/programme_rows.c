/* Rows of a convex quadratic programme, see programme_rows.h. Signs are found by union-find. */
#include "numerics/programme/programme_rows.h"

#include "base/base.h"
#include "base/union_find.h"

static const double asymmetry = 1e-12; /* of mirror images, relative: rounding of M's author */

/* Returns M_ij by bisection. */
static double programme_entry(const int *p, const int *i, const double *x, int row, int column) {
  int low = p[column], high = p[column + 1];
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (i[middle] < row) low = middle + 1;
    else high = middle;
  }
  return low < p[column + 1] && i[low] == row ? x[low] : 0.0;
}

/* Joins the rows of a pair of mirror images a, b; false if no signs make them equal. */
static bool programme_join(int n, int *side, int i, int j, double a, double b, bool *opposite) {
  double rounding = asymmetry * fmax(fabs(a), fabs(b));
  bool same = fabs(a - b) <= rounding, other = fabs(a + b) <= rounding;
  if (same && other) return true;
  *opposite = *opposite || other;
  nsds_unite(side, i, same ? j : n + j);
  nsds_unite(side, n + i, same ? n + j : j);
  return same || other;
}

bool nsds_programme_signs(int n, const int *p, const int *i, const double *x, signed char *sign,
                          int *side) {
  bool opposite = false;
  for (int k = 0; k < 2 * n; ++k) side[k] = k;
  for (int j = 0; j < n; ++j)
    for (int k = p[j]; k < p[j + 1]; ++k) {
      if (i[k] == j && x[k] < 0.0) return false;
      if (i[k] == j || x[k] == 0.0) continue;
      double mirror = programme_entry(p, i, x, j, i[k]);
      if (!programme_join(n, side, i[k], j, x[k], mirror, &opposite)) return false;
    }
  for (int k = 0; opposite && k < n; ++k) {
    int plus = nsds_root(side, k), minus = nsds_root(side, n + k);
    if (plus == minus) return false;
    sign[k] = plus < minus ? 1 : -1;
  }
  return opposite;
}

void nsds_programme_multiply(const nsds_programme_rows *rows, bool curved, const double *z,
                             double *w) {
  nsds_zero_doubles(w, (size_t)rows->n);
  for (int j = 0; j < rows->n; ++j) {
    if (z[j] == 0.0) continue;
    for (int k = rows->p[j]; k < rows->p[j + 1]; ++k)
      if (!curved || rows->sign[rows->i[k]] == rows->sign[j]) w[rows->i[k]] += rows->x[k] * z[j];
  }
}
