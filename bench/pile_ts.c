/*
 * SIZE spheres in a box (pile.h), once settled, steps certified to 1e-4 by sweeps of block
 * Gauss-Seidel, which VARIANT threads share; steps that these have not solved are counted on
 * stderr. The fall and the settling are not timed.
 */
#include "pile_scene.h"

static int unsolved;

static void *build(const char *size, long steps, const char *variant) {
  int n = atoi(size);
  int threads = atoi(variant) > 0 ? atoi(variant) : 1;
  if (n < 1) {
    fprintf(stderr, "SIZE is '%s'; it must be the number of spheres\n", size);
    return NULL;
  }
  nsds_model *model = nsds_model_create(NULL);
  pile_scene(model, n);
  if (nsds_context_set_threads(nsds_model_context(model), threads) ||
      pile_settle(model, pile_settled(n), 40.0)) {
    fprintf(stderr, "%s\n", nsds_error_message(nsds_model_context(model)));
    nsds_model_destroy(model);
    return NULL;
  }
  stepping *s = stepping_start(model, steps,
                               (nsds_time_stepping_def){.t0 = pile_settled(n),
                                                        .h = pile_h,
                                                        .tolerance = 1e-4,
                                                        .check_solver = pile_count,
                                                        .check_solver_user = &unsolved});
  if (s) pile_sweep(s->simulation, pile_sweeps);
  return s;
}

static int run(void *self, long steps) {
  const stepping *s = (const stepping *)self;
  for (long k = 0; k < steps; ++k)
    if (nsds_step(s->simulation) != NSDS_OK) {
      fprintf(stderr, "%s\n", nsds_error_message(nsds_model_context(s->model)));
      return 0;
    }
  if (unsolved > 0) fprintf(stderr, "%d of %ld steps are not certified\n", unsolved, steps);
  return 1;
}

int main(int argc, char **argv) {
  const bench_case c = {build, run, stepping_report, stepping_destroy};
  return bench_main(argc, argv, &c);
}
