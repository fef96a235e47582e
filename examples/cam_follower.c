/*
 * A spring-loaded follower on a rotating cam, at three speeds of the camshaft. Each run is made
 * twice: in the frame moving with the cam, where the follower is a linear system whose force comes
 * from a plugin, and in the fixed frame, where the gap is a rheonomous relation u - c(t). The two
 * agree until the motion turns chaotic.
 *
 *   cam_follower [FILE.csv [RPM...]]     (default: standard output, 358 660 700)
 *
 * The plugin is the one that was built with the program.
 */
#include "cam_profile.h"
#include "output.h"
#include "progress.h"
#include "scenes.h"

#include <stdio.h>
#include <stdlib.h>

enum { max_speeds = 8 };

typedef struct run {
  nsds_model *model;
  cam_scene scene;
  nsds_simulation *simulation;
} run;

static const double end = 2.0;

static nsds_simulation *step(nsds_model *model) {
  return nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){.t1 = end, .h = 1e-4, .second_order = nsds_moreau_jean(0.5, 1.0)});
}

/* Advances a run by one step; 1 when done, -1 (with a message) on failure. */
static int advance(run *r) {
  nsds_status status = nsds_step(r->simulation);
  if (status < 0) fprintf(stderr, "%s\n", nsds_error_message(nsds_model_context(r->model)));
  return status < 0 ? -1 : status == NSDS_END;
}

int main(int argc, char **argv) {
  double rpm[max_speeds] = {358.0, 660.0, 700.0};
  int speeds = argc > 2 ? argc - 2 : 3;
  if (speeds > max_speeds) {
    fprintf(stderr, "usage: cam_follower [FILE.csv [RPM...]], at most %d speeds\n", max_speeds);
    return 2;
  }
  for (int s = 0; s < argc - 2; ++s) rpm[s] = atof(argv[s + 2]);
  FILE *out = output_open(argc, argv);

  run forced[max_speeds], fixed[max_speeds];
  fprintf(out, "t [s]");
  for (int s = 0; s < speeds; ++s) {
    forced[s].model = nsds_model_create(NULL);
    forced[s].scene = scene_cam_forced(forced[s].model, rpm[s], CAM_FOLLOWER_PLUGIN);
    forced[s].simulation = step(forced[s].model);
    fixed[s].model = nsds_model_create(NULL);
    fixed[s].scene = scene_cam_rheonomous(fixed[s].model, rpm[s]);
    fixed[s].simulation = step(fixed[s].model);
    fprintf(out,
            ",cam at %g rpm [m],follower at %g rpm [m],rheonomous follower at %g rpm [m],"
            "relative velocity at %g rpm [m/s],impulse at %g rpm [N s]",
            rpm[s], rpm[s], rpm[s], rpm[s], rpm[s]);
  }
  fprintf(out, "\n");
  int done = 0;
  while (!done) {
    for (int s = 0; s < speeds && !done; ++s) {
      done = advance(&forced[s]);
      if (!done) done = advance(&fixed[s]);
    }
    if (done) break;
    double t = nsds_time(forced[0].simulation);
    fprintf(out, "%.17g", t);
    for (int s = 0; s < speeds; ++s) {
      double c = cam_profile(t, rpm[s]).c;
      fprintf(out, ",%.17g,%.17g,%.17g,%.17g,%.17g", c, nsds_q(forced[s].scene.follower)[0] + c,
              nsds_q(fixed[s].scene.follower)[0], nsds_v(forced[s].scene.follower)[0],
              nsds_impulse(forced[s].scene.contact)[0]);
    }
    fprintf(out, "\n");
    progress("cam_follower", t / end);
  }
  for (int s = 0; s < speeds; ++s) {
    nsds_model_destroy(forced[s].model);
    nsds_model_destroy(fixed[s].model);
  }
  return output_end(out) && done > 0 ? 0 : 1;
}
