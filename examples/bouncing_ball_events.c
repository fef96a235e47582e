/*
 * Balls simulated from event to event: one that comes to rest on the floor after infinitely many
 * impacts, one between floor and ceiling, one that lies on the floor from the start. Writes a block
 * for each, with a row for each time of the grid and two, before and after, for each impact.
 *
 *   bouncing_ball_events [FILE.csv]       (default: standard output)
 */
#include "events.h"
#include "output.h"

#include <math.h>

typedef struct motion {
  const char *name;
  double g, q0, v0, ceiling, e, t1; /* m/s^2, m, m/s, m, 1, s */
} motion;

static void row(FILE *out, const nsds_simulation *simulation, const room_scene *scene, double v,
                double impulse) {
  const nsds_event_info *event = nsds_simulation_event(simulation);
  double limit = event->count > 0 ? event->row[0].limit_time : NAN;
  fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", nsds_time(simulation),
          nsds_q(scene->ball)[0], v, impulse, nsds_lambda(scene->floor)[0], limit);
}

static nsds_status simulate(FILE *out, nsds_model *model, const motion *m) {
  room_scene scene = scene_room(model, m->g, m->q0, m->v0, m->ceiling, m->e);
  nsds_simulation *simulation =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = m->t1, .output_period = 0.01});
  nsds_status status;
  fprintf(out,
          "t [s],%s: height [m],velocity [m/s],impulse [N s],force of the floor [N],"
          "limit of a series of impacts [s]\n",
          m->name);
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    double v = nsds_v(scene.ball)[0], p = nsds_impulse(scene.floor)[0];
    if (scene.ceiling) p -= nsds_impulse(scene.ceiling)[0];
    if (p != 0.0) row(out, simulation, &scene, v - p, 0.0); /* of one kilogram */
    row(out, simulation, &scene, v, p);
  }
  return status;
}

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);
  const motion motions[] = {{"dropped", 9.81, 1.0, 0.0, 0.0, 0.8, 5.0},
                            {"below a ceiling", 10.0, 1.0, 10.0, 1.5, 0.8, 8.0},
                            {"at rest", 9.81, 0.0, 0.0, 0.0, 0.8, 1.0}};
  nsds_model *model = NULL;
  nsds_status status = NSDS_END;
  for (int k = 0; k < 3 && status == NSDS_END; ++k) {
    nsds_model_destroy(model);
    model = nsds_model_create(NULL);
    status = simulate(out, model, &motions[k]);
    fprintf(out, "\n\n");
  }
  return output_close(out, model, status);
}
