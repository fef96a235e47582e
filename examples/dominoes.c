/*
 * Two dozen dominoes, the first of which is pushed over.
 *
 *   dominoes [FILE.csv]       (default: standard output)
 *
 * Writes over time how many lean by more than 10 degrees, which is how far the wave has come, then
 * the faces of all while half of them stand, and beside FILE.csv a series for ParaView.
 */
#include "show_blocks.h"

#include <math.h>

enum { dominoes = 24 };

static const double pitch = 0.02;

static void row(FILE *out, const blocks *b) {
  int leaning = 0;
  for (int k = 0; k < b->count; ++k) {
    double up[3];
    nsds_to_world(nsds_q(b->block[k].ds), (const double[]){0, 0, 1}, up);
    leaning += up[2] < cos(3.14159265358979323846 / 18.0);
  }
  fprintf(out, ",%d,%.6g", leaning, leaning * pitch);
}

int main(int argc, char **argv) {
  static blocks b;
  blocks_open(&b, nsds_model_create(NULL), 1, &(nsds_material){.mu = 0.2});
  blocks_dominoes(&b, dominoes, pitch, 6.0);
  return run_blocks(argc, argv, &b,
                    &(block_run){.h = 5e-4,
                                 .end = 0.9,
                                 .tolerance = 1e-6,
                                 .picture = 0.45,
                                 .frame = 40,
                                 .title = "dominoes",
                                 .columns = ",leaning,front [m]",
                                 .row = row});
}
