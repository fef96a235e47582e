/* A chain of SIZE links that swings onto a slope: as many nonlinear systems, nonlinear relations
 * between neighbours that carry load all the time, and contacts that close towards the end. */
#include "stepping.h"

#include "mechanisms.h"

static void *build(const char *size, long steps, const char *variant) {
  (void)variant;
  nsds_model *model = nsds_model_create(NULL);
  chain_scene scene = scene_chain(model, atoi(size));
  chain_free(&scene);
  return stepping_start(
      model, steps,
      (nsds_time_stepping_def){
          .h = 1e-3,
          .second_order = nsds_moreau_jean(0.5, 1.0),
          .newton = {.residual = 1e-13, .increment = 1e-8, .max_iterations = 200}});
}

int main(int argc, char **argv) { return stepping_main(argc, argv, build); }
