/* The event-driven driver's own part; what happens at an event is in event_settle.c. */
#ifndef NSDS_SRC_EVENT_DRIVEN_H
#define NSDS_SRC_EVENT_DRIVEN_H

#include "ode.h"
#include "simulation.h"
#include "event_rows.h"

#include <nsds/event_driven.h>

#include <float.h>

/* Rows, and where the integration began with them or a settling is about to: a step that fails leads
 * back here. */
typedef struct nsds_event_mark {
  bool there;
  bool integrates; /* the integration began here, */
  bool resumed;    /* or has come back with a saved state */
  uint64_t topology, detections;
  int nrow, nclosed, nparts, nsize;
  nsds_row *row;
  int *closed;  /* nclosed rows, then where nparts parts begin, and end */
  double *size; /* of systems, as of nsds_smooth */
  size_t row_capacity, closed_capacity, size_capacity;
  bool loaded, shared, constant, uniform;
  double slack, largest;
  nsds_ode_mark ode;
} nsds_event_mark;

/* What a driver was like when a step began. */
typedef struct nsds_event_begin {
  bool under_way, searches, resumes, outside;
  int naside; /* rows that waited for the next list, of this graph */
  uint64_t aside_topology;
  double since, last, horizon, searched;
  long crowd, nonsmooth;
  int repeats, near;
  uint64_t called;
} nsds_event_begin;

typedef struct nsds_event_driver {
  nsds_simulation base; /* first */
  nsds_event_driven_def def;
  nsds_scheme scheme; /* an instant: h = 0 */
  nsds_smooth smooth;
  nsds_ode *ode;
  int n, nroot; /* its sizes */
  double *x;    /* n: q, then v */
  size_t x_capacity;
  bool under_way;  /* modes and integration are those of the model's state */
  uint64_t seen;   /* model->change when it was accepted last */
  uint64_t called; /* calls of scheduled events, likewise, */
  double horizon;  /* and when the next ones were due */
  /* Times of the integration, of impacts and of events are counted from t0, [s]: so they keep their
   * digits however late that is. */
  double elapsed; /* of the trial state, which is seen from the side of scheduled events it is on */
  double accepted;         /* of the accepted state */
  nsds_event_mark mark[2]; /* of the accepted state, mark[marked]; of the step under way */
  int marked;
  bool fresh;   /* the second is there */
  bool returns; /* a step has failed: the integration is to be taken back and made again */
  nsds_event_begin begin; /* of the step under way */
  double *size_accepted;  /* of systems, with the accepted state */
  size_t size_accepted_capacity;
  nsds_event_info event;
  nsds_event_row *row; /* of the last event */
  size_t row_capacity;
  nsds_status refused; /* why the functions were not defined somewhere, the last time */
  bool settled;        /* which contacts are active is new, and the model does not say so yet */
  bool at_root;        /* the trial state is where a mode ends */
  bool searches;       /* contacts may be near that sets have not found */
  double searched;     /* elapsed time of the state from which they were looked for last */
  double t_aim;        /* what the clock asks for */
  int64_t tick_aim;
  nsds_saved before;         /* an event whose halves are called apart */
  nsds_event_info reported;  /* before it was met */
  bool starts;               /* it is an impact where the step starts */
  double interval;           /* where h is not given, what stands for it; the ticks are finer */
  double since;              /* events are counted from this elapsed time on */
  long crowd;                /* so many */
  double last;               /* elapsed time of the last nonsmooth event, */
  int repeats, near;         /* and how many there were at it, and within rounding of one another */
  bool chatters;             /* too many, of either kind */
  nsds_archive going;        /* an integration that the next step is to go on with, */
  bool resumes;              /* so it is, unless something changes before */
  nsds_simulation *stepping; /* of windows of time stepping; NULL: none so far */
  double *window_sum;        /* ny: impulses of a window */
  size_t window_sum_capacity;
} nsds_event_driver;

static inline nsds_event_driver *nsds_event_driver_of(nsds_simulation *sim) {
  return (nsds_event_driver *)(void *)sim;
}

/* Of the accepted state: as it was reached, unless the clock has been set since. */
static inline double nsds_event_elapsed(const nsds_event_driver *d) {
  double t = d->base.clock.t, t0 = d->base.t0, slack = 4.0 * DBL_EPSILON * fmax(fabs(t), fabs(t0));
  return fabs(t0 + d->accepted - t) <= slack ? d->accepted : t - t0;
}

