/*
 * Wrong uses of the library as a table: one call per row, the status it must give and words its
 * message must contain. See bad_input.c for what is checked beyond that.
 */
#ifndef NSDS_TEST_KERNEL_BAD_INPUT_H
#define NSDS_TEST_KERNEL_BAD_INPUT_H

#include "support.h"

/* A sound model with a running simulation, and things of another model. */
typedef struct bench {
  nsds_context *context;
  nsds_model *model;
  nsds_ds *ball, *spare; /* of one and two degrees of freedom; ball has one parameter */
  nsds_relation *gap, *needs_z;
  nsds_law *impact;
  nsds_interaction *floor;
  nsds_simulation *simulation;
  nsds_model *other;
  nsds_ds *other_ball;
  nsds_relation *other_gap;
  nsds_law *other_law;
} bench;

typedef struct misuse {
  const char *name;
  nsds_status (*commit)(bench *b);
  nsds_status expected;
  bool orphan; /* there is no object from which a context could be reached */
  const char *words[4];
} misuse;

extern const misuse misuses[];
extern const int misuse_count;

#endif
