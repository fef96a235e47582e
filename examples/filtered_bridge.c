/*
 * The rectifier of diode_bridge.c with a capacitor across its load, which smooths the voltage: the
 * diodes conduct only while the source is above it.
 *
 *   filtered_bridge [FILE.csv]       (default: standard output)
 */
#include "circuits.h"
#include "output.h"

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);

  nsds_model *model = nsds_model_create(NULL);
  circuit_scene scene = scene_filtered_bridge(model, 1e-2, 1e-6, 1e3, 3e-7, 10.0);
  nsds_simulation *simulation = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){.t1 = 5e-3, .h = 1e-6, .first_order = nsds_euler_moreau(0.5)});

  fprintf(out, "t [s],source voltage [V],load voltage [V],current into the load side [A],"
               "inductor current [A]\n");
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    const double *x = nsds_x(scene.circuit), *lambda = nsds_lambda(scene.diodes);
    fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g\n", nsds_time(simulation), x[0], x[2],
            lambda[0] + lambda[1], x[1]);
  }
  return output_close(out, model, status);
}
