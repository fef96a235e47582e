/*
 * A column of beads dropped on the floor, all contacts with restitution 0.9: writes time and the
 * height of every bead as CSV, with the kinetic energy in the last column.
 *
 *   bead_column [FILE.csv [N]]     (default: standard output, 10 beads)
 */
#include "output.h"
#include "progress.h"
#include "scenes.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int n = argc > 2 ? atoi(argv[2]) : 10;
  if (n < 1 || n > scene_max_beads) {
    fprintf(stderr, "usage: bead_column [FILE.csv [N]], N in [1, %d]\n", scene_max_beads);
    return 2;
  }
  FILE *out = output_open(argc, argv);
  static bead_scene scene;
  nsds_model *model = nsds_model_create(NULL);
  scene_bead_column(model, &scene, n, 0.1, 1.0, 0.25, 0.9);
  const double end = 2.0; /* s */
  nsds_simulation *simulation = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){.t1 = end, .h = 5e-4, .second_order = nsds_moreau_jean(0.5, 1.0)});

  fprintf(out, "t [s]");
  for (int i = 0; i < n; ++i) fprintf(out, ",height of bead %d [m]", i);
  fprintf(out, ",kinetic energy [J]\n");
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    double energy = 0.0;
    fprintf(out, "%.17g", nsds_time(simulation));
    for (int i = 0; i < n; ++i) {
      fprintf(out, ",%.17g", nsds_q(scene.bead[i])[0]);
      energy += 0.5 * nsds_v(scene.bead[i])[0] * nsds_v(scene.bead[i])[0]; /* each weighs 1 kg */
    }
    fprintf(out, ",%.17g\n", energy);
    progress("bead_column", nsds_time(simulation) / end);
  }
  return output_close(out, model, status);
}
