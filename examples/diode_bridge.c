/*
 * A rectifier: an oscillating circuit feeds a load through a bridge of four ideal diodes. The
 * scheme that imposes the diodes' law in the middle of each step conserves energy exactly: what the
 * circuit stores plus what the load has dissipated.
 *
 *   diode_bridge [FILE.csv]       (default: standard output)
 */
#include "circuits.h"
#include "output.h"

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);
  const double L = 1e-2, C = 1e-6, R = 1e3, h = 1e-6; /* H, F, Ohm, s */

  nsds_model *model = nsds_model_create(NULL);
  circuit_scene scene = scene_diode_bridge(model, L, C, R, 10.0);
  nsds_simulation *simulation = nsds_time_stepping(
      model, &(nsds_time_stepping_def){
                 .t1 = 5e-3, .h = h, .first_order = nsds_full_theta_gamma(0.5, 0.5)});

  fprintf(out, "t [s],capacitor voltage [V],inductor current [A],load voltage [V],"
               "current of diode A-P [A],current of diode N-A [A],reverse voltage of diode B-P [V],"
               "stored energy [J],dissipated energy [J]\n");
  double dissipated = 0.0;
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    const double *x = nsds_x(scene.circuit), *lambda = nsds_lambda(scene.diodes);
    double load = lambda[0] + lambda[1]; /* V, in the middle of the step */
    dissipated += h * load * load / R;
    fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", nsds_time(simulation),
            x[0], x[1], load, lambda[2], lambda[3], lambda[0],
            0.5 * (C * x[0] * x[0] + L * x[1] * x[1]), dissipated);
  }
  return output_close(out, model, status);
}
