/*
 * Events of a simulation: samplers, which come again and again, and user events, which come once. A
 * heap ordered by tick, then by creation.
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
  long count, marked;   /* times it has been called, and had been when the queue was marked; -1: it
                           was spent by then */
  bool by_call;         /* added by a function that a step has called */
  bool spent;           /* called, and not due again unless something returns to it */
  int64_t tick;         /* when it is due next */
  uint64_t order;       /* of creation */
} nsds_event;

typedef struct nsds_queue {
  nsds_event **heap;
  size_t count, capacity;
  uint64_t called;          /* so many calls so far */
  uint64_t created, marked; /* events with an order below `marked` can be returned to */
  bool keeps;               /* snapshots in memory may return to any event */
  nsds_event **spent;       /* of those that can be returned to, the ones that have been called */
  size_t nspent, spent_capacity;
} nsds_queue;

/* Adds a copy of *given, whose next call is the first not before now. */
nsds_status nsds_queue_add(nsds_context *context, nsds_queue *queue, const nsds_clock *clock,
                           const nsds_event *given);
/* The event due next; NULL without any. */
static inline const nsds_event *nsds_queue_next(const nsds_queue *queue) {
  return queue->count > 0 ? queue->heap[0] : NULL;
}
/* When it is due [s]. */
double nsds_event_time(const nsds_event *event);
/* Calls what is due. An event whose function fails stays due. */
nsds_status nsds_queue_run(nsds_simulation *simulation, nsds_context *context, nsds_queue *queue,
                           const nsds_clock *clock);
/* Notes what nsds_queue_return() goes back to: events called since are due again, those that
 * calls have added since are gone, those that the program has added stay. The ticks are left to
 * nsds_queue_restart(). */
nsds_status nsds_queue_mark(nsds_context *context, nsds_queue *queue);
void nsds_queue_return(nsds_context *context, nsds_queue *queue);
/* There is nothing to go back to any more. */
void nsds_queue_unmark(nsds_context *context, nsds_queue *queue);
/* From now on no event is given up that has been called: snapshots in memory may return to it. */
nsds_status nsds_queue_retain(nsds_context *context, nsds_queue *queue);
/* The events of which `stays` holds are due, the others are spent, or given up where nothing returns
 * to them; the order is left to nsds_queue_restart(). */
void nsds_queue_keep(nsds_context *context, nsds_queue *queue,
                     bool (*stays)(const void *user, const nsds_event *event), const void *user);
/* The ticks anew, after the clock has started another grid. */
void nsds_queue_restart(nsds_queue *queue, const nsds_clock *clock);
/* The shortest period, 0 without samplers; `returning`: of those that nsds_queue_return() leaves. */
double nsds_queue_shortest(const nsds_queue *queue, bool returning);
void nsds_queue_destroy(nsds_context *context, nsds_queue *queue);

#endif
