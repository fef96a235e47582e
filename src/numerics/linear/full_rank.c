/*
 * A bound below the least singular value of a matrix, see full_rank.h. A = L U without exchanges of
 * rows. The inverse of a triangular matrix T is at most that of its comparison matrix, which has the
 * entries |t_ii| and -|t_ij|:
 *
 *   |T^-1| e <= x,   (|t_ii| x_i - sum_j |t_ij| x_j) = 1
 *
 * (Higham, Accuracy and Stability of Numerical Algorithms, 2002, 8.3). So the least singular value
 * is at least 1 / (sqrt(n) max x_L max x_U). Factors and bound take a twelfth of the operations of
 * orthogonal factors, which also find a rank below n.
 */
#include "numerics/linear/full_rank.h"

#include "base/base.h"

#include <math.h>
#include <stddef.h>

/* Most growth of entries of L U over those of A: rounding of the factors then stays far below every
 * tolerance of use. */
static const double most_growth = 1e3;

/* Factors A = L U in place; false at a zero pivot. L has ones on its diagonal. */
static bool full_rank_factor(int n, double *A) {
  for (int k = 0; k < n; ++k) {
    const double *column = A + (ptrdiff_t)k * n;
    double inverse = 1.0 / column[k];
    if (!isfinite(inverse)) return false;
    for (int i = k + 1; i < n; ++i) A[i + (ptrdiff_t)k * n] *= inverse;
    for (int j = k + 1; j < n; ++j) {
      double *to = A + (ptrdiff_t)j * n, factor = to[k];
      for (int i = k + 1; i < n && factor != 0.0; ++i) to[i] -= column[i] * factor;
    }
  }
  return true;
}

/* Returns a bound of the largest row sum of |L^-1|; *most is the largest entry of |L|. */
static double bound_lower(int n, const double *A, double *x, double *most) {
  double bound = 0.0;
  *most = 1.0;
  for (int i = 0; i < n; ++i) x[i] = 1.0;
  for (int j = 0; j < n; ++j) {
    nsds_raise(&bound, x[j]);
    for (int i = j + 1; i < n; ++i) {
      double entry = fabs(A[i + (ptrdiff_t)j * n]);
      nsds_raise(most, entry);
      x[i] += entry * x[j];
    }
  }
  return bound;
}

/* The same of U. */
static double bound_upper(int n, const double *A, double *x, double *most) {
  double bound = 0.0;
  *most = 0.0;
  for (int i = 0; i < n; ++i) x[i] = 1.0;
  for (int j = n - 1; j >= 0; --j) {
    const double *column = A + (ptrdiff_t)j * n;
    x[j] /= fabs(column[j]);
    nsds_raise(&bound, x[j]);
    nsds_raise(most, fabs(column[j]));
    for (int i = 0; i < j; ++i) {
      double entry = fabs(column[i]);
      nsds_raise(most, entry);
      x[i] += entry * x[j];
    }
  }
  return bound;
}

double nsds_least_singular_value(int n, double *A, double *work) {
  double longest = 0.0, largest = 0.0, all = 0.0, most_l, most_u;
  for (int j = 0; j < n; ++j) {
    double square = 0.0;
    for (int i = 0; i < n; ++i) {
      double entry = A[i + (ptrdiff_t)j * n];
      square += entry * entry;
      nsds_raise(&largest, fabs(entry));
    }
    nsds_raise(&longest, square);
    all += square;
  }
  if (!isfinite(all) || !full_rank_factor(n, A)) return 0.0;
  double bound = bound_lower(n, A, work, &most_l) * bound_upper(n, A, work, &most_u);
  bool grown = !(most_l * most_u <= most_growth * largest);
  return grown ? 0.0 : 1.0 / (bound * sqrt((double)n * longest));
}
