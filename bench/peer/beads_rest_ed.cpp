#include "driven.hpp"

struct beads_rest_ed : driven {
  beads_rest_ed(const char *size, long steps)
      : driven(steps, {atoi(size), 0.1, 1.0, 0.25, 0.5, 0.005, 0, 0, 0}, false) {}
};

int main(int argc, char **argv) { return driven_main<beads_rest_ed>(argc, argv); }
