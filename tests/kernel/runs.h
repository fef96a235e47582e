/*
 * Runs of every kind, of both drivers, to save, go on from and damage: scenes of the examples,
 * contact sets, joints, circuits, samplers and events.
 */
#ifndef NSDS_TEST_RUNS_H
#define NSDS_TEST_RUNS_H

#include <nsds/nsds.h>

typedef struct run_scene {
  const char *name;
  int steps;
  nsds_simulation *(*make)(nsds_model *model);
  bool words;      /* one of those whose snapshots are altered word by word */
  bool parameters; /* events change parameters, which stay as they are when a state is restored */
} run_scene;

/* NULL past the last. */
const run_scene *run_scene_at(int k);

#endif
