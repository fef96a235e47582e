/*
 * Filippov's centre from event to event, through infinitely many changes of the relays before half
 * a second, and by time stepping with 5 ms. Writes a block of rows for each.
 *
 *   filippov_events [FILE.csv]       (default: standard output)
 */
#include "output.h"
#include "switching.h"

#include <math.h>

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);
  nsds_model *model = NULL;
  nsds_status status = NSDS_END;
  for (int k = 0; k < 2 && status == NSDS_END; ++k) {
    nsds_model_destroy(model);
    model = nsds_model_create(NULL);
    relay_scene scene = scene_filippov(model, 0.3, 0.7);
    const double t1 = 0.7, h = 5e-3; /* s */
    nsds_simulation *simulation =
        k == 0 ? nsds_event_driven(model, &(nsds_event_driven_def){.t1 = t1, .output_period = h})
               : nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = t1, .h = h});
    fprintf(out, "t [s],x1 [1],x2 [1],|x1| + |x2| [1],%s\n",
            k == 0 ? "event-driven: nonsmooth event [1]" : "time stepping: none [1]");
    while ((status = nsds_step(simulation)) == NSDS_OK) {
      const double *x = nsds_x(scene.system);
      const nsds_event_info *event = nsds_simulation_event(simulation);
      fprintf(out, "%.17g,%.17g,%.17g,%.17g,%d\n", nsds_time(simulation), x[0], x[1],
              fabs(x[0]) + fabs(x[1]), event && event->kind & NSDS_EVENT_NONSMOOTH ? 1 : 0);
    }
    fprintf(out, "\n\n");
  }
  return output_close(out, model, status);
}
