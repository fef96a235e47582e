/* SIZE beads dropped on the floor one above the other: free flight first, then a growing number of
 * contacts that open and close. */
#include "stepping.h"

#include "scenes.h"

static void *build(const char *size, long steps, const char *variant) {
  (void)variant;
  static bead_scene scene;
  nsds_model *model = nsds_model_create(NULL);
  scene_bead_column(model, &scene, atoi(size), 0.1, 1.0, 0.25, 0.9);
  return stepping_start(
      model, steps,
      (nsds_time_stepping_def){.h = 5e-4, .second_order = nsds_moreau_jean(0.5, 1.0)});
}

int main(int argc, char **argv) { return stepping_main(argc, argv, build); }
