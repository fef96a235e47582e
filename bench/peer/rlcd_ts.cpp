#include "first_order.hpp"

struct rlcd_ts : first_order {
  rlcd_ts(const char *, long steps, const char *variant) : first_order(steps, 1e-5) {
    const double L = 1e-2, C = 1e-6, R = 1e3;
    add({10.0, 0.0}, matrix(2, 2, {0.0, 1.0 / L, -1.0 / C, 0.0}));
    link(std::make_shared<ComplementarityConditionNSL>(1), matrix(1, 2, {-1.0, 0.0}),
         matrix(1, 1, {R}), matrix(2, 1, {-1.0 / C, 0.0}));
    start_lcp(0.5, variant);
  }
};

int main(int argc, char **argv) { return stepping_main<rlcd_ts>(argc, argv); }
