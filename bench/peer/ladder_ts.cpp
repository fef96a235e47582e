#include "first_order.hpp"

#include <cmath>

/* A, C and B are dense: with sparse ones the peer refuses to build its iteration matrix. */
struct ladder_ts : first_order {
  ladder_ts(const char *size, long steps, const char *variant) : first_order(steps, 2e-6) {
    const double L = 1e-3, C = 1e-6, R = 10.0, v0 = 10.0, pi = 3.14159265358979323846;
    unsigned cells = unsigned(atoi(size)), n = 2 * cells;
    std::vector<double> x0(n), a(n * n);
    for (unsigned k = 0; k < cells; ++k) x0[2 * k + 1] = v0 * sin(2.0 * pi * (k + 1) / 20.0);
    for (unsigned j = 0; j < n; ++j) {
      double storage = j % 2 == 0 ? C : L;
      if (j > 0) a[j - 1 + j * n] = -1.0 / storage;
      if (j + 1 < n) a[j + 1 + j * n] = 1.0 / storage;
    }
    add(x0, matrix(n, n, a));
    for (unsigned k = 0; k < cells; ++k) {
      std::vector<double> c(n), b(n);
      c[2 * k + 1] = 1.0;
      b[2 * k + 1] = 1.0 / C;
      link(std::make_shared<ComplementarityConditionNSL>(1), matrix(1, n, c), matrix(1, 1, {R}),
           matrix(n, 1, b));
    }
    start_lcp(0.5, variant);
  }
};

int main(int argc, char **argv) { return stepping_main<ladder_ts>(argc, argv); }
