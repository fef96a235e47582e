/*
 * Scenes whose motion is compared bit by bit, with a stored table or between two builds.
 */
#ifndef NSDS_TEST_KERNEL_GOLDEN_H
#define NSDS_TEST_KERNEL_GOLDEN_H

#include <nsds/nsds.h>

typedef struct golden {
  const char *name;
  long steps;
  /* Fills the model; errors stay in its context. */
  nsds_simulation *(*make)(nsds_model *model, const struct golden *scene);
  /* Called before each step, from 0 on; may be NULL. */
  nsds_status (*before)(nsds_model *model, nsds_simulation *simulation, long step);
  void (*done)(void);         /* frees what make() took besides the model; may be NULL */
  nsds_time_stepping_def def; /* for scenes that leave the end of the interval to golden_start() */
  bool unstored; /* the last bits depend on the machine's BLAS or libm: not in the table */
  int n;         /* a size or a kind, for make() */
  double p[2];   /* parameters, for make() */
} golden;

/* Starts the simulation of scene->def, to an end that lies behind the last step if it has none. */
nsds_simulation *golden_start(nsds_model *model, const golden *scene);

/* golden_bundled.c: the scenes of the examples and of the other tests. golden_second.c and
 * golden_first.c: those that exist for the sake of this comparison, by the order of their systems.
 */
extern const golden golden_bundled[], golden_second[], golden_first[];
extern const int golden_bundled_count, golden_second_count, golden_first_count;

#endif
