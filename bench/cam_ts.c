/* A cam follower at 358 rpm in the frame of the cam: stiffness, and a force evaluated each step by
 * a function from a plugin (the build defines the folder, BENCH_PLUGINS). */
#include "stepping.h"

#include "scenes.h"

static void *build(const char *size, long steps, const char *variant) {
  (void)size, (void)variant;
  nsds_model *model = nsds_model_create(NULL);
  scene_cam_forced(model, 358.0, BENCH_PLUGINS "cam_follower_plugin.so");
  return stepping_start(
      model, steps,
      (nsds_time_stepping_def){.h = 1e-4, .second_order = nsds_moreau_jean(0.5, 1.0)});
}

int main(int argc, char **argv) { return stepping_main(argc, argv, build); }
