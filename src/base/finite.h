#ifndef NSDS_SRC_FINITE_H
#define NSDS_SRC_FINITE_H

#include "base/base.h"

/* nsds_zero_if_finite() for many entries. */
double nsds_zero_if_many_finite(const double *x, int n);
/* Returns 0 if all entries of x[0..n) are finite, NaN otherwise: x - x is either. */
static inline double nsds_zero_if_finite(const double *x, int n) {
  double sum = 0.0;
  if (n <= nsds_few_doubles)
    for (int i = 0; i < n; ++i) { /* read one by one, as they were just written */
      double value = ((const volatile double *)x)[i];
      sum += value - value;
    }
  else sum = nsds_zero_if_many_finite(x, n);
  return sum;
}
/* Does the same for x[0..n) and y[0..n). */
static inline double nsds_zero_if_pairs_finite(const double *x, const double *y, int n) {
  double sum = 0.0;
  if (n <= nsds_few_doubles)
    for (int i = 0; i < n; ++i) {
      double a = ((const volatile double *)x)[i], b = ((const volatile double *)y)[i];
      sum += (a - a) + (b - b);
    }
  else sum = nsds_zero_if_many_finite(x, n) + nsds_zero_if_many_finite(y, n);
  return sum;
}
/* Returns the index of the first non-finite entry of x[0..n), -1 if all are finite. */
static inline int nsds_first_nonfinite(const double *x, int n) {
  if (NSDS_LIKELY(nsds_zero_if_finite(x, n) == 0.0)) return -1;
  for (int i = 0; i < n; ++i)
    if (!isfinite(x[i])) return i;
  return -1;
}
/* Replaces entries that are not finite by zeros. */
static inline void nsds_make_finite(double *x, int n) {
  if (nsds_first_nonfinite(x, n) < 0) return;
  for (int i = 0; i < n; ++i)
    if (!isfinite(x[i])) x[i] = 0.0;
}

#endif
