/*
 * A heavy top let go with its spin alone: it nutates, and its axis draws cusps as it goes round.
 * Writes the axis, its tilt, and the force at the tip.
 *
 *   spinning_top [FILE.csv]       (default: standard output)
 */
#include "bodies.h"
#include "output.h"

#include <math.h>

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);

  nsds_model *model = nsds_model_create(NULL);
  top_scene scene = scene_spinning_top(model);
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.4, .h = 5e-6});

  fprintf(out, "t [s],axis x [1],axis y [1],tilt [rad],force z [N]\n");
  nsds_status status;
  const double up[3] = {0.0, 0.0, 1.0};
  for (long k = 1; (status = nsds_step(simulation)) == NSDS_OK; ++k) {
    double axis[3];
    nsds_to_world(nsds_q(scene.top), up, axis);
    if (k % 80 == 0)
      fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g\n", nsds_time(simulation), axis[0], axis[1],
              acos(axis[2]), nsds_lambda(scene.tip)[2]);
  }
  return output_close(out, model, status);
}
