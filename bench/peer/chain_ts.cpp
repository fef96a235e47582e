#include "stepping.hpp"

#include <BlockVector.hpp>
#include <LagrangianDS.hpp>
#include <LagrangianScleronomousR.hpp>

#include <cmath>

/* The chain of examples/scenes/chain.c. */
static constexpr double length = 0.1, link_kg = 0.1, drag = 0.05, gravity = 9.81;
static constexpr double slope_angle = 0.1, start_angle = 0.12;

struct link_mass : LagrangianDS {
  explicit link_mass(double s)
      : LagrangianDS(two(s * sin(start_angle), -s * cos(start_angle)), two(0.0, 0.0)) {
    auto m = zero();
    (*m)(0, 0) = (*m)(1, 1) = link_kg;
    setMassPtr(m);
    setFExtPtr(two(0.0, -link_kg * gravity));
    _fInt = two(0.0, 0.0);
    _jacobianFIntqDot = zero();
  }

  void computeFInt(double time) override { computeFInt(time, _q[0], _q[1]); }
  void computeFInt(double, SP::SiconosVector, SP::SiconosVector v) override {
    double vx = (*v)(0), vy = (*v)(1), d = drag * sqrt(vx * vx + vy * vy);
    (*_fInt)(0) = d * vx;
    (*_fInt)(1) = d * vy;
  }
  void computeJacobianFIntqDot(double time) override {
    computeJacobianFIntqDot(time, _q[0], _q[1]);
  }
  void computeJacobianFIntqDot(double, SP::SiconosVector, SP::SiconosVector v) override {
    double vx = (*v)(0), vy = (*v)(1), speed = sqrt(vx * vx + vy * vy);
    SiconosMatrix &J = *_jacobianFIntqDot;
    J.zero();
    if (speed == 0.0) return;
    J(0, 0) = drag * (speed + vx * vx / speed);
    J(0, 1) = J(1, 0) = drag * (vx * vy / speed);
    J(1, 1) = drag * (speed + vy * vy / speed);
  }

  static SP::SiconosVector two(double a, double b) {
    SP::SiconosVector v = std::make_shared<SiconosVector>(2);
    (*v)(0) = a, (*v)(1) = b;
    return v;
  }
  static SP::SimpleMatrix zero() {
    SP::SimpleMatrix m = std::make_shared<SimpleMatrix>(2, 2);
    m->zero();
    return m;
  }
};

/* Slack of a link below the hook (one mass) or between two masses. */
struct slack : LagrangianScleronomousR {
  explicit slack(unsigned nq) { _jachq = std::make_shared<SimpleMatrix>(1, nq); }

  static void along(const BlockVector &q, double &dx, double &dy) {
    const SiconosVector &a = *q.vector(0);
    dx = a(0), dy = a(1);
    if (q.numberOfBlocks() == 1) return;
    const SiconosVector &b = *q.vector(1);
    dx = b(0) - dx, dy = b(1) - dy;
  }
  void computeh(const BlockVector &q, BlockVector &, SiconosVector &y) override {
    double dx, dy;
    along(q, dx, dy);
    y(0) = length - sqrt(dx * dx + dy * dy);
  }
  void computeJachq(const BlockVector &q, BlockVector &) override {
    double dx, dy;
    along(q, dx, dy);
    double distance = sqrt(dx * dx + dy * dy);
    SiconosMatrix &H = *_jachq;
    unsigned lower = q.numberOfBlocks() == 1 ? 0 : 2;
    H(0, lower) = -dx / distance;
    H(0, lower + 1) = -dy / distance;
    if (lower == 0) return;
    H(0, 0) = -H(0, 2);
    H(0, 1) = -H(0, 3);
  }
};

struct chain_ts : stepping {
  chain_ts(const char *size, long steps, const char *variant) : stepping(steps, 1e-3) {
    auto impact = std::make_shared<NewtonImpactNSL>(0.0);
    SP::LagrangianDS above;
    int n = atoi(size);
    for (int i = 0; i < n; ++i) {
      auto below = add(std::make_shared<link_mass>(length * (1.0 + 1.0 / 1048576.0) * (i + 1)));
      auto joint = std::make_shared<Interaction>(impact, std::make_shared<slack>(i == 0 ? 2 : 4));
      if (i == 0) model->link(joint, below);
      else model->link(joint, above, below);
      model->link(contact(impact, {cos(slope_angle), sin(slope_angle)}, 0.0), below);
      above = below;
    }
    start(0.5, variant);
    newton(1e-13, 200);
  }
};

int main(int argc, char **argv) { return stepping_main<chain_ts>(argc, argv); }
