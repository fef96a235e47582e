#include "beads.hpp"

struct beads_falling_ts : beads {
  beads_falling_ts(const char *size, long steps, const char *variant)
      : beads(atoi(size), 0.1, 1.0, 0.25, 5e-4, steps, variant) {}
};

int main(int argc, char **argv) { return stepping_main<beads_falling_ts>(argc, argv); }
