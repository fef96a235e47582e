/*
 * A woodpecker toy descends its pole, event by event: the sleeve falls, its lower edge catches, the
 * bird swings down and back, the upper edge catches, the beak strikes the pole and frees it.
 *
 *   woodpecker [FILE.csv]       (default: standard output)
 */
#include "events.h"
#include "output.h"

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);
  nsds_model *model = nsds_model_create(NULL);
  woodpecker_scene scene = scene_woodpecker(model);
  nsds_simulation *simulation =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0, .output_period = 5e-4});
  fprintf(out, "t [s],height [m],tilt of the sleeve [rad],tilt of the bird [rad],"
               "speed [m/s],rate of the sleeve [rad/s],rate of the bird [rad/s],"
               "beak [N],lower edge [N],upper edge [N],impact [1]\n");
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    const double *q = nsds_q(scene.toy), *v = nsds_v(scene.toy);
    fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%d\n",
            nsds_time(simulation), q[0], q[1], q[2], v[0], v[1], v[2], nsds_lambda(scene.beak)[0],
            nsds_lambda(scene.lower)[0], nsds_lambda(scene.upper)[0],
            (nsds_simulation_event(simulation)->kind & NSDS_EVENT_IMPACT) != 0);
  }
  return output_close(out, model, status);
}
