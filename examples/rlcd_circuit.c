/*
 * A capacitor and an inductor oscillate; a resistor in series with an ideal diode takes energy out
 * of every second half wave.
 *
 *   rlcd_circuit [FILE.csv]       (default: standard output)
 */
#include "circuits.h"
#include "output.h"

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);
  const double L = 1e-2, C = 1e-6, R = 1e3; /* H, F, Ohm */

  nsds_model *model = nsds_model_create(NULL);
  circuit_scene scene = scene_rlcd(model, L, C, R, 10.0, 0.0);
  nsds_simulation *simulation = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){.t1 = 5e-3, .h = 1e-5, .first_order = nsds_euler_moreau(0.5)});

  fprintf(out, "t [s],capacitor voltage [V],inductor current [A],diode voltage [V],"
               "diode current [A],stored energy [J]\n");
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    double v = nsds_x(scene.circuit)[0], i = nsds_x(scene.circuit)[1];
    fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", nsds_time(simulation), v, i,
            -nsds_y(scene.diodes)[0], nsds_lambda(scene.diodes)[0], 0.5 * (C * v * v + L * i * i));
  }
  return output_close(out, model, status);
}
