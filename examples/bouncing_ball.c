/*
 * A ball dropped from one metre, with restitution 0.9: writes time, height, speed and contact
 * impulse of every step as CSV.
 *
 *   bouncing_ball [FILE.csv]       (default: standard output)
 */
#include "output.h"
#include "progress.h"
#include "scenes.h"

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);
  nsds_model *model = nsds_model_create(NULL);
  ball_scene scene = scene_bouncing_ball(model, 1.0, 0.1, 1.0, 0.9);
  const double end = 10.0; /* s */
  nsds_simulation *simulation = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){.t1 = end, .h = 0.005, .second_order = nsds_moreau_jean(0.5, 1.0)});

  fprintf(out, "t [s],height [m],velocity [m/s],impulse [N s]\n");
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    fprintf(out, "%.17g,%.17g,%.17g,%.17g\n", nsds_time(simulation), nsds_q(scene.ball)[0],
            nsds_v(scene.ball)[0], nsds_impulse(scene.floor)[0]);
    progress("bouncing_ball", nsds_time(simulation) / end);
  }
  return output_close(out, model, status);
}
