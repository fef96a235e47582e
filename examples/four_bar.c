/*
 * A four-bar linkage, turned at its crank: the shortest bar goes all the way round (Grashof: it and
 * the longest are together shorter than the other two), the rocker goes to and fro, and a point
 * beside the coupler draws a curve of sixth order. All of it follows from closure of the loop, and
 * the moment at the crank from the energy, M = (dE/dt) / rate; here that of a step.
 *
 *   four_bar [FILE.csv]       (default: standard output)
 *
 * Writes pins and coupler point, how far the point is from where it should be, the moment by the
 * model and by closure, and how far the hinges are off, which the projection leads back.
 */
#include "linkages.h"
#include "output.h"
#include "progress.h"

#include <math.h>

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);
  static four_bar_scene scene;
  nsds_model *model = nsds_model_create(NULL);
  scene_four_bar(model, &scene);
  const double h = 1e-4, turns = 2.0, end = turns * 2.0 * 3.14159265358979323846 / scene.rate;
  nsds_simulation *simulation = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){
          .t1 = end, .h = h, .projection = {.kind = NSDS_PROJECTION_DIRECT, .tolerance = 1e-12}});

  fprintf(out, "t [s],crank x [m],crank y [m],rocker x [m],rocker y [m],point x [m],point y [m],"
               "point off [m],moment [N m],moment by closure [N m],hinges off [m]\n");
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    if (nsds_step_count(simulation) % 20 != 0) continue;
    double t = nsds_time(simulation), off = 0.0;
    const four_bar_state is = scene_four_bar_state(&scene);
    const four_bar_state exact = scene_four_bar_exact(&scene, t);
    const four_bar_state before = scene_four_bar_exact(&scene, t - h);
    for (int k = 0; k < 4; ++k)
      for (int i = 0; i < 2; ++i) off = fmax(off, fabs(nsds_y(scene.hinge[k])[i]));
    fprintf(out, "%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.3g,%.6g,%.6g,%.3g\n", t, is.crank[0],
            is.crank[1], is.rocker[0], is.rocker[1], is.point[0], is.point[1],
            hypot(is.point[0] - exact.point[0], is.point[1] - exact.point[1]),
            nsds_prescribed_force(scene.body[four_bar_crank])[2],
            (exact.energy - before.energy) / (h * scene.rate), off);
    progress("four_bar", t / end);
  }
  return output_close(out, model, status);
}
