/*
 * SIZE spheres in a box (pile.h), once settled, steps certified to 1e-4: sweeps of block
 * Gauss-Seidel, and ADMM where these do not do (pile_insist()); steps that neither has solved are
 * counted on stderr. The fall and the settling are not timed.
 */
#include "pile_scene.h"

static pile_tries tries;

static void *build(const char *size, long steps, const char *variant) {
  int n = atoi(size);
  (void)variant;
  if (n < 1) {
    fprintf(stderr, "SIZE is '%s'; it must be the number of spheres\n", size);
    return NULL;
  }
  nsds_model *model = nsds_model_create(NULL);
  pile_scene(model, n);
  if (pile_settle(model, pile_rest(n), 40.0)) {
    fprintf(stderr, "%s\n", nsds_error_message(nsds_model_context(model)));
    nsds_model_destroy(model);
    return NULL;
  }
  tries = (pile_tries){.now = true}; /* the first step chooses the solver */
  return stepping_start(model, steps,
                        (nsds_time_stepping_def){.t0 = pile_rest(n),
                                                 .h = pile_h,
                                                 .tolerance = 1e-4,
                                                 .check_solver = pile_insist,
                                                 .check_solver_user = &tries});
}

static int run(void *self, long steps) {
  const stepping *s = (const stepping *)self;
  for (long k = 0; k < steps; ++k)
    if (pile_certified_step(s->simulation, &tries) != NSDS_OK) {
      fprintf(stderr, "%s\n", nsds_error_message(nsds_model_context(s->model)));
      return 0;
    }
  if (tries.resolved > 0)
    fprintf(stderr, "%d of %ld steps needed more than sweeps, %d are not certified\n",
            tries.resolved, steps, tries.unsolved);
  return 1;
}

int main(int argc, char **argv) {
  const bench_case c = {build, run, stepping_report, stepping_destroy};
  return bench_main(argc, argv, &c);
}
