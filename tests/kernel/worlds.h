/*
 * Worlds that between them use every part of the kernel for second-order systems; for tests that do
 * the same to all of them: failing allocations, counting allocations.
 */
#ifndef NSDS_TEST_KERNEL_WORLDS_H
#define NSDS_TEST_KERNEL_WORLDS_H

#include "support.h"

typedef struct world {
  const char *name;
  void (*build)(nsds_model *model); /* errors stay in the model's context */
  double h;                         /* a step that suits it [s] */
  int steps;                        /* in which contacts open and close */
  bool patterns; /* sparse patterns met for the first time are analysed, outside of the hooks */
  bool friction; /* in its laws, which fewer solvers take */
} world;

/* worlds_bodies.c */
void world_bodies(nsds_model *model);
void world_linkage(nsds_model *model);

extern const world worlds[];
extern const int world_count;

#endif
