/*
 * Events of a simulation: samplers are called periodically, user events once. The queue is a heap
 * ordered by tick, then by creation.
 */
#ifndef NSDS_SRC_QUEUE_H
#define NSDS_SRC_QUEUE_H

#include "kernel/simulation/clock.h"
#include "kernel/modeling/modeling.h"

#include <nsds/simulation.h>

typedef int (*nsds_event_fn)(nsds_simulation *simulation, void *user);

typedef struct nsds_event {
  char name[nsds_name_size];
  const char *kind; /* for messages */
  nsds_event_fn call;
  void *user;
  double first, period; /* period 0: once */
  /* count: calls so far. marked: calls when the queue was marked; -1: already spent. */
  long count, marked;
  bool by_call;   /* added by a function that a step has called */
  bool spent;     /* called, and due again only if a saved state or snapshot returns */
  int64_t tick;   /* next due time */
  uint64_t order; /* of creation */
} nsds_event;

typedef struct nsds_queue {
  nsds_event **heap;
  size_t count, capacity;
  uint64_t called;          /* number of calls so far */
  uint64_t created, marked; /* events with an order below `marked` can be returned to */
  bool keeps;               /* snapshots in memory may return to any event */
  nsds_event **spent;       /* events called that a run can return to */
  size_t nspent, spent_capacity;
} nsds_queue;

/* Adds a copy of *given. The first call is the first one that is not before now. */
nsds_status nsds_queue_add(nsds_context *context, nsds_queue *queue, const nsds_clock *clock,
                           const nsds_event *given);
/* Returns the event due next, or NULL. */
static inline const nsds_event *nsds_queue_next(const nsds_queue *queue) {
  return queue->count > 0 ? queue->heap[0] : NULL;
}
/* Returns event k < count in the order in which events are due. */
const nsds_event *nsds_queue_at(const nsds_queue *queue, size_t k);
/* Returns the time when the event is due [s]. */
double nsds_event_time(const nsds_event *event);
/* Calls all due events, each at the time *t of the model. An event whose function fails stays due. */
nsds_status nsds_queue_run(nsds_simulation *simulation, nsds_context *context, nsds_queue *queue,
                           const nsds_clock *clock, double *t);
/* Marks the state to which nsds_queue_return() goes back. Events called since are then due again.
 * Events added since by calls go, events added by the program stay. nsds_queue_restart() then sets
 * the ticks. */
nsds_status nsds_queue_mark(nsds_context *context, nsds_queue *queue);
/* Returns to the mark. */
void nsds_queue_return(nsds_context *context, nsds_queue *queue);
void nsds_queue_unmark(nsds_context *context, nsds_queue *queue);
/* Keeps all called events from now on, because snapshots in memory may return to them. */
nsds_status nsds_queue_retain(nsds_context *context, nsds_queue *queue);
/* Makes events for which `stays` is true due. The others become spent, or are freed if nothing can
 * return to them. nsds_queue_restart() then restores the order. */
void nsds_queue_keep(nsds_context *context, nsds_queue *queue,
                     bool (*stays)(const void *user, const nsds_event *event), const void *user);
/* Computes the ticks anew after the clock has started another grid. */
void nsds_queue_restart(nsds_queue *queue, const nsds_clock *clock);
/* Returns the shortest period, 0 without samplers. `returning`: only of events that
 * nsds_queue_return() keeps. */
double nsds_queue_shortest(const nsds_queue *queue, bool returning);
void nsds_queue_destroy(nsds_context *context, nsds_queue *queue);

#endif
