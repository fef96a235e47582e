/* Relay feedback of a third-order system: sliding and switching, one row with two bounds. */
#include "stepping.h"

#include "switching.h"

static void *build(const char *size, long steps, const char *variant) {
  (void)size, (void)variant;
  nsds_model *model = nsds_model_create(NULL);
  scene_relay_oscillator(model);
  return stepping_start(model, steps,
                        (nsds_time_stepping_def){.h = 1e-2, .first_order = nsds_euler_moreau(0.5)});
}

int main(int argc, char **argv) { return stepping_main(argc, argv, build); }
