/*
 * A sample-and-hold circuit: a clock closes an ideal switch for a tenth of each millisecond, in
 * which a capacitor follows a sine; then it holds what it has. The switch is a nonlinear relation.
 *
 *   sample_and_hold [FILE.csv]       (default: standard output)
 */
#include "output.h"
#include "switched_circuits.h"

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);

  nsds_model *model = nsds_model_create(NULL);
  switched_scene scene = scene_sample_and_hold(model);
  nsds_simulation *simulation = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){.t1 = 0.02, .h = 2e-6, .first_order = nsds_euler_moreau(1.0)});

  fprintf(out, "t [s],source [V],capacitor voltage [V],switch [1],switch current [A]\n");
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    const double *lambda = nsds_lambda(scene.switches);
    double t = nsds_time(simulation);
    fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g\n", t, sample_source(t), nsds_x(scene.circuit)[0],
            lambda[0], lambda[1]);
  }
  return output_close(out, model, status);
}
