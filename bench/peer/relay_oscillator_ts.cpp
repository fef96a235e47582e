#include "first_order.hpp"

struct relay_oscillator_ts : first_order {
  relay_oscillator_ts(const char *, long steps, const char *variant) : first_order(steps, 1e-2) {
    const double omega = 10.0, xi = -0.07, l = 0.05, k = 1.0, sigma = -1.0, rho = 1.0;
    add({0.0, 0.5, 0.0},
        matrix(3, 3, {-(2.0 * xi * omega + l), -(2.0 * xi * omega * l + omega * omega),
                      -l * omega * omega, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0}));
    link(std::make_shared<RelayNSL>(1, -1.0, 1.0), matrix(1, 3, {1.0, 0.0, 0.0}), nullptr,
         matrix(3, 1, {k, 2.0 * k * sigma * rho, k * rho * rho}));
    start_relay(0.5, variant);
  }
};

int main(int argc, char **argv) { return stepping_main<relay_oscillator_ts>(argc, argv); }
