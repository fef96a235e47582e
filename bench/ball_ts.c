/* A bouncing ball: one system, one contact; the cost of a step where there is nothing to solve. */
#include "stepping.h"

#include "scenes.h"

static void *build(const char *size, long steps, const char *variant) {
  (void)size, (void)variant;
  nsds_model *model = nsds_model_create(NULL);
  scene_bouncing_ball(model, 1.0, 0.0, 1.0, 0.9);
  return stepping_start(
      model, steps,
      (nsds_time_stepping_def){.h = 0.005, .second_order = nsds_moreau_jean(0.5, 1.0)});
}

int main(int argc, char **argv) { return stepping_main(argc, argv, build); }
