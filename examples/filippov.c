/*
 * Filippov's centre: dx_1/dt = -sign(x_1) + 2 sign(x_2), dx_2/dt = -2 sign(x_1) - sign(x_2). The
 * motion turns about the origin infinitely often and is there after |x_1| + |x_2| over two seconds.
 *
 *   filippov [FILE.csv]       (default: standard output)
 */
#include "output.h"
#include "switching.h"

#include <math.h>

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);

  nsds_model *model = nsds_model_create(NULL);
  relay_scene scene = scene_filippov(model, 0.3, 0.7);
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 0.7, .h = 1e-4});

  fprintf(out, "t [s],x1 [1],x2 [1],|x1| + |x2| [1],relay 1 [1],relay 2 [1]\n");
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    const double *x = nsds_x(scene.system), *lambda = nsds_lambda(scene.relay);
    fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", nsds_time(simulation), x[0], x[1],
            fabs(x[0]) + fabs(x[1]), lambda[0], lambda[1]);
  }
  return output_close(out, model, status);
}
