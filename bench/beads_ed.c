/* SIZE beads dropped on the floor one above the other, from event to event: 436 impacts of 10 beads
 * in 400 times of the grid, no two at once. */
#include "driven.h"
#include "scenes.h"

static void *build(const char *size, long steps, const char *variant) {
  static bead_scene scene;
  const falling watched = {
      .n = atoi(size), .radius = 0.1, .bottom = 1.0, .pitch = 0.25, .e = 0.95, .h = 0.005};
  if (watched.n < 1 || watched.n > parabolas_most) return NULL;
  nsds_model *model = nsds_model_create(NULL);
  scene_bead_column(model, &scene, watched.n, watched.radius, watched.bottom, watched.pitch,
                    watched.e);
  return driven_start(model, steps, variant,
                      (nsds_event_driven_def){.output_period = watched.h,
                                              .relative_tolerance = 1e-12,
                                              .absolute_tolerance = 1e-13},
                      watched);
}

int main(int argc, char **argv) { return driven_main(argc, argv, build); }
