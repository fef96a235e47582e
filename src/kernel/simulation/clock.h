/*
 * The clock of a simulation: a grid base + k h, each step of which has nsds_ticks ticks. Times are
 * compared as ticks: equal times compare equal, however they were computed. A time on the grid gets
 * the grid's value.
 */
#ifndef NSDS_SRC_CLOCK_H
#define NSDS_SRC_CLOCK_H

#include "base/base.h"

#include <float.h>

enum { nsds_ticks = 1 << 20 };

typedef struct nsds_clock {
  double base, h; /* the grid */
  double t;       /* now */
  int64_t tick;   /* of t, counted from base */
} nsds_clock;

static const int64_t nsds_never = INT64_MAX / 2;

static const double nsds_gridless = 0x1p-30; /* h / whole time for a clock without a grid */

/* Returns the first grid point after a tick. */
static inline int64_t nsds_clock_next(int64_t tick) { return (tick | (nsds_ticks - 1)) + 1; }

static inline bool nsds_clock_on_grid(int64_t tick) { return (tick & (nsds_ticks - 1)) == 0; }

/* Returns the time of a tick on the grid. */
static inline double nsds_clock_time(const nsds_clock *clock, int64_t tick) {
  return clock->base + (double)tick / nsds_ticks * clock->h; /* exact quotient */
}

/* Returns the tick of t. If ticks are finer than the rounding of t, a t within rounding of a grid
 * point gets its tick. */
static inline int64_t nsds_clock_tick(const nsds_clock *clock, double t) {
  double steps = (t - clock->base) / clock->h, ticks = rint(steps * nsds_ticks);
  if (!(ticks < (double)nsds_never)) return nsds_never;
  if (ticks < -(double)nsds_never) return -nsds_never;
  int64_t grid = (int64_t)rint(steps) * nsds_ticks;
  bool there = fabs(t - nsds_clock_time(clock, grid)) <= 4.0 * DBL_EPSILON * fabs(t);
  return there ? grid : (int64_t)ticks;
}

/* Starts a new grid at the present time. */
static inline void nsds_clock_start(nsds_clock *clock, double h) {
  clock->base = clock->t;
  clock->h = h;
  clock->tick = 0;
}

#endif
