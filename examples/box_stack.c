/*
 * Ten cubes on each other, each a little off the one below.
 *
 *   box_stack [FILE.csv]       (default: standard output)
 *
 * Writes over time what the ground carries, in weights of a cube, and how far the top one has
 * moved; then the faces of all cubes, and beside FILE.csv a series for ParaView.
 */
#include "show_blocks.h"

#include <math.h>

enum { cubes = 10 };

static void row(FILE *out, const blocks *b) {
  static double start[3];
  const double *q = nsds_q(b->block[cubes - 1].ds);
  double carried = 0.0, moved = 0.0;
  for (int i = 0; i < 3; ++i) {
    if (start[2] == 0.0 && i == 0)
      for (int k = 0; k < 3; ++k) start[k] = q[k];
    moved = fmax(moved, fabs(q[i] - start[i]));
  }
  for (int k = 0; k < nsds_contact_set_count(b->contacts); ++k) {
    nsds_contact_info info;
    if (nsds_contact_set_get(b->contacts, k, &info) == NSDS_OK && !info.ds[1])
      carried += info.force[0];
  }
  fprintf(out, ",%.9g,%.3g", carried / (9.81 * b->block[0].mass), moved);
}

int main(int argc, char **argv) {
  static blocks b;
  blocks_open(&b, nsds_model_create(NULL), 1, &(nsds_material){.mu = 0.5});
  blocks_stack(&b, cubes, 0.12);
  return run_blocks(argc, argv, &b,
                    &(block_run){.h = 5e-3,
                                 .end = 5.0,
                                 .frame = 100,
                                 .title = "stack",
                                 .columns = ",carried [weights],top moved [m]",
                                 .row = row});
}
