/*
 * The process's own malloc, counted and failed on request: what the hooks of a context do not see
 * (sparse factorisations, LAPACK). Only with glibc and without sanitizers, which bring their own.
 */
#ifndef NSDS_TEST_KERNEL_INTERPOSE_H
#define NSDS_TEST_KERNEL_INTERPOSE_H

#include <stdbool.h>

typedef struct interposed {
  bool armed;   /* count, and fail */
  long calls;   /* allocations while armed */
  long live;    /* allocations less frees while armed */
  long fail_at; /* call that fails, 0: none */
  bool fail_on; /* and every later one */
  bool failed;
} interposed;

extern interposed interpose;

/* Between the two allocations are counted; where they cannot be, there are none. */
static inline void arm(void) {
#ifdef NSDS_TEST_INTERPOSE
  interpose.calls = 0;
  interpose.armed = true;
#endif
}

static inline long disarm(void) {
#ifdef NSDS_TEST_INTERPOSE
  interpose.armed = false;
  return interpose.calls;
#else
  return 0;
#endif
}

#endif
