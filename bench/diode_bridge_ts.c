/* A bridge of four diodes between an oscillating circuit and its load: a nonsmooth problem of four
 * rows, not symmetric and only semidefinite, in every step. */
#include "stepping.h"

#include "circuits.h"

static void *build(const char *size, long steps, const char *variant) {
  (void)size, (void)variant;
  nsds_model *model = nsds_model_create(NULL);
  scene_diode_bridge(model, 1e-2, 1e-6, 1e3, 10.0);
  return stepping_start(model, steps,
                        (nsds_time_stepping_def){.h = 1e-6, .first_order = nsds_euler_moreau(0.5)});
}

int main(int argc, char **argv) { return stepping_main(argc, argv, build); }
