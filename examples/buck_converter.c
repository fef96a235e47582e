/*
 * A step-down converter under closed loop, from 12 V to 5 V: a comparator opens and closes an ideal
 * switch, a diode carries the coil's current meanwhile. After 3 ms the load doubles.
 *
 *   buck_converter [FILE.csv]       (default: standard output)
 */
#include "output.h"
#include "progress.h"
#include "switched_circuits.h"

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);
  const double end = 6e-3, load_step = 3e-3; /* s */
  const double light = 0.2, heavy = 0.4;     /* S */

  nsds_model *model = nsds_model_create(NULL);
  switched_scene scene = scene_buck_converter(model, light);
  nsds_simulation *simulation = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){.t1 = end, .h = 5e-8, .first_order = nsds_euler_moreau(1.0)});

  fprintf(out, "t [s],coil current [A],output voltage [V],duty asked for [1],switch [1],"
               "voltage before the coil [V],diode current [A]\n");
  bool doubled = false;
  const long every = 4; /* rows would be many */
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    const double *x = nsds_x(scene.circuit), *lambda = nsds_lambda(scene.switches);
    double t = nsds_time(simulation);
    if (nsds_step_count(simulation) % every == 0)
      fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", t, x[0], x[1], x[2], lambda[0],
              lambda[1], nsds_y(scene.switches)[1]);
    if (!doubled && t >= load_step) doubled = nsds_ds_set_z(scene.circuit, 1, &heavy) == NSDS_OK;
    progress("buck_converter", t / end);
  }
  return output_close(out, model, status);
}
