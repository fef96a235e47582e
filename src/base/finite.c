/* Tests many numbers for finite values: differences in sums that do not wait for each other. */
#include "base/finite.h"

double nsds_zero_if_many_finite(const double *x, int n) {
  enum { lanes = 8, half = lanes / 2 };
  double sum[lanes] = {0.0}, rest = 0.0;
  int i = 0;
  for (; i + lanes <= n; i += lanes)
    for (int k = 0; k < lanes; ++k) sum[k] += x[i + k] - x[i + k];
  for (; i + half <= n; i += half)
    for (int k = 0; k < half; ++k) sum[k] += x[i + k] - x[i + k];
  for (; i < n; ++i) rest += x[i] - x[i];
  for (int k = 0; k < half; ++k) rest += sum[k] + sum[k + half];
  return rest;
}
