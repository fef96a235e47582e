/*
 * Scenarios that between them cover the public API and both drivers. Each is a story with a name.
 */
#ifndef NSDS_TEST_RELIABILITY_SCENARIOS_H
#define NSDS_TEST_RELIABILITY_SCENARIOS_H

#include "golden/golden.h"
#include "story.h"

/* Tables that end with a row without a name. */
extern const scenario scenarios_stored[], scenarios_stepping[], scenarios_events[],
    scenarios_contacts[], scenarios_own[], scenarios_numerics[], scenarios_jobs[];

/* Number k of all, NULL past the last. */
const scenario *scenario_at(int k);

/* A model and its simulation, with steps to make: makes s->model and s->simulation. A model that is not
 * made is left as it is; the context says why. */
typedef struct play {
  nsds_simulation *(*make)(nsds_model *model);
  /* After the steps; may be NULL. */
  void (*afterwards)(story *s);
} play;

/* Tells the play in self. */
void scenario_play(story *s);

#endif
