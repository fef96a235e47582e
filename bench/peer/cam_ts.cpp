#include "stepping.hpp"

#include "cam_profile.h"

/* The force as an overridden function: the peer's shortest way to it (a plugin adds a check). */
struct follower : LagrangianLinearTIDS {
  static constexpr double mu = 1.221, zeta = 0.0, kappa = 1430.8;

  follower()
      : LagrangianLinearTIDS(std::make_shared<SiconosVector>(1, 0.4),
                             std::make_shared<SiconosVector>(1, 0.4), matrix(mu), matrix(kappa),
                             matrix(zeta)) {
    _fExt = std::make_shared<SiconosVector>(1, 0.0);
  }

  void computeFExt(double time) override {
    cam_state cam = cam_profile(time, 358.0);
    (*_fExt)(0) = -(mu * cam.ddc + zeta * cam.dc + kappa * cam.c);
  }

  static SP::SimpleMatrix matrix(double x) {
    SP::SimpleMatrix m = std::make_shared<SimpleMatrix>(1, 1);
    (*m)(0, 0) = x;
    return m;
  }
};

struct cam_ts : stepping {
  cam_ts(const char *, long steps, const char *variant) : stepping(steps, 1e-4) {
    auto cam = add(std::make_shared<follower>());
    model->link(contact(std::make_shared<NewtonImpactNSL>(0.8), {1.0}, 0.0), cam);
    start(0.5, variant);
  }
};

int main(int argc, char **argv) { return stepping_main<cam_ts>(argc, argv); }
