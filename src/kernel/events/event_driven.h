/* State of the event-driven driver. event_settle.c treats an event. */
#ifndef NSDS_SRC_EVENT_DRIVEN_H
#define NSDS_SRC_EVENT_DRIVEN_H

#include "numerics/ode/ode_internal.h"
#include "numerics/ode/ode.h"
#include "kernel/simulation/simulation.h"
#include "kernel/events/event_rows.h"

#include <nsds/event_driven.h>

#include <float.h>

/* Events closer than this, relative to their time, are at one instant. If several rows let go
 * together, their roots differ by rounding. */
static const double nsds_event_instant = 1e-13;

/* The rows at the start of an integration, or before a step settles its start. A failed
 * step returns to its checkpoint. */
typedef struct nsds_event_checkpoint {
  bool there;
  bool integrates;  /* the integration began here */
  bool resumed;     /* the integration comes from a saved state */
  nsds_versions of; /* of the plan */
  int nrow, nclosed, nparts, nsize;
  uint64_t rearranged; /* nsds_systems::rearranged at that time */
  nsds_row *row;
  int *closed;  /* nclosed rows, then the nparts + 1 bounds of parts */
  double *size; /* of systems, as in nsds_rows_sizes */
  double *turn; /* angles of joints, see nsds_turns_keep() */
  size_t row_capacity, closed_capacity, size_capacity, turn_capacity;
  nsds_rows_facts facts;
  bool uniform;
  double slack, largest;
  nsds_ode_mark ode;
} nsds_event_checkpoint;

/* The integration. */
typedef struct nsds_event_motion {
  nsds_ode *ode;
  int n, nroot; /* sizes of ode */
  /* Elapsed time of the trial state, seen from its side of scheduled events. */
  double elapsed;
  double *x;      /* n: q, then v, as the integration takes or returns them */
  double *struck; /* nv: v before the first impacts of an event, while its flights are judged */
  size_t x_capacity, struck_capacity;
  nsds_status refused; /* last reason why a function was not defined */
} nsds_event_motion;

/* Times of integration, impacts and events are counted from t0, [s], so that a late t0 costs no
 * digits. */
typedef struct nsds_event_times {
  nsds_versions seen; /* of the model at the last accepted state */
  uint64_t called;    /* calls of scheduled events at that state */
  double horizon;     /* due time of the next events at that state */
  double accepted;    /* elapsed time of that state */
  double searched;    /* elapsed time of the last search for contacts */
  int vain;           /* searches at the instant of the one before */
} nsds_event_times;

/* Events that follow each other closely. */
typedef struct nsds_event_crowd {
  double since;      /* elapsed time from which events are counted */
  long count;        /* events since */
  double last;       /* elapsed time of the last nonsmooth event */
  int repeats, near; /* events at exactly this time; within rounding */
} nsds_event_crowd;

/* The driver at the start of a step. */
typedef struct nsds_event_begin {
  bool under_way, searches, resumes, outside;
  int naside; /* rows that waited for the next list, and their versions */
  nsds_versions aside;
  nsds_event_times times;
  nsds_event_crowd crowd;
  long nonsmooth;
} nsds_event_begin;

/* Checkpoints to which a failed step returns, see event_checkpoint.c. */
typedef struct nsds_event_checkpoints {
  nsds_event_checkpoint at[2]; /* at[present]: of the accepted state; the other: of this step */
  int present;
  bool fresh : 1;         /* the checkpoint of this step is there */
  bool half : 1;          /* the other one has the rows between two halves of an event */
  nsds_event_begin begin; /* of this step */
  double *size_accepted;  /* sizes of systems at the accepted state */
  size_t size_accepted_capacity;
} nsds_event_checkpoints;

/* An event whose two halves the program calls one by one. */
typedef struct nsds_event_halves {
  nsds_event_info reported; /* report before the first half */
  bool starts;              /* the event is an impact at the start of the step */
} nsds_event_halves;

/* Windows of time stepping. */
typedef struct nsds_event_windows {
  nsds_simulation *stepping; /* NULL: no window yet */
  double *sum;               /* ny: impulses of a window */
  size_t sum_capacity;
} nsds_event_windows;

