#include "stepping.hpp"

#include <LagrangianDS.hpp>

#include <cmath>

/* Functions as overridden members: the peer's shortest way to them. Its F_gyr is the library's NNL. */
struct slider : LagrangianDS {
  static constexpr double g = 9.81;

  slider() : LagrangianDS(three(0.1, 0.0, 0.1), three(2.0, 0.0, 0.0)) {
    _mass = zero();
    _hasConstantMass = false;
    _fGyr = three(0.0, 0.0, 0.0);
    _fInt = three(0.0, 0.0, 0.0);
    _jacobianFGyrq = zero();
    _jacobianFGyrqDot = zero();
    _jacobianFIntq = zero();
    (*_mass)(0, 0) = 2.0;
    (*_mass)(1, 1) = (*_mass)(2, 2) = 1.0;
    (*_jacobianFIntq)(1, 1) = g;
  }

  void computeMass() override { computeMass(_q[0]); }
  void computeMass(SP::SiconosVector q) override {
    (*_mass)(0, 2) = (*_mass)(2, 0) = cos((*q)(2));
  }

  void computeFGyr() override { computeFGyr(_q[0], _q[1]); }
  void computeFGyr(SP::SiconosVector q, SP::SiconosVector v) override {
    (*_fGyr)(0) = -(*v)(2) * (*v)(2) * sin((*q)(2));
  }
  void computeJacobianFGyrq() override { computeJacobianFGyrq(_q[0], _q[1]); }
  void computeJacobianFGyrq(SP::SiconosVector q, SP::SiconosVector v) override {
    (*_jacobianFGyrq)(0, 2) = -(*v)(2) * (*v)(2) * cos((*q)(2));
  }
  void computeJacobianFGyrqDot() override { computeJacobianFGyrqDot(_q[0], _q[1]); }
  void computeJacobianFGyrqDot(SP::SiconosVector q, SP::SiconosVector v) override {
    (*_jacobianFGyrqDot)(0, 2) = -2.0 * (*v)(2) * sin((*q)(2));
  }

  void computeFInt(double time) override { computeFInt(time, _q[0], _q[1]); }
  void computeFInt(double, SP::SiconosVector q, SP::SiconosVector) override {
    (*_fInt)(1) = g * (*q)(1);
    (*_fInt)(2) = g * sin((*q)(2));
  }
  void computeJacobianFIntq(double time) override { computeJacobianFIntq(time, _q[0], _q[1]); }
  void computeJacobianFIntq(double, SP::SiconosVector q, SP::SiconosVector) override {
    (*_jacobianFIntq)(2, 2) = g * cos((*q)(2));
  }

  static SP::SiconosVector three(double a, double b, double c) {
    SP::SiconosVector v = std::make_shared<SiconosVector>(3);
    (*v)(0) = a, (*v)(1) = b, (*v)(2) = c;
    return v;
  }
  static SP::SimpleMatrix zero() {
    SP::SimpleMatrix m = std::make_shared<SimpleMatrix>(3, 3);
    m->zero();
    return m;
  }
};

struct pendulum_slider_ts : stepping {
  pendulum_slider_ts(const char *, long steps, const char *variant) : stepping(steps, 1e-3) {
    auto body = add(std::make_shared<slider>());
    auto impact = std::make_shared<NewtonImpactNSL>(0.5);
    model->link(contact(impact, {0.0, 1.0, 0.0}, 0.0), body);
    model->link(contact(impact, {-1.0, 0.0, 0.0}, 0.2375), body);
    model->link(contact(impact, {1.0, 0.0, 0.0}, -0.0125), body);
    start(0.5, variant, 1.0);
    newton(1e-10, 200);
  }
};

int main(int argc, char **argv) { return stepping_main<pendulum_slider_ts>(argc, argv); }
