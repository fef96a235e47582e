/*
 * The pile of pile_ts from the drop until it rests, every step certified to 1e-4 by sweeps, or
 * with "auto" to a tolerance of its own:
 *
 *   pile_fall SPHERES SECONDS [CERTIFIED [auto TOLERANCE]]
 *
 * prints a line for each half of a second from time CERTIFIED on (0 by default; what is before is
 * swept a fixed number of times): time, steps, contacts at the end, milliseconds of the processor a
 * step, those of the longest, iterations a step of the method that answered, steps not certified.
 */
#include "pile_scene.h"

#include <math.h>
#include <string.h>

enum { swept = 40 }; /* times in a step that is not certified */

static const double interval = 0.5; /* [s] */

static double used(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* The steps of an interval; 0 where one failed. */
static int advance(nsds_simulation *s, double end, int *unsolved) {
  double sum = 0.0, longest = 0.0;
  long steps = 0, sweeps = 0;
  for (*unsolved = 0; nsds_time(s) < end - 0.5 * pile_h; ++steps) {
    double begin = used();
    if (nsds_step(s) != NSDS_OK) return 0;
    double seconds = used() - begin;
    sum += seconds;
    longest = fmax(longest, seconds);
    sweeps += nsds_simulation_info(s)->solver.iterations;
  }
  double count = (double)(steps > 0 ? steps : 1);
  printf("%.1f,%ld,%d,%.2f,%.1f,%.0f,%d\n", nsds_time(s), steps, nsds_simulation_info(s)->rows / 3,
         1e3 * sum / count, 1e3 * longest, (double)sweeps / count, *unsolved);
  fflush(stdout);
  return 1;
}

int main(int argc, char **argv) {
  int n = argc > 2 ? atoi(argv[1]) : 0, unsolved = 0, good = 1;
  double end = argc > 2 ? atof(argv[2]) : 0.0, t0 = argc > 3 ? atof(argv[3]) : 0.0;
  bool by_default = argc > 5 && strcmp(argv[4], "auto") == 0;
  double tolerance = by_default ? atof(argv[5]) : 1e-4;
  if (n < 1 || !(end > t0) || !(t0 >= 0.0) || (argc > 4 && !by_default) || !(tolerance > 0.0)) {
    fprintf(stderr, "usage: %s SPHERES SECONDS [CERTIFIED [auto TOLERANCE]]\n", argv[0]);
    return 2;
  }
  nsds_model *model = nsds_model_create(NULL);
  pile_scene(model, n);
  good = t0 == 0.0 || pile_settle(model, t0, swept) == NSDS_OK;
  nsds_simulation *s =
      !good ? NULL
            : nsds_time_stepping(model, &(nsds_time_stepping_def){.t0 = t0,
                                                                  .t1 = end,
                                                                  .h = pile_h,
                                                                  .tolerance = tolerance,
                                                                  .check_solver = pile_count,
                                                                  .check_solver_user = &unsolved});
  if (s && !by_default) pile_sweep(s, pile_sweeps);
  good = s != NULL;
  for (double t = t0; good && t < end - 0.5 * pile_h; t += interval)
    good = advance(s, fmin(t + interval, end), &unsolved);
  if (!good) fprintf(stderr, "%s\n", nsds_error_message(nsds_model_context(model)));
  nsds_model_destroy(model);
  return good ? 0 : 1;
}
