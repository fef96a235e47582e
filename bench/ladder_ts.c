/*
 * A line of SIZE cells with a diode each: one system with sparse A, one interaction per diode. A
 * standing wave keeps about half of the diodes conducting.
 */
#include "stepping.h"

#include "circuits.h"

static void *build(const char *size, long steps, const char *variant) {
  (void)variant;
  nsds_model *model = nsds_model_create(NULL);
  ladder_scene scene = scene_diode_ladder(model, atoi(size), 1e-3, 1e-6, 10.0, 10.0, 20);
  ladder_free(&scene);
  return stepping_start(model, steps,
                        (nsds_time_stepping_def){.h = 2e-6, .first_order = nsds_euler_moreau(0.5)});
}

int main(int argc, char **argv) { return stepping_main(argc, argv, build); }
