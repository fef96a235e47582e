/*
 * Newton's cradle of five balls of steel, two of which are drawn aside, by three laws of impact and
 * with balls that deform. Newton's and Poisson's laws know nothing of waves; the distributing law
 * has them. Writes way and velocity of each ball, and the energy. Column 1: 0 Newton, 1 Poisson, 2
 * distributing, 3 elastic balls.
 *
 *   newton_cradle [FILE.csv]       (default: standard output)
 */
#include "cradle.h"
#include "output.h"

#include <math.h>

static double potential(const double *q) {
  double sum = 0.0, weight = cradle_mass * 9.81;
  for (int i = 0; i < cradle_balls; ++i)
    sum += weight * cradle_length * (1.0 - cos(q[i] / cradle_length));
  return sum;
}

static nsds_status swing(FILE *out, nsds_model *model, cradle_law law) {
  nsds_ds *balls = scene_newton_cradle(model, law, 2, 0.06);
  nsds_simulation *simulation = nsds_event_driven(
      model, &(nsds_event_driven_def){.t1 = 4.0, .output_period = 0.01, .largest_step = 2e-3});
  nsds_status status = NSDS_OK;
  for (int k = 0; simulation && status == NSDS_OK; ++k) {
    fprintf(out, "%d,%.17g", law, nsds_time(simulation));
    for (int i = 0; i < cradle_balls; ++i) fprintf(out, ",%.17g", nsds_q(balls)[i]);
    for (int i = 0; i < cradle_balls; ++i) fprintf(out, ",%.17g", nsds_v(balls)[i]);
    fprintf(out, ",%.17g\n", nsds_kinetic_energy(balls) + potential(nsds_q(balls)));
    status = nsds_step(simulation);
  }
  return status;
}

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);
  fprintf(out, "law,t [s]");
  for (int i = 1; i <= cradle_balls; ++i) fprintf(out, ",q%d [m]", i);
  for (int i = 1; i <= cradle_balls; ++i) fprintf(out, ",v%d [m/s]", i);
  fprintf(out, ",energy [J]\n");
  nsds_model *model = NULL;
  nsds_status status = NSDS_END;
  for (int law = 0; law < CRADLE_LAWS && status == NSDS_END; ++law) {
    nsds_model_destroy(model);
    model = nsds_model_create(NULL);
    status = swing(out, model, (cradle_law)law);
  }
  return output_close(out, model, status);
}
