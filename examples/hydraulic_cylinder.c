/*
 * A hydraulic cylinder lifts half a ton to its stop, lets it down, and is stopped by its valve on
 * the way: the relief valve opens below the piston, and above it the suction valve.
 *
 *   hydraulic_cylinder [FILE.csv]       (default: standard output)
 */
#include "hydraulics.h"
#include "output.h"
#include "progress.h"

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);

  nsds_model *model = nsds_model_create(NULL);
  cylinder_scene scene = scene_cylinder(model);
  const double t1 = 4.0, h = 2e-4;
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = t1, .h = h});

  fprintf(out, "t [s],q [m],v [m/s],p1 [MPa],p2 [MPa],valve [1],suction 1 [l/s],suction 2 [l/s],"
               "relief 1 [l/s],relief 2 [l/s],stops [kN]\n");
  nsds_status status;
  for (long k = 1; (status = nsds_step(simulation)) == NSDS_OK; ++k) {
    const double *p = nsds_x(scene.chambers), *flow = nsds_lambda(scene.limits);
    double stops = (nsds_impulse(scene.low)[0] - nsds_impulse(scene.high)[0]) / h;
    fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g", nsds_time(simulation),
            nsds_q(scene.piston)[0], nsds_v(scene.piston)[0], p[0], p[1],
            nsds_lambda(scene.valve)[0]);
    for (int i = 0; i < 4; ++i) fprintf(out, ",%.17g", flow[i]);
    fprintf(out, ",%.17g\n", 1e-3 * stops);
    progress("hydraulic_cylinder", nsds_time(simulation) / t1);
  }
  return output_close(out, model, status);
}
