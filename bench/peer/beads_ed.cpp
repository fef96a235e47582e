#include "driven.hpp"

struct beads_ed : driven {
  beads_ed(const char *size, long steps)
      : driven(steps, {atoi(size), 0.1, 1.0, 0.25, 0.95, 0.005, 0, 0, 0}) {}
};

int main(int argc, char **argv) { return driven_main<beads_ed>(argc, argv); }
