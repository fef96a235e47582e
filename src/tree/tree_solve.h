/* Symmetric positive definite systems of up to 3 unknowns, by Cholesky. Columns have 3 entries. */
#ifndef NSDS_SRC_TREE_SOLVE_H
#define NSDS_SRC_TREE_SOLVE_H

#include <math.h>
#include <stdbool.h>

/* Factors D, n x n. Returns false if it is not positive definite. */
static inline bool nsds_tree_factor(int n, double *D) {
  double size = 0.0;
  for (int k = 0; k < n; ++k) size = D[4 * k] > size ? D[4 * k] : size;
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i) {
      double sum = D[i + 3 * j];
      for (int k = 0; k < j; ++k) sum -= D[i + 3 * k] * D[j + 3 * k];
      if (i == j && !(sum > 1e-14 * size)) return false;
      D[i + 3 * j] = i == j ? sqrt(sum) : sum / D[4 * j];
    }
  return n == 0 || size > 0.0;
}

static inline void nsds_tree_solve(int n, const double *L, double *x) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) x[i] -= L[i + 3 * k] * x[k];
    x[i] /= L[4 * i];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) x[i] -= L[k + 3 * i] * x[k];
    x[i] /= L[4 * i];
  }
}

#endif
