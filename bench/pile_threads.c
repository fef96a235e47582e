/*
 * Whole steps of spheres packed as a cubic lattice in a box, each a little off its place and
 * touching its neighbours, three contacts to a sphere; with one thread and with two in turns, and
 * the memory of the whole program by contacts.
 *
 *   pile_threads SPHERES SWEEPS ROUNDS
 *
 * prints contacts, KB per contact (largest resident set), then for each round the milliseconds of a
 * step by the wall clock with one thread and with two, and their ratio. Steps are detection,
 * assembly, so many sweeps by colours, certificates and motion.
 */
#include "bench.h"

#include "packed.h"

#include <sys/resource.h>

enum { settling = 3, steps = 5 };

/* Milliseconds of a step. */
static double time_of(nsds_simulation *s, nsds_context *context, int threads) {
  if (nsds_context_set_threads(context, threads) || nsds_step(s)) return NAN;
  double start = bench_now();
  for (int k = 0; k < steps; ++k)
    if (nsds_step(s)) return NAN;
  return 1e3 * (bench_now() - start) / steps;
}

int main(int argc, char **argv) {
  int n = argc == 4 ? atoi(argv[1]) : 0, sweeps = n > 0 ? atoi(argv[2]) : 0;
  if (n < 1 || sweeps < 1) {
    fprintf(stderr, "usage: %s SPHERES SWEEPS ROUNDS\n", argv[0]);
    return 2;
  }
  nsds_model *model = nsds_model_create(NULL);
  nsds_context *context = nsds_model_context(model);
  packed_scene(model, (int)lround(cbrt(n)));
  nsds_simulation *s = packed_start(model, sweeps);
  bool sound = s != NULL;
  for (int k = 0; sound && k < settling; ++k) sound = nsds_step(s) == NSDS_OK;
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  int contacts = sound ? nsds_simulation_info(s)->active : 0;
  if (sound)
    printf("contacts %d\nmemory %.3g\n", contacts, (double)usage.ru_maxrss / (double)contacts);
  for (int round = 0; sound && round < atoi(argv[3]); ++round) {
    double one = time_of(s, context, 1), two = time_of(s, context, 2);
    sound = isfinite(one + two);
    printf("step %.4g %.4g %.3g\n", one, two, one / two);
  }
  if (!sound) fprintf(stderr, "%s\n", nsds_error_message(context));
  nsds_model_destroy(model);
  return !sound;
}
