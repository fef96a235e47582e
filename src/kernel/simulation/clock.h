/*
 * The clock of a simulation: a grid base + k h, each step of which has nsds_ticks ticks. Times are
 * compared as ticks, so that times meant to be equal are, however they were computed; a time that
 * lies on the grid is the grid's.
 */
#ifndef NSDS_SRC_CLOCK_H
#define NSDS_SRC_CLOCK_H

#include "base.h"

enum { nsds_ticks = 1 << 20 };

typedef struct nsds_clock {
  double base, h; /* the grid */
  double t;       /* now */
  int64_t tick;   /* now, from base */
} nsds_clock;

static const int64_t nsds_never = INT64_MAX / 2;

static inline int64_t nsds_clock_tick(const nsds_clock *clock, double t) {
  double ticks = rint((t - clock->base) / clock->h * nsds_ticks);
  return ticks < (double)nsds_never ? (int64_t)ticks : nsds_never;
}

/* The first grid point after a tick. */
static inline int64_t nsds_clock_next(int64_t tick) { return (tick | (nsds_ticks - 1)) + 1; }

static inline bool nsds_clock_on_grid(int64_t tick) { return (tick & (nsds_ticks - 1)) == 0; }

/* Time of a tick on the grid. */
static inline double nsds_clock_time(const nsds_clock *clock, int64_t tick) {
  return clock->base + (double)tick / nsds_ticks * clock->h; /* exact quotient */
}

/* A new grid from here. */
static inline void nsds_clock_start(nsds_clock *clock, double h) {
  clock->base = clock->t;
  clock->h = h;
  clock->tick = 0;
}

#endif
