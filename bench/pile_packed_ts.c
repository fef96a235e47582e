/*
 * SIZE packed spheres (packed.h): steps of VARIANT sweeps by colours, 20 if it is not given; or, if VARIANT is
 * `certified`, of as many sweeps in order as it takes to certify 1e-4. Our side alone. Unlike a pile that has fallen
 * (pile_ts), it does nearly the same work if a rounding differs.
 */
#include "packed.h"
#include "stepping.h"

#include <string.h>

enum { most_sweeps = 5000 };

static nsds_simulation *certified_start(nsds_model *model) {
  nsds_simulation *s = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){.t1 = 1e9, .h = packed_h, .solver = "nsgs", .tolerance = 1e-4});
  if (s) nsds_solver_set(nsds_simulation_solver(s), "max_iterations", most_sweeps);
  return s;
}

static void *build(const char *size, long steps, const char *variant) {
  (void)steps;
  bool certified = strcmp(variant, "certified") == 0;
  int sweeps = atoi(variant) > 0 ? atoi(variant) : 20;
  stepping *s = (stepping *)malloc(sizeof *s);
  nsds_model *model = nsds_model_create(NULL);
  packed_scene(model, (int)lround(cbrt(atoi(size))));
  nsds_simulation *simulation = certified ? certified_start(model) : packed_start(model, sweeps);
  if (s && simulation) {
    *s = (stepping){model, simulation};
    return s;
  }
  fprintf(stderr, "%s\n", s ? nsds_error_message(nsds_model_context(model)) : "out of memory");
  nsds_model_destroy(model);
  free(s);
  return NULL;
}

int main(int argc, char **argv) { return stepping_main(argc, argv, build); }
