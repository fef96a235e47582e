/* A bouncing ball from event to event: the cost of an event where there is little to compute. 1700
 * times of the grid bring 44 impacts, and end shortly before the ball comes to rest. */
#include "driven.h"
#include "scenes.h"

static void *build(const char *size, long steps, const char *variant) {
  (void)size;
  const falling watched = {.n = 1, .bottom = 1.0, .e = 0.9, .h = 0.005};
  nsds_model *model = nsds_model_create(NULL);
  scene_bouncing_ball(model, 1.0, watched.radius, watched.bottom, watched.e);
  return driven_start(model, steps, variant,
                      (nsds_event_driven_def){.output_period = watched.h,
                                              .relative_tolerance = 1e-12,
                                              .absolute_tolerance = 1e-13},
                      watched);
}

int main(int argc, char **argv) { return driven_main(argc, argv, build); }
