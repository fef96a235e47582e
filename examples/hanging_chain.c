/*
 * A chain of links on ball joints, hung at both ends and let go as two straight halves. Drag brings
 * it to rest, and then the forces in its joints are those of the polygon that balances: the same
 * horizontal part H everywhere, vertically the weight between the joint and the middle. Many short
 * links hang as the catenary.
 *
 *   hanging_chain [FILE.csv]       (default: standard output)
 *
 * Writes the lowest joint and how far joints are off over time; then shapes at some times, the last
 * of them at rest, beside the polygon; then the forces in the joints beside those of the polygon.
 */
#include "linkages.h"
#include "output.h"
#include "progress.h"

#include <math.h>

enum { links = 24, shapes = 6 };

static const double h = 2e-3, shape_at[shapes] = {0.0, 0.2, 0.4, 0.6, 0.8, 12.0};

static hanging_scene chain;

static void row(FILE *out, double t) {
  double lowest = 0.0, off = 0.0;
  for (int k = 0; k <= links; ++k) {
    double x[3];
    scene_hanging_joint(&chain, k, x);
    lowest = fmin(lowest, x[2]);
    for (int i = 0; i < 3; ++i) off = fmax(off, fabs(nsds_y(chain.joint[k])[i]));
  }
  fprintf(out, "%.6g,%.9g,%.3g\n", t, lowest, off);
}

/* Force of joint k on the link to its right, of the last one on the link to its left. */
static void write_forces(FILE *out, double H) {
  fprintf(out, "\n\njoint,Fx [N],Fz [N],Fx of the polygon [N],Fz of the polygon [N]\n");
  for (int k = 0; k <= links; ++k) {
    const double *F = nsds_lambda(chain.joint[k]);
    double side = k < links ? 1.0 : -1.0, weight = chain.mass * 9.81;
    fprintf(out, "%d,%.9g,%.9g,%.9g,%.9g\n", k, F[0], F[2], -side * H,
            side * (0.5 * links - k) * weight);
  }
}

int main(int argc, char **argv) {
  static double shape[shapes][links + 1][3], exact[chain_most + 1][2];
  FILE *out = output_open(argc, argv);
  nsds_model *model = nsds_model_create(NULL);
  scene_hanging_chain(model, &chain, links, 1.2);
  const double end = shape_at[shapes - 1];
  nsds_simulation *simulation = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){
          .t1 = end, .h = h, .projection = {.kind = NSDS_PROJECTION_DIRECT, .tolerance = 1e-11}});

  fprintf(out, "t [s],lowest joint [m],joints off [m]\n");
  nsds_status status = NSDS_OK;
  for (int s = 0; status == NSDS_OK;) {
    double t = nsds_time(simulation);
    if (nsds_step_count(simulation) % 10 == 0) row(out, t);
    if (s < shapes && t >= shape_at[s] - 0.5 * h) {
      for (int k = 0; k <= links; ++k) scene_hanging_joint(&chain, k, shape[s][k]);
      ++s;
    }
    progress("hanging_chain", t / end);
    status = nsds_step(simulation);
  }
  double H = scene_hanging_exact(&chain, exact);
  fprintf(out, "\n\n");
  for (int s = 0; s < shapes; ++s) fprintf(out, "x at %g s [m],z [m],", shape_at[s]);
  fprintf(out, "x of the polygon [m],z [m]\n");
  for (int k = 0; k <= links; ++k) {
    for (int s = 0; s < shapes; ++s) fprintf(out, "%.9g,%.9g,", shape[s][k][0], shape[s][k][2]);
    fprintf(out, "%.9g,%.9g\n", exact[k][0], exact[k][1]);
  }
  write_forces(out, H);
  return output_close(out, model, status);
}
