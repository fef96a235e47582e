/*
 * Two arches of wedges with nothing but friction between them: the same but for the coefficient,
 * 0.5 and 0.25. One stands, the other one falls.
 *
 *   arch [FILE.csv]       (default: standard output)
 *
 * Writes the height of both crowns over time, then the faces of all wedges, and beside FILE.csv a
 * series for ParaView.
 */
#include "show_blocks.h"

enum { wedges = 13 };

static void row(FILE *out, const blocks *b) {
  fprintf(out, ",%.9g,%.9g", nsds_q(b->block[wedges / 2].ds)[2],
          nsds_q(b->block[wedges + wedges / 2].ds)[2]);
}

int main(int argc, char **argv) {
  static blocks b;
  const nsds_material material[] = {{.mu = 1.0}, {.mu = 0.5}, {.mu = 0.25}};
  blocks_open(&b, nsds_model_create(NULL), 3, material);
  blocks_arch(&b, wedges, 0.3, 0.0, 1);
  blocks_arch(&b, wedges, 0.3, -1.0, 2);
  return run_blocks(argc, argv, &b,
                    &(block_run){.h = 2e-3,
                                 .end = 1.2,
                                 .tolerance = 1e-8,
                                 .frame = 20,
                                 .picture = 0.4,
                                 .title = "arches",
                                 .columns = ",crown at mu = 0.5 [m],crown at mu = 0.25 [m]",
                                 .row = row});
}
