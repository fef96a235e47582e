#include "driven.hpp"

struct ball_ed : driven {
  ball_ed(const char *, long steps) : driven(steps, {1, 0.0, 1.0, 0.0, 0.9, 0.005, 0, 0, 0}) {}
};

int main(int argc, char **argv) { return driven_main<ball_ed>(argc, argv); }
