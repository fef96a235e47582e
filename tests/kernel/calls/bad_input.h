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
  nsds_ds *solid, *flat; /* rigid bodies in space and in the plane */
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

/* The tables end with a row without a name. */
extern const misuse misuses_of_nulls[], misuses_of_systems[], misuses_of_relations[],
    misuses_of_running[], misuses_of_bodies[], misuses_of_sets[];

/* A row is X(name, STATUS, W(words), call); the call yields a status. */
#define W(...) __VA_ARGS__
#define FUNCTION(name, status, words, ...)                                                         \
  static nsds_status name(bench *b) {                                                              \
    (void)b;                                                                                       \
    return __VA_ARGS__;                                                                            \
  }
#define ORPHAN(name, status, words, ...) {#name, name, NSDS_ERROR_##status, true, {words}},
#define OWNED(name, status, words, ...) {#name, name, NSDS_ERROR_##status, false, {words}},

/* What a constructor gave: success, or the error its context holds. */
static inline nsds_status made(const bench *b, const void *object) {
  return object ? NSDS_OK : nsds_error(b->context);
}

#endif
