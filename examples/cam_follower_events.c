/*
 * The follower on a cam from event to event, at three speeds of the camshaft, beside time stepping
 * with steps of 0.1 ms: writes a block of rows for each speed. At 660 rpm the motion is chaotic;
 * two more blocks hold the sections of its attractor: the impacts, by the angle of the camshaft,
 * and the states at the start of each turn.
 *
 *   cam_follower_events [FILE.csv [TURNS]]     (default: standard output, 20000)
 */
#include "cam_profile.h"
#include "output.h"
#include "progress.h"
#include "scenes.h"

#include <stdlib.h>

static const double t1 = 2.0; /* s */

static double relative_velocity(const cam_arcs_scene *scene) {
  return nsds_ydot(scene->contact)[0];
}

/* A row at every 0.5 ms and two at every impact. */
static nsds_status time_series(FILE *out, nsds_model *model, double rpm) {
  nsds_model *second = nsds_model_create(nsds_model_context(model));
  cam_arcs_scene scene;
  scene_cam_arcs(model, &scene, rpm);
  cam_scene stepped = scene_cam_rheonomous(second, rpm);
  nsds_simulation *events =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = t1, .output_period = 5e-4});
  nsds_simulation *steps =
      nsds_time_stepping(second, &(nsds_time_stepping_def){.t1 = t1, .h = 1e-4});
  nsds_status status = scene_cam_turn(events, &scene);
  fprintf(out,
          "t [s],cam at %g rpm [m],follower [m],time stepping [m],relative velocity [m/s],"
          "force [N],impulse [N s]\n",
          rpm);
  while (status == NSDS_OK && (status = nsds_step(events)) == NSDS_OK) {
    const nsds_event_info *event = nsds_simulation_event(events);
    double t = nsds_time(events), q = nsds_q(scene.follower)[0], y = nsds_y(scene.contact)[0];
    bool impact = event->kind & NSDS_EVENT_IMPACT;
    while (status == NSDS_OK && nsds_time(steps) < t - 5e-5) status = nsds_step(steps);
    double other = event->kind & NSDS_EVENT_GRID ? nsds_q(stepped.follower)[0] : NAN;
    if (impact)
      fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g,0,0\n", t, q - y, q, other,
              event->row[0].ydot_before);
    fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", t, q - y, q, other,
            relative_velocity(&scene), nsds_lambda(scene.contact)[0],
            nsds_impulse(scene.contact)[0]);
  }
  nsds_model_destroy(second);
  return status;
}

/* Impacts, and states at the start of turns, from the 100th on. */
static nsds_status sections(FILE *out, nsds_model *model, double rpm, double turns) {
  const double turn = 60.0 / rpm, first = 100.0; /* s, turns */
  cam_arcs_scene scene;
  scene_cam_arcs(model, &scene, rpm);
  nsds_simulation *events = nsds_event_driven(
      model, &(nsds_event_driven_def){.t1 = (first + turns) * turn, .output_period = turn});
  nsds_status status = scene_cam_turn(events, &scene);
  fprintf(out, "t [s],angle [rad],gap [m],relative velocity before [m/s],after [m/s],"
               "0: start of a turn; 1: impact [1]\n");
  while (status == NSDS_OK && (status = nsds_step(events)) == NSDS_OK) {
    const nsds_event_info *event = nsds_simulation_event(events);
    bool impact = event->kind & NSDS_EVENT_IMPACT;
    double t = nsds_time(events), after = relative_velocity(&scene);
    if (t < first * turn || !(impact || event->kind & NSDS_EVENT_GRID)) continue;
    fprintf(out, "%.17g,%.9g,%.9g,%.9g,%.9g,%d\n", t, 2.0 * cam_pi * fmod(t / turn, 1.0),
            nsds_y(scene.contact)[0], impact ? event->row[0].ydot_before : after, after, impact);
    progress("cam_follower_events", t / ((first + turns) * turn));
  }
  return status;
}

int main(int argc, char **argv) {
  FILE *out = output_open(argc, argv);
  const double rpm[3] = {358.0, 660.0, 700.0};
  double turns = argc > 2 ? atof(argv[2]) : 20000.0;
  nsds_model *model = NULL;
  nsds_status status = NSDS_END;
  for (int k = 0; k < 4 && status == NSDS_END; ++k) {
    nsds_model_destroy(model);
    model = nsds_model_create(NULL);
    status = k < 3 ? time_series(out, model, rpm[k]) : sections(out, model, rpm[1], turns);
    fprintf(out, "\n\n");
  }
  return output_close(out, model, status);
}
