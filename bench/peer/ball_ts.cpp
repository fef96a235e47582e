#include "stepping.hpp"

struct ball_ts : stepping {
  ball_ts(const char *, long steps, const char *variant) : stepping(steps, 0.005) {
    auto ball = add(std::make_shared<LagrangianLinearTIDS>(vector(1.0), vector(0.0), row({1.0})));
    ball->setFExtPtr(vector(-9.81));
    model->link(contact(std::make_shared<NewtonImpactNSL>(0.9), {1.0}, 0.0), ball);
    start(0.5, variant);
  }
};

int main(int argc, char **argv) { return stepping_main<ball_ts>(argc, argv); }
