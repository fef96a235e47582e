/*
 * A mass on a string, pushed at the bottom so hard that it rises above the hook but not to the top:
 * the string goes slack, the mass flies along a parabola, and the string catches it. Writes
 * position, velocity, tension and impulse of the string.
 *
 *   pendulum_events [FILE.csv]       (default: standard output)
 */
#include "events.h"
#include "output.h"

#include <math.h>

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);
  nsds_model *model = nsds_model_create(NULL);
  string_scene scene = scene_string_pendulum(model, sqrt(4.0 * 9.81), 0.0);
  nsds_simulation *simulation =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 6.0, .output_period = 0.005});

  fprintf(out, "t [s],x [m],z [m],vx [m/s],vz [m/s],slack [m],tension [N],impulse [N s],"
               "energy [J],0: grid; 1: slack; 2: caught [1]\n");
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    const nsds_event_info *event = nsds_simulation_event(simulation);
    const double *q = nsds_q(scene.mass), *v = nsds_v(scene.mass);
    int what = event->kind & NSDS_EVENT_NONSMOOTH ? 1 + event->row[0].closed_after : 0;
    double energy = nsds_kinetic_energy(scene.mass) + 9.81 * (q[1] + 1.0);
    fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%d\n",
            nsds_time(simulation), q[0], q[1], v[0], v[1], nsds_y(scene.string)[0],
            nsds_lambda(scene.string)[0], nsds_impulse(scene.string)[0], energy, what);
  }
  return output_close(out, model, status);
}
