/*
 * The break of a game of pool, event-driven: contacts are found as balls come near, every collision
 * is located, and balls slide on the cloth until they roll. Writes places and speeds of all balls, and
 * the energy.
 *
 *   billiards [FILE.csv]       (default: standard output)
 */
#include "billiards.h"
#include "output.h"

#include <math.h>

static void row(FILE *out, nsds_simulation *simulation, const billiards *t) {
  double energy = 0.0;
  fprintf(out, "%.17g", nsds_time(simulation));
  for (int i = 0; i < billiard_balls; ++i) {
    const double *q = nsds_q(t->ball[i]), *v = nsds_v(t->ball[i]);
    fprintf(out, ",%.17g,%.17g,%.17g", q[0], q[1], hypot(v[0], v[1]));
    energy += nsds_kinetic_energy(t->ball[i]);
  }
  fprintf(out, ",%.17g\n", energy);
}

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);
  fprintf(out, "t [s]");
  for (int i = 0; i < billiard_balls; ++i) fprintf(out, ",x%d [m],y%d [m],speed%d [m/s]", i, i, i);
  fprintf(out, ",energy [J]\n");
  nsds_model *model = nsds_model_create(NULL);
  billiards table = scene_billiards(model, 8.0, 0.01);
  nsds_simulation *simulation =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 2.5, .output_period = 0.005});
  nsds_status status = simulation ? NSDS_OK : NSDS_ERROR_ARGUMENT;
  while (status == NSDS_OK) {
    row(out, simulation, &table);
    status = nsds_step(simulation);
  }
  return output_close(out, model, status);
}
