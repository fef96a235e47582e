/*
 * How the cam follower moves, over the speed of the camshaft: the velocities after its impacts once
 * it has settled down, for many speeds, each simulated from event to event.
 *
 *   cam_sweep [-n SPEEDS] [-r FROM:TO] [-t TURNS] [-j PROCESSES] FILE.csv
 *
 *   -n SPEEDS     how many; default 800
 *   -r FROM:TO    between which [rpm]; default 350:750
 *   -t TURNS      of the camshaft before the first impact that is written, and half as many until
 *                 the last; default 200
 *   -j PROCESSES  default: one for each core
 *
 * A sweep that was killed goes on where it was when it is called again. The file does not depend on
 * that, nor on the number of processes. The program cam_sweep_mpi, which is there where MPI is, is
 * the same under mpirun: mpirun -n 8 cam_sweep_mpi FILE.csv
 */
#define _POSIX_C_SOURCE 200809L
#include "cam_profile.h"
#include "scenes.h"
#include "sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct speeds {
  int count, turns;
  double from, to; /* rpm */
} speeds;

/* Rows of the impacts from `first` [s] on; the length of the text, or -1 where it did not fit. */
static long impacts(const cam_arcs_scene *scene, nsds_simulation *events, double first,
                    nsds_status *status, char *text) {
  long length = 0;
  while ((*status = nsds_step(events)) == NSDS_OK) {
    const nsds_event_info *event = nsds_simulation_event(events);
    double t = nsds_time(events), turn = 60.0 / scene->rpm;
    if (!(event->kind & NSDS_EVENT_IMPACT) || t < first) continue;
    int n = snprintf(text + length, (size_t)(sweep_longest - length), "%.6f,%.9g,%.9g,%.9g\n",
                     scene->rpm, 2.0 * cam_pi * fmod(t / turn, 1.0), event->row[0].ydot_before,
                     event->row[0].ydot_after);
    if (n < 0 || n >= sweep_longest - length) break; /* a series of impacts: enough are there */
    length += n;
  }
  return length;
}

static long compute(int index, char *text, void *user) {
  const speeds *all = user;
  double part = all->count > 1 ? (double)index / (all->count - 1) : 0.0;
  double rpm = all->from + (all->to - all->from) * part, turn = 60.0 / rpm;
  nsds_model *model = nsds_model_create(NULL);
  cam_arcs_scene scene;
  scene_cam_arcs(model, &scene, rpm);
  nsds_simulation *events =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.5 * all->turns * turn});
  nsds_status status = scene_cam_turn(events, &scene);
  long length = status ? 0 : impacts(&scene, events, all->turns * turn, &status, text);
  if (status < 0)
    fprintf(stderr, "%g rpm: %s\n", rpm, nsds_error_message(nsds_model_context(model)));
  nsds_model_destroy(model);
  return status < 0 ? -1 : length;
}

static int usage(void) {
  fprintf(stderr, "usage: cam_sweep [-n SPEEDS] [-r FROM:TO] [-t TURNS] [-j PROCESSES] FILE.csv\n");
  return 2;
}

int main(int argc, char **argv) {
  speeds all = {.count = 800, .turns = 200, .from = 350.0, .to = 750.0};
  int option, processes = 0;
  while ((option = getopt(argc, argv, "n:r:t:j:")) != -1) {
    if (option == 'n') all.count = atoi(optarg);
    else if (option == 't') all.turns = atoi(optarg);
    else if (option == 'j') processes = atoi(optarg);
    else if (option != 'r' || sscanf(optarg, "%lf:%lf", &all.from, &all.to) != 2) return usage();
  }
  if (optind != argc - 1 || all.count < 1 || all.turns < 1 || !(all.from > 0.0) ||
      !(all.to >= all.from))
    return usage();
  char key[200];
  snprintf(key, sizeof key, "cam follower: %d speeds from %.17g to %.17g rpm, %d turns", all.count,
           all.from, all.to, all.turns);
  const sweep s = {.file = argv[optind],
                   .head = "camshaft [rpm],angle [rad],relative velocity before the impact [m/s],"
                           "after the impact [m/s]",
                   .key = key,
                   .name = "cam_sweep",
                   .count = all.count,
                   .compute = compute,
                   .user = &all};
#ifdef SWEEP_MPI
  (void)processes;
  return sweep_mpi(&s);
#else
  return sweep_processes(&s, processes);
#endif
}
