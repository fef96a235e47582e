/*
 * Relay feedback of a third-order system with an unstable focus: the motion neither settles nor
 * repeats, and slides along x_1 = 0 in part of every turn, where the relay takes values between its
 * bounds.
 *
 *   relay_oscillator [FILE.csv]       (default: standard output)
 */
#include "output.h"
#include "switching.h"

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);

  nsds_model *model = nsds_model_create(NULL);
  relay_scene scene = scene_relay_oscillator(model);
  nsds_simulation *simulation = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){.t1 = 100.0, .h = 1e-2, .first_order = nsds_euler_moreau(0.5)});

  fprintf(out, "t [s],x1 [1],x2 [1],x3 [1],relay [1]\n");
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    const double *x = nsds_x(scene.system);
    fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g\n", nsds_time(simulation), x[0], x[1], x[2],
            nsds_lambda(scene.relay)[0]);
  }
  return output_close(out, model, status);
}
