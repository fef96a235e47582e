/* Inner products, plain and in the metric of blockwise.h. */
#ifndef NSDS_SRC_INNER_PRODUCTS_H
#define NSDS_SRC_INNER_PRODUCTS_H

static inline double nsds_inner_product(int n, const double *x, const double *y) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

/* x^T R^-1 y, the inner product of points. */
static inline double nsds_dot_z(int n, const double *r, const double *x, const double *y) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * y[i] / r[i];
  return sum;
}

/* (x - y)^T R^-1 (x - y) */
static inline double nsds_distance_z(int n, const double *r, const double *x, const double *y) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += (x[i] - y[i]) * (x[i] - y[i]) / r[i];
  return sum;
}

/* x^T R y, the inner product of gradients. */
static inline double nsds_dot_w(int n, const double *r, const double *x, const double *y) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * r[i] * y[i];
  return sum;
}

#endif