/* The integration from step to step.
 *
 *     to           from          where                         because
 *     under way    any           nsds_motion_start()           it begins at the trial state
 *                  packed        nsds_event_go_on()            it has been read, and fits
 *                  failed        nsds_retry_return()           it has been made again
 *                  failed        nsds_checkpoint_accept()      the next step is accepted
 *     failed       under way     nsds_checkpoint_fail()        it has gone ahead of the accepted state
 *     packed       any           nsds_event_resume()           a saved state brings one
 *     none         any           nsds_motion_start(), nsds_retry_return(), nsds_event_go_on(): it
 *                                could not begin, be made again or be read
 *                  any           nsds_window_take(), nsds_event_archive(): the state is another one
 *                  under way     accept_switches(), forget()   behind a corner; an event given up
 *
 * A failed step otherwise leaves what the step before left. `searches` asks the next step to settle
 * its start after a search, with the modes that the rows have. */
typedef enum nsds_event_integration {
  NSDS_INTEGRATION_NONE, /* the next step settles its start */
  /* The next step continues from `going`, unless the program changes the model before. */
  NSDS_INTEGRATION_PACKED,
  NSDS_INTEGRATION_UNDER_WAY, /* modes and integration belong to the state of the model */
  /* A step has failed: the integration goes back to its checkpoint and is made again. */
  NSDS_INTEGRATION_FAILED
} nsds_event_integration;

/* Why an integration has stopped. */
typedef enum nsds_reached {
  NSDS_REACHED_TIME,  /* at the time of the clock */
  NSDS_REACHED_ROOT,  /* a mode ends at the trial state */
  NSDS_REACHED_SEARCH /* contacts may be near that sets have not found */
} nsds_reached;

/* The last past events, in a ring. */
typedef struct nsds_event_past {
  nsds_event_record *record;
  long *step; /* number of accepted steps with each of them */
  int count, next;
} nsds_event_past;

typedef struct nsds_event_driver {
  nsds_simulation base; /* first */
  nsds_event_driven_def def;
  nsds_scheme scheme; /* at an instant: h = 0 */
  nsds_event_rows rows;
  nsds_event_motion motion;
  nsds_event_times times;
  double interval; /* [s] replaces h if h is not given; ticks are finer */
  nsds_event_integration integration;
  nsds_reached reached;
  bool at_corner; /* some function of the model jumps at the time reached */
  bool chatters;  /* this step has met too many events that follow each other closely */
  bool cornered;  /* some function of the model jumps in time */
  bool end_work;  /* there are corners, switches, or functions that look at the end of a step */
  bool settled;   /* rows have settled since the model last showed which contacts are active */
  bool searches;  /* the next step searches contacts, since new ones may be near */
  double t_aim;   /* time that the clock asks for */
  int64_t tick_aim;
  nsds_event_info event;
  nsds_event_row *reported; /* rows of `event` */
  size_t reported_capacity;
  nsds_event_checkpoints checkpoints;
  nsds_event_crowd crowd;
  /* The state to return to. From the first half of an event to its end, this is the state before
   * that half. At other times windows and searches at another time use it. No window begins between
   * two halves. A search may begin a first half, and takes the same state. */
  nsds_saved saved;
  nsds_event_halves halves;
  nsds_event_windows window;
  nsds_solver *impact_solver; /* NULL: the solver of the simulation */
  nsds_event_past past;
  nsds_archive going; /* an integration from a saved state */
} nsds_event_driver;

static inline nsds_event_driver *nsds_event_driver_of(nsds_simulation *sim) {
  return (nsds_event_driver *)(void *)sim;
}

static inline bool nsds_event_under_way(const nsds_event_driver *d) {
  return d->integration == NSDS_INTEGRATION_UNDER_WAY || d->integration == NSDS_INTEGRATION_FAILED;
}

/* Returns true if the program has changed nothing since the last accepted state. */
static inline bool nsds_event_is_current(const nsds_event_driver *d) {
  return !nsds_versions_missed(&d->times.seen, &d->base.model->now, NSDS_NEW_CHANGE) &&
         d->times.called == d->base.queue.called;
}

/* Gives the rows the present solvers. */
static inline void nsds_event_choose_solvers(nsds_event_driver *d) {
  d->rows.solver = d->base.solver;
  d->rows.impact_solver = d->impact_solver ? d->impact_solver : d->base.solver;
}

/* Returns the elapsed time of the accepted state: as reached, unless the clock has been set
 * since. */
static inline double nsds_event_elapsed(const nsds_event_driver *d) {
  double t = d->base.clock.t, t0 = d->base.t0, slack = 4.0 * DBL_EPSILON * fmax(fabs(t), fabs(t0));
  return fabs(t0 + d->times.accepted - t) <= slack ? d->times.accepted : t - t0;
}

/* Returns an interval that is short compared with the run, for counts of events and differences in
 * time. */
static inline double nsds_event_interval(const nsds_event_driver *d) {
  return d->def.output_period > 0.0 ? d->base.clock.h : d->interval;
}

#endif
