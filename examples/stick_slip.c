/*
 * A block on a moving belt, held by a spring: friction falls with the slip, and the block sticks
 * and slips in turn. Started from rest and from a larger swing, it comes to the same cycle. Writes
 * a block of rows for each.
 *
 *   stick_slip [FILE.csv]       (default: standard output)
 */
#include "events.h"
#include "output.h"

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);
  const belt_def belts[] = {{4.0, 2.0, 0.3, 0.5, 0.5, 0.0}, {4.0, 2.0, 0.3, 0.5, 1.6, 0.0}};
  nsds_model *model = NULL;
  nsds_status status = NSDS_END;
  for (int k = 0; k < 2 && status == NSDS_END; ++k) {
    nsds_model_destroy(model);
    model = nsds_model_create(NULL);
    belt_scene scene = scene_belt(model, &belts[k]);
    nsds_simulation *simulation =
        nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 20.0, .output_period = 0.01});
    fprintf(out, "t [s],position [m],velocity [m/s],slip [m/s],friction [N],event [1]\n");
    while ((status = nsds_step(simulation)) == NSDS_OK)
      fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g,%d\n", nsds_time(simulation),
              nsds_q(scene.block)[0], nsds_v(scene.block)[0], nsds_ydot(scene.friction)[0],
              nsds_lambda(scene.friction)[0],
              (nsds_simulation_event(simulation)->kind & NSDS_EVENT_NONSMOOTH) != 0);
    fprintf(out, "\n\n");
  }
  return output_close(out, model, status);
}
