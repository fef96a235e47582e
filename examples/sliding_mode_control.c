/*
 * Sampled sliding-mode control of a disturbed plant, twice: with u = -sign(x_2), which chatters,
 * and with the implicit relay, which does not and reproduces the disturbance with its sign
 * reversed.
 *
 *   sliding_mode_control [FILE.csv]       (default: standard output)
 */
#include "output.h"
#include "smc.h"

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);
  const double h = 1e-4, end = 1.0, period = 1e-2; /* s */
  const smc_control control[2] = {smc_explicit_control, smc_implicit_control};

  nsds_model *model[2];
  smc_scene scene[2];
  for (int k = 0; k < 2; ++k) {
    model[k] = nsds_model_create(NULL);
    scene_smc(model[k], &scene[k], h, end, period, control[k]);
  }

  fprintf(out, "t [s],x2 explicit [1],u explicit [1],x2 implicit [1],u implicit [1]\n");
  nsds_status status = NSDS_OK;
  while (status == NSDS_OK) {
    fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g\n", nsds_time(scene[0].simulation),
            nsds_x(scene[0].plant)[1], nsds_ds_z(scene[0].plant)[0], nsds_x(scene[1].plant)[1],
            nsds_ds_z(scene[1].plant)[0]);
    for (int k = 0; k < 2 && status >= 0; ++k) {
      status = nsds_step(scene[k].simulation);
      if (status < 0) fprintf(stderr, "%s\n", nsds_error_message(nsds_model_context(model[k])));
    }
  }
  for (int k = 0; k < 2; ++k) smc_free(&scene[k]);
  nsds_model_destroy(model[0]);
  return output_close(out, model[1], status);
}
