/* The event-driven driver's own part; what happens at an event is in event_settle.c. */
#ifndef NSDS_SRC_EVENT_DRIVEN_H
#define NSDS_SRC_EVENT_DRIVEN_H

#include "numerics/ode/ode_internal.h"
#include "numerics/ode/ode.h"
#include "kernel/simulation/simulation.h"
#include "kernel/events/event_rows.h"

#include <nsds/event_driven.h>

#include <float.h>

/* Events this close to each other, by their time, are at one instant: where several rows let go
 * together, each is located within rounding of the others. */
static const double nsds_event_instant = 1e-13;

/* Rows, and where the integration began with them or a settling is about to: a step that fails leads
 * back here. */
typedef struct nsds_event_mark {
  bool there;
  bool integrates;  /* the integration began here, */
  bool resumed;     /* or has come back with a saved state */
  nsds_versions of; /* of the plan */
  int nrow, nclosed, nparts, nsize;
  uint64_t rearranged; /* nsds_systems::rearranged of then */
  nsds_row *row;
  int *closed;  /* nclosed rows, then where nparts parts begin, and end */
  double *size; /* of systems, as of nsds_event_rows */
  size_t row_capacity, closed_capacity, size_capacity;
  nsds_rows_facts facts;
  double largest;
  nsds_ode_mark ode;
} nsds_event_mark;

/* What a driver was like when a step began. */
typedef struct nsds_event_begin {
  bool under_way, searches, resumes, outside;
  int naside; /* rows that waited for the next list, of these versions */
  nsds_versions aside;
  double since, last, horizon, searched;
  long crowd, nonsmooth;
  int repeats, near;
  uint64_t called;
} nsds_event_begin;

/* The integration. */
typedef struct nsds_event_motion {
  nsds_ode *ode;
  int n, nroot; /* its sizes */
  double *x;    /* n: q, then v */
  size_t x_capacity;
  nsds_status refused; /* why the functions were not defined somewhere, the last time */
} nsds_event_motion;

/* Times of the integration, of impacts and of events are counted from t0, [s]: so they keep their
 * digits however late that is. */
typedef struct nsds_event_times {
  nsds_versions seen; /* of the model when a state was accepted last */
  uint64_t called;    /* calls of scheduled events, likewise, */
  double horizon;     /* and when the next ones were due */
  double elapsed; /* of the trial state, which is seen from the side of scheduled events it is on */
  double accepted; /* of the accepted state */
  double searched; /* of the state from which contacts were looked for last */
  double interval; /* where h is not given, what stands for it; the ticks are finer */
} nsds_event_times;

/* What a step that fails goes back to, see event_mark.c. */
typedef struct nsds_event_marks {
  nsds_event_mark mark[2]; /* of the accepted state, mark[marked]; of the step under way */
  int marked;
  bool fresh;             /* the second is there */
  nsds_event_begin begin; /* of the step under way */
  double *size_accepted;  /* of systems, with the accepted state */
  size_t size_accepted_capacity;
} nsds_event_marks;

/* Events that follow each other closely. */
typedef struct nsds_event_crowd {
  double since;      /* they are counted from this elapsed time on */
  long count;        /* so many */
  double last;       /* elapsed time of the last nonsmooth event, */
  int repeats, near; /* and how many there were at it, and within rounding of one another */
  bool chatters;     /* too many, of either kind */
} nsds_event_crowd;

/* An event whose halves are called apart. */
typedef struct nsds_event_halves {
  nsds_saved before;
  nsds_event_info reported; /* before it was met */
  bool starts;              /* it is an impact where the step starts */
} nsds_event_halves;

/* Windows of time stepping. */
typedef struct nsds_event_windows {
  nsds_simulation *stepping; /* NULL: none so far */
  double *sum;               /* ny: impulses of a window */
  size_t sum_capacity;
} nsds_event_windows;

typedef enum nsds_event_integration {
  NSDS_INTEGRATION_NONE,
  NSDS_INTEGRATION_PACKED, /* the next step goes on with `going`, unless something changes before */
  NSDS_INTEGRATION_UNDER_WAY, /* modes and integration are those of the model's state */
  NSDS_INTEGRATION_FAILED /* likewise, but it is to be taken back and made again: a step failed */
} nsds_event_integration;

/* Where an integration has stopped. */
typedef enum nsds_reached {
  NSDS_REACHED_TIME,  /* that of the clock */
  NSDS_REACHED_ROOT,  /* a mode ends at the trial state */
  NSDS_REACHED_SEARCH /* contacts may be near that sets have not found */
} nsds_reached;

typedef struct nsds_event_driver {
  nsds_simulation base; /* first */
  nsds_event_driven_def def;
  nsds_scheme scheme; /* an instant: h = 0 */
  nsds_event_rows rows;
  nsds_event_motion motion;
  nsds_event_times times;
  nsds_event_integration integration;
  nsds_reached reached;
  bool settled;  /* which contacts are active is new, and the model does not say so yet */
  bool searches; /* contacts may be near that sets have not found: the next step looks for them */
  double t_aim;  /* what the clock asks for */
  int64_t tick_aim;
  nsds_event_info event;
  nsds_event_row *row; /* of the last event */
  size_t row_capacity;
  nsds_event_marks marks;
  nsds_event_crowd crowd;
  nsds_event_halves halves;
  nsds_event_windows window;
  nsds_archive going; /* an integration that has come back with a saved state */
} nsds_event_driver;

static inline nsds_event_driver *nsds_event_driver_of(nsds_simulation *sim) {
  return (nsds_event_driver *)(void *)sim;
}

static inline bool nsds_event_under_way(const nsds_event_driver *d) {
  return d->integration == NSDS_INTEGRATION_UNDER_WAY || d->integration == NSDS_INTEGRATION_FAILED;
}

static inline void nsds_event_want_search(nsds_event_driver *d, bool wanted) {
  d->searches = wanted;
}

/* Whether nothing has changed from outside since a state was accepted. */
static inline bool nsds_event_is_current(const nsds_event_driver *d) {
  return !nsds_versions_missed(&d->times.seen, &d->base.model->now, NSDS_NEW_CHANGE) &&
         d->times.called == d->base.queue.called;
}

/* Of the accepted state: as it was reached, unless the clock has been set since. */
static inline double nsds_event_elapsed(const nsds_event_driver *d) {
  double t = d->base.clock.t, t0 = d->base.t0, slack = 4.0 * DBL_EPSILON * fmax(fabs(t), fabs(t0));
  return fabs(t0 + d->times.accepted - t) <= slack ? d->times.accepted : t - t0;
}

/* What is short beside the run, for what is counted and for differences in time. */
static inline double nsds_event_interval(const nsds_event_driver *d) {
  return d->def.output_period > 0.0 ? d->base.clock.h : d->times.interval;
}

#endif
