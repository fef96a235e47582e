/*
 * Twisting control: two relays, on position and velocity, bring a disturbed double integrator to
 * rest in finite time and hold it there. Once at rest their sum is the disturbance with its sign
 * reversed.
 *
 *   twisting_control [FILE.csv]       (default: standard output)
 */
#include "output.h"
#include "switching.h"

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);

  nsds_model *model = nsds_model_create(NULL);
  relay_scene scene = scene_twisting(model, 1.0, 0.5);
  nsds_simulation *simulation = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){.t1 = 6.0, .h = 1e-3, .first_order = nsds_euler_moreau(1.0)});

  fprintf(out, "t [s],x1 [1],x2 [1/s],control [1/s^2]\n");
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK)
    fprintf(out, "%.17g,%.17g,%.17g,%.17g\n", nsds_time(simulation), nsds_x(scene.system)[0],
            nsds_x(scene.system)[1], nsds_r(scene.system)[1]);
  return output_close(out, model, status);
}
