/*
 * A bowling ball with side spin slides on a curved path until it rolls: writes its path, speed, the
 * slip of the point that touches the lane and the friction force.
 *
 *   bowling_ball [FILE.csv]       (default: standard output)
 */
#include "bodies.h"
#include "output.h"

#include <math.h>

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);

  nsds_model *model = nsds_model_create(NULL);
  bowling_scene scene = scene_bowling_ball(model);
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 3.0, .h = 2e-3});

  fprintf(out, "t [s],x [m],y [m],speed [m/s],slip [m/s],friction [N]\n");
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    const double *q = nsds_q(scene.ball), *v = nsds_v(scene.ball);
    const double *slip = nsds_ydot(scene.lane), *force = nsds_lambda(scene.lane);
    fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", nsds_time(simulation), q[0], q[1],
            hypot(v[0], v[1]), hypot(slip[1], slip[2]), hypot(force[1], force[2]));
  }
  return output_close(out, model, status);
}
