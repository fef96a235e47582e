#include "beads.hpp"

struct beads_ts : beads {
  static constexpr double overlap = 1.0 / 1048576.0; /* 2^-20 */

  beads_ts(const char *size, long steps, const char *variant)
      : beads(atoi(size), 0.5, 0.5 - overlap, 1.0 - overlap, 5e-4, steps, variant) {}
};

int main(int argc, char **argv) { return stepping_main<beads_ts>(argc, argv); }
