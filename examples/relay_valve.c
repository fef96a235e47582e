/*
 * A hydraulic cylinder is led to its place by a valve that only knows open and reversed: a relay,
 * whose sliding mode lets it stand in between. Writes place and pressures, the relay and its
 * surface.
 *
 *   relay_valve [FILE.csv]       (default: standard output)
 */
#include "hydraulics.h"
#include "output.h"
#include "progress.h"

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);

  nsds_model *model = nsds_model_create(NULL);
  cylinder_scene scene = scene_relay_valve(model);
  const double t1 = 2.6;
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = t1, .h = 2e-4});

  fprintf(out, "t [s],q [m],reference [m],v [m/s],p1 [MPa],p2 [MPa],relay [1],surface [m]\n");
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    const double t = nsds_time(simulation), *p = nsds_x(scene.chambers);
    fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", t, nsds_q(scene.piston)[0],
            relay_valve_reference(t), nsds_v(scene.piston)[0], p[0], p[1],
            nsds_lambda(scene.valve)[0], nsds_y(scene.valve)[0]);
    progress("relay_valve", t / t1);
  }
  return output_close(out, model, status);
}
