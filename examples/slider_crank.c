/*
 * A slider-crank whose block has play in its guide: it rattles between the walls and tilts. Writes
 * the crank's angle, where the block is, its corners' gaps, the energy, and how far the hinges are
 * off, which the projection leads back in every step.
 *
 *   slider_crank [FILE.csv]       (default: standard output)
 */
#include "bodies.h"
#include "output.h"
#include "progress.h"

#include <math.h>

static double largest_gap(const slider_crank_scene *scene) {
  double largest = 0.0;
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 2; ++i) largest = fmax(largest, fabs(nsds_y(scene->hinge[k])[i]));
  return largest;
}

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);

  nsds_model *model = nsds_model_create(NULL);
  slider_crank_scene scene = scene_slider_crank(model);
  const double t1 = 0.1; /* s */
  nsds_simulation *simulation = nsds_time_stepping(
      model, &(nsds_time_stepping_def){
                 .t1 = t1, .h = 5e-6, .projection = {.kind = NSDS_PROJECTION_DIRECT}});

  fprintf(out,
          "t [s],crank [rad],block x [m],block y [m],block angle [rad],left upper gap [m],"
          "right upper gap [m],left lower gap [m],right lower gap [m],energy [J],hinges [m]\n");
  nsds_status status;
  for (long k = 1; (status = nsds_step(simulation)) == NSDS_OK; ++k) {
    if (k % 10 != 0) continue;
    const double *block = nsds_q(scene.body[2]);
    fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g", nsds_time(simulation), nsds_q(scene.body[0])[2],
            block[0], block[1], block[2]);
    for (int i = 0; i < 4; ++i) fprintf(out, ",%.17g", nsds_y(scene.corner[i])[0]);
    fprintf(out, ",%.17g,%.3g\n", scene_slider_crank_energy(&scene), largest_gap(&scene));
    progress("slider_crank", nsds_time(simulation) / t1);
  }
  return output_close(out, model, status);
}
