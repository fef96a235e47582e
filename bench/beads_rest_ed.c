/* SIZE beads dropped on the floor with restitution 1/2, from event to event until they are at rest
 * on each other: series of impacts that come to their limits at one contact after the other. */
#include "driven.h"
#include "scenes.h"

static void *build(const char *size, long steps, const char *variant) {
  static bead_scene scene;
  nsds_model *model = nsds_model_create(NULL);
  scene_bead_column(model, &scene, atoi(size), 0.1, 1.0, 0.25, 0.5);
  return driven_start(model, steps, variant, (nsds_event_driven_def){.output_period = 0.005},
                      (falling){0});
}

int main(int argc, char **argv) { return driven_main(argc, argv, build); }
