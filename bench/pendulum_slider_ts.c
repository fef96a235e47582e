/* A pendulum on a slider between two walls: one nonlinear system of three degrees of freedom whose
 * mass depends on q, two or three Newton iterations to a step, one to three contacts. */
#include "stepping.h"

#include "mechanisms.h"

#include <math.h>

static void *build(const char *size, long steps, const char *variant) {
  (void)size, (void)variant;
  nsds_model *model = nsds_model_create(NULL);
  scene_pendulum_slider(model);
  return stepping_start(
      model, steps,
      (nsds_time_stepping_def){
          .h = 1e-3,
          .second_order = nsds_moreau_jean(0.5, 1.0),
          .activation = nsds_activation(1.0, 1e-12),
          .newton = {.residual = 1e-10, .increment = HUGE_VAL, .max_iterations = 200}});
}

int main(int argc, char **argv) { return stepping_main(argc, argv, build); }
