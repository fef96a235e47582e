/*
 * A block that stands tilted on one of its two lower corners and is let go, on a floor without
 * friction: it rocks from corner to corner, ever faster, until it stands. Writes the angle, the
 * gaps and forces of both corners.
 *
 *   rocking_block [FILE.csv]       (default: standard output)
 */
#include "events.h"
#include "output.h"

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);
  nsds_model *model = nsds_model_create(NULL);
  block_scene scene = scene_rocking_block(model, 0.15, 0.0);
  nsds_simulation *simulation =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 5.0, .output_period = 0.005});

  fprintf(out, "t [s],angle [rad],angular velocity [rad/s],gap 1 [m],gap 2 [m],force 1 [N],"
               "force 2 [N],impulse 1 [N s],impulse 2 [N s],kinetic energy [J],impact [1]\n");
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    const nsds_event_info *event = nsds_simulation_event(simulation);
    const double *y = nsds_y(scene.corners), *f = nsds_lambda(scene.corners),
                 *p = nsds_impulse(scene.corners);
    fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%d\n",
            nsds_time(simulation), nsds_q(scene.block)[2], nsds_v(scene.block)[2], y[0], y[1], f[0],
            f[1], p[0], p[1], nsds_kinetic_energy(scene.block),
            (event->kind & NSDS_EVENT_IMPACT) != 0);
  }
  return output_close(out, model, status);
}
