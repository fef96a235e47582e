/*
 * A campaign tells scenarios with faults, each in a process of its own: what crashes or hangs is counted
 * and named, and the campaign goes on behind it.
 *
 *   PROGRAM                       a part of the points of every scenario, the same ones each time
 *   PROGRAM --all [NAME...]       every point, of these scenarios
 *   PROGRAM --list                names of scenarios
 *   PROGRAM --one NAME KIND AT    one point, with what it has come to
 *
 * The last line says what was counted; the status is 1 where there is a finding.
 */
#ifndef NSDS_TEST_RELIABILITY_CAMPAIGN_H
#define NSDS_TEST_RELIABILITY_CAMPAIGN_H

#include "scenarios.h"

typedef struct campaign {
  const char *name;   /* first word of the line */
  const char *points; /* what is counted */
  int kinds;          /* faults of each point */
  /* The fault of a point, and the text of its kind. */
  fault (*fault_of)(int kind, long at);
  const char *(*text_of)(int kind);
  /* Points of a scenario in the quick part, of each kind. */
  long quick;
} campaign;

int campaign_main(const campaign *c, int argc, char **argv);

#endif
