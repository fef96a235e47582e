/* LU factors of diagonally dominant tridiagonal matrices, see tridiagonal.h. */
#include "numerics/linear/tridiagonal.h"

/* Splits into diagonals: upper[i] = A(i, i+1), lower[i] = A(i, i-1). */
static bool tridiagonal_split(int n, const int *p, const int *i, const double *x, double *diagonal,
                              double *upper, double *lower) {
  memset(upper, 0, (size_t)n * sizeof *upper);
  memset(lower, 0, (size_t)n * sizeof *lower);
  for (int j = 0; j < n; ++j) {
    bool found = false;
    for (int k = p[j]; k < p[j + 1]; ++k) {
      if (i[k] < j - 1 || i[k] > j + 1) return false;
      if (i[k] < j) upper[i[k]] = x[k];
      if (i[k] > j) lower[i[k]] = x[k];
      if (i[k] == j) diagonal[j] = x[k];
      found = found || i[k] == j;
    }
    if (!found) return false;
  }
  return true;
}

/* Returns true if rows or columns are weakly dominant, up to the rounding of assembled entries. */
static bool dominant(int n, const double *diagonal, const double *upper, const double *lower) {
  static const double slack = 1.0 + 1e-12; /* well above rounding, with little effect on growth */
  bool rows = true, columns = true;
  for (int j = 0; j < n; ++j) {
    double d = fabs(diagonal[j]) * slack;
    rows = rows && d >= fabs(lower[j]) + fabs(upper[j]);
    double above = j > 0 ? fabs(upper[j - 1]) : 0.0, below = j + 1 < n ? fabs(lower[j + 1]) : 0.0;
    columns = columns && d >= above + below;
  }
  return rows || columns;
}

bool nsds_tridiagonal_factor(nsds_tridiagonal *t, int n, const int *p, const int *i,
                             const double *x, double *work, double *rcond) {
  double *diagonal = work, *upper = work + n, *lower = work + 2 * (size_t)n;
  if (p[n] > 3 * (long)n - 2 || !tridiagonal_split(n, p, i, x, diagonal, upper, lower) ||
      !dominant(n, diagonal, upper, lower))
    return false;
  t->n = n;
  t->multiplier = work + 3 * (size_t)n;
  t->inverse = work + 4 * (size_t)n;
  t->inner = work + 5 * (size_t)n;
  int middle = n / 2;
  *rcond = 1.0;
  for (int k = 0; k < n; ++k) {
    /* 0, 1, ..., middle - 1, then n - 1, ..., middle + 1, then middle */
    int r = k < middle ? k : k < n - 1 ? n - 1 - (k - middle) : middle;
    double pivot = diagonal[r];
    t->multiplier[r] = 0.0;
    t->middle = 0.0;
    if (r <= middle && r > 0) {
      t->multiplier[r] = lower[r] * t->inverse[r - 1];
      pivot -= t->multiplier[r] * upper[r - 1];
    } else if (r > middle && r < n - 1) {
      t->multiplier[r] = upper[r] * t->inverse[r + 1];
      pivot -= t->multiplier[r] * lower[r + 1];
    }
    if (r == middle && r < n - 1) {
      t->middle = upper[r] * t->inverse[r + 1];
      pivot -= t->middle * lower[r + 1];
    }
    double ratio = fabs(pivot) / fabs(diagonal[r]);
    if (!(ratio >= *rcond)) *rcond = isfinite(ratio) ? ratio : 0.0;
    t->inverse[r] = 1.0 / pivot;
    t->inner[r] = (r < middle ? upper[r] : lower[r]) * t->inverse[r];
  }
  return true;
}

void nsds_tridiagonal_solve(const nsds_tridiagonal *t, double *b) {
  const double *multiplier = t->multiplier, *inverse = t->inverse, *inner = t->inner;
  int n = t->n, middle = n / 2, last = n - 1;
  /* Above the middle are `middle` rows, below it as many or one fewer. */
  double down = 0.0, up = 0.0;
  for (int k = 0; k < last - middle; ++k) {
    b[k] = down = b[k] - multiplier[k] * down;
    b[last - k] = up = b[last - k] - multiplier[last - k] * up;
  }
  if (middle > last - middle) b[middle - 1] = down = b[middle - 1] - multiplier[middle - 1] * down;
  double x = (b[middle] - multiplier[middle] * down - t->middle * up) * inverse[middle];
  b[middle] = down = up = x;
  for (int k = 1; k <= last - middle; ++k) {
    b[middle - k] = up = b[middle - k] * inverse[middle - k] - inner[middle - k] * up;
    b[middle + k] = down = b[middle + k] * inverse[middle + k] - inner[middle + k] * down;
  }
  if (middle > last - middle) b[0] = b[0] * inverse[0] - inner[0] * up;
}
