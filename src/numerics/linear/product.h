/* Products for the few rows of a contact, a system or a block, with sums in registers up to four
 * rows. Every row is summed in the order of the columns. */
#ifndef NSDS_SRC_PRODUCT_H
#define NSDS_SRC_PRODUCT_H

/* Adds A x to y; A is m x n, column-major with leading dimension ld. */
static inline void nsds_add_product(int m, int n, const double *A, int ld, const double *x,
                                    double *y) {
  switch (m) {
  case 1: {
    double a = y[0];
    for (int k = 0; k < n; ++k, A += ld) a += A[0] * x[k];
    y[0] = a;
    return;
  }
  case 2: {
    double a = y[0], b = y[1];
    for (int k = 0; k < n; ++k, A += ld) {
      a += A[0] * x[k];
      b += A[1] * x[k];
    }
    y[0] = a, y[1] = b;
    return;
  }
  case 3: {
    double a = y[0], b = y[1], c = y[2];
    for (int k = 0; k < n; ++k, A += ld) {
      a += A[0] * x[k];
      b += A[1] * x[k];
      c += A[2] * x[k];
    }
    y[0] = a, y[1] = b, y[2] = c;
    return;
  }
  case 4: {
    double a = y[0], b = y[1], c = y[2], d = y[3];
    for (int k = 0; k < n; ++k, A += ld) {
      a += A[0] * x[k];
      b += A[1] * x[k];
      c += A[2] * x[k];
      d += A[3] * x[k];
    }
    y[0] = a, y[1] = b, y[2] = c, y[3] = d;
    return;
  }
  default:
    for (int k = 0; k < n; ++k, A += ld)
      for (int i = 0; i < m; ++i) y[i] += A[i] * x[k];
  }
}

#endif
