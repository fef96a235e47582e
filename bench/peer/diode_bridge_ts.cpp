#include "first_order.hpp"

struct diode_bridge_ts : first_order {
  diode_bridge_ts(const char *, long steps, const char *variant) : first_order(steps, 1e-6) {
    const double L = 1e-2, C = 1e-6, R = 1e3;
    add({10.0, 0.0}, matrix(2, 2, {0.0, 1.0 / L, -1.0 / C, 0.0}));
    link(std::make_shared<ComplementarityConditionNSL>(4),
         matrix(4, 2, {0.0, 0.0, -1.0, 1.0, 0.0, 0.0, 0.0, 0.0}),
         matrix(4, 4, {1.0 / R, 1.0 / R, 1.0, 0.0, 1.0 / R, 1.0 / R, 0.0, 1.0, -1.0, 0.0, 0.0, 0.0,
                       0.0, -1.0, 0.0, 0.0}),
         matrix(2, 4, {0.0, 0.0, 0.0, 0.0, -1.0 / C, 0.0, 1.0 / C, 0.0}));
    start_lcp(0.5, variant);
  }
};

int main(int argc, char **argv) { return stepping_main<diode_bridge_ts>(argc, argv); }
