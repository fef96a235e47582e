/* The column of beads of examples/scenes/bead_column.c. */
#ifndef NSDS_BENCH_PEER_BEADS_HPP
#define NSDS_BENCH_PEER_BEADS_HPP

#include "stepping.hpp"

struct beads : stepping {
  beads(int n, double radius, double bottom, double pitch, double h, long steps,
        const char *variant)
      : stepping(steps, h) {
    auto impact = std::make_shared<NewtonImpactNSL>(0.9);
    for (int i = 0; i < n; ++i) {
      auto bead = add(std::make_shared<LagrangianLinearTIDS>(vector(bottom + i * pitch),
                                                             vector(0.0), row({1.0})));
      bead->setFExtPtr(vector(-9.81));
      if (i == 0) model->link(contact(impact, {1.0}, -radius), bead);
      else model->link(contact(impact, {-1.0, 1.0}, -2.0 * radius), below, bead);
      below = bead;
    }
    start(0.5, variant);
  }

private:
  SP::LagrangianLinearTIDS below;
};

#endif
