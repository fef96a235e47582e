/* A chain of SIZE masses tied by springs of 1e2 and 1e8 N/m in turn that bounces on the floor, from
 * event to event: the stiff springs would bound the steps of an explicit integrator. */
#include "driven.h"
#include "events.h"

static void *build(const char *size, long steps, const char *variant) {
  nsds_model *model = nsds_model_create(NULL);
  scene_stiff_chain(model, atoi(size), 0.5);
  return driven_agree(driven_start(model, steps, variant,
                                   (nsds_event_driven_def){.output_period = 0.01,
                                                           .relative_tolerance = 1e-8,
                                                           .absolute_tolerance = 1e-11},
                                   (falling){0}),
                      1e-6);
}

int main(int argc, char **argv) { return driven_main(argc, argv, build); }