/* What is short beside the run, for what is counted and for differences in time. */
static inline double nsds_event_interval(const nsds_event_driver *d) {
  return d->def.h > 0.0 ? d->base.clock.h : d->interval;
}

/* event_step.c: the operations of the driver */
nsds_status nsds_event_advance(nsds_simulation *sim, double t_next, double h);
nsds_status nsds_event_pass_window(nsds_simulation *sim, double length, int steps);
nsds_status nsds_event_pass_to(nsds_simulation *sim);
nsds_status nsds_event_pass_through(nsds_simulation *sim);
void nsds_event_give_up(nsds_simulation *sim);

/* event_archive.c: what is saved; the next step goes on with the integration that has come back, unless
 * something changes before. Does so, where it can. */
void nsds_event_archive(nsds_simulation *sim, nsds_archive *a);
void nsds_event_resume(nsds_simulation *sim, bool same);
nsds_status nsds_event_go_on(nsds_event_driver *d);
/* The same integration once more, for rows that are listed; false where it cannot. */
bool nsds_event_go_back(nsds_event_driver *d);
/* event_step.c: whether the integration under way is that of the model as it is. */
bool nsds_event_untouched(const nsds_event_driver *d);

/* event_motion.c: the trial state from x; from d->x, with quaternions of length 1, at time t; these; plan, rows and sizes for the model as it is, contacts of sets
 * among them where they are to be searched; the integration begins at the trial state; marks the
 * rows whose mode ends there; the start of a run, after changes from `outside` and searches. */
void nsds_motion_take(nsds_event_driver *d, double elapsed, const double *x);
void nsds_motion_arrive(nsds_event_driver *d, double elapsed, double t);
void nsds_motion_straighten(const nsds_event_driver *d, double *q);
nsds_status nsds_motion_renew(nsds_event_driver *d, bool search);
nsds_status nsds_motion_start(nsds_event_driver *d);
/* The integration goes on with what `ode` reads, at the accepted state. */
void nsds_motion_continue(nsds_event_driver *d, nsds_archive *ode);
bool nsds_motion_mark(nsds_event_driver *d);
/* Whether nothing has happened at the last root but that joints have drifted; but that bodies have
 * come so far that contacts may be near that sets have not found. */
bool nsds_motion_drifts(const nsds_event_driver *d);
bool nsds_motion_strays(const nsds_event_driver *d);
/* The right-hand side holds until then, where something `scheduled` may change it. */
void nsds_motion_limit(nsds_event_driver *d, double horizon, bool scheduled);
nsds_status nsds_motion_settle(nsds_event_driver *d, bool outside, bool *impact);

/* Functions that are watched, for the rows as they are. */
void nsds_motion_watch(nsds_event_driver *d);

/* event_retry.c: room for marks of the rows as they are; a mark of them, of a start of the integration or
 * before one is settled; the accepted state goes on from the mark of this step. */
nsds_status nsds_retry_reserve(nsds_event_driver *d);
void nsds_retry_mark(nsds_event_driver *d, nsds_event_mark *mark, bool integrates);
void nsds_retry_accept(nsds_event_driver *d);
/* A step begins; is about to settle its start where that is called for; has failed: all is as when it began, but for the integration, which is made again
 * from its start to the accepted state by the last of these. */
void nsds_retry_begin(nsds_event_driver *d);
void nsds_retry_note(nsds_event_driver *d);
void nsds_retry_fail(nsds_event_driver *d);
nsds_status nsds_retry_return(nsds_event_driver *d);
void nsds_retry_destroy(nsds_event_driver *d);

/* event_window.c: memory for windows, of steps of about this length; from the accepted state to the time
 * `end`, after which the simulation settles anew. */
nsds_status nsds_window_reserve(nsds_event_driver *d, double step);
nsds_status nsds_window_take(nsds_event_driver *d, double end, int steps);
void nsds_window_destroy(nsds_event_driver *d);

/* event_settle.c: the event at the trial state, whose rows have been marked; velocities after it, modes,
 * and the report. With `outside` the program may have changed the model before. */
nsds_status nsds_settle(nsds_event_driver *d, bool outside, bool *impact);
/* Which contacts are active since, into the model. */
void nsds_settle_show(nsds_event_driver *d);
/* reactions.c: of the trial state. */
nsds_status nsds_find_reactions(nsds_smooth *s);

#endif
