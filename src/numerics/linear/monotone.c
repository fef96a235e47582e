/*
 * Is x' M x >= 0 for all x? The symmetric part of M is eliminated with the largest remaining
 * diagonal entry, relative to the first one, as the pivot. A negative diagonal entry shows that M is
 * not monotone, and so does an entry that is not zero beside a diagonal entry that is.
 */
#include "numerics/linear/monotone.h"

#include <math.h>

/* Parts of the first diagonal entries, and of their roots, that count as rounding. */
static const double rounding_of_pivot = 1e-12, rounding_of_entry = 1e-6;

/* Writes the symmetric part and its diagonal. */
static void take_symmetric_part(int n, const double *M, double *A, double *first) {
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) A[i + n * j] = 0.5 * (M[i + n * j] + M[j + n * i]);
    first[j] = A[j + n * j];
  }
}

/* Returns the row with the largest diagonal entry left, relative to the first one; -1: none beyond
 * rounding. */
static int monotone_pivot(int n, const double *A, const double *first) {
  double most = rounding_of_pivot;
  int best = -1;
  for (int i = 0; i < n; ++i) {
    if (!(A[i + n * i] > most * first[i])) continue;
    most = A[i + n * i] / first[i];
    best = i;
  }
  return best;
}

/* Subtracts the part of row k, which then is zero. */
static void monotone_eliminate(int n, double *A, int k) {
  double pivot = A[k + n * k];
  for (int j = 0; j < n; ++j) {
    double factor = j == k ? 0.0 : A[k + n * j] / pivot;
    for (int i = 0; i < n; ++i)
      if (i != k) A[i + n * j] -= A[i + n * k] * factor;
  }
  for (int i = 0; i < n; ++i) A[i + n * k] = A[k + n * i] = 0.0;
}

/* Returns true if what is left, without pivots, is zero up to rounding. */
static bool is_rest_zero(int n, const double *A, const double *first) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= j; ++i) {
      double part = i == j ? rounding_of_pivot : rounding_of_entry;
      if (!(fabs(A[i + n * j]) <= part * sqrt(first[i]) * sqrt(first[j]))) return false;
    }
  return true;
}

bool nsds_seems_monotone(int n, const double *M, double *work) {
  double *A = work, *first = work + n * n;
  take_symmetric_part(n, M, A, first);
  for (int i = 0; i < n; ++i)
    if (!(first[i] >= 0.0) || isinf(first[i])) return false;
  for (int k = monotone_pivot(n, A, first); k >= 0; k = monotone_pivot(n, A, first))
    monotone_eliminate(n, A, k);
  return is_rest_zero(n, A, first);
}
