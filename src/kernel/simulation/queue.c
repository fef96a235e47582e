/* The queue of events; see queue.h. A binary heap of pointers. */
#include "kernel/simulation/queue.h"

#include "base/context.h"
#include "kernel/simulation/clock.h"

double nsds_event_time(const nsds_event *event) {
  return event->first + (double)event->count * event->period;
}

static bool before(const nsds_event *a, const nsds_event *b) {
  return a->tick != b->tick ? a->tick < b->tick : a->order < b->order;
}

static void queue_exchange(nsds_queue *q, size_t a, size_t b) {
  nsds_event *event = q->heap[a];
  q->heap[a] = q->heap[b];
  q->heap[b] = event;
}

static void queue_rise(nsds_queue *q, size_t k) {
  for (; k > 0 && before(q->heap[k], q->heap[(k - 1) / 2]); k = (k - 1) / 2)
    queue_exchange(q, k, (k - 1) / 2);
}

static void sink(nsds_queue *q, size_t k) {
  for (;;) {
    size_t least = k;
    for (size_t child = 2 * k + 1; child <= 2 * k + 2 && child < q->count; ++child)
      if (before(q->heap[child], q->heap[least])) least = child;
    if (least == k) return;
    queue_exchange(q, k, least);
    k = least;
  }
}

static void set_tick(nsds_event *event, const nsds_clock *clock) {
  event->tick = nsds_clock_tick(clock, nsds_event_time(event));
  if (event->tick < clock->tick) event->tick = clock->tick;
}

nsds_status nsds_queue_add(nsds_context *context, nsds_queue *q, const nsds_clock *clock,
                           const nsds_event *given) {
  nsds_event *event = nsds_copy(context, given, 1, sizeof *given);
  size_t count = q->count + q->nspent + 1; /* spent events may return */
  nsds_status status = event ? nsds_grow(context, &q->heap, &q->capacity, count, sizeof *q->heap)
                             : NSDS_ERROR_MEMORY;
  if (!status && q->keeps)
    status = nsds_grow(context, &q->spent, &q->spent_capacity, count, sizeof *q->spent);
  if (status) {
    nsds_release(context, event);
    return status;
  }
  if (event->period > 0.0) { /* added later: no old samples */
    double past = (clock->t - event->first) / event->period;
    if (past > 0.0) event->count = (long)ceil(past - 1e-6);
  }
  set_tick(event, clock);
  event->order = q->created++;
  q->heap[q->count] = event;
  queue_rise(q, q->count++);
  return NSDS_OK;
}

const nsds_event *nsds_queue_at(const nsds_queue *q, size_t k) {
  const nsds_event *last = NULL;
  for (size_t n = 0; n <= k; ++n) { /* the heap is not sorted */
    const nsds_event *next = NULL;
    for (size_t i = 0; i < q->count; ++i)
      if ((!last || before(last, q->heap[i])) && (!next || before(q->heap[i], next)))
        next = q->heap[i];
    last = next;
  }
  return last;
}

static size_t position(const nsds_queue *q, const nsds_event *event) {
  size_t k = 0;
  while (q->heap[k] != event) ++k;
  return k;
}

/* Ends the calls of an event, until a saved state or snapshot returns to it. */
static void spend(nsds_context *context, nsds_queue *q, nsds_event *event) {
  event->spent = true;
  if (event->order < q->marked || q->keeps) q->spent[q->nspent++] = event;
  else nsds_release(context, event);
}

static void queue_leave(nsds_context *context, nsds_queue *q, size_t k) {
  spend(context, q, q->heap[k]);
  q->heap[k] = q->heap[--q->count];
  if (k == q->count) return;
  sink(q, k);
  queue_rise(q, k);
}

nsds_status nsds_queue_run(nsds_simulation *simulation, nsds_context *context, nsds_queue *q,
                           const nsds_clock *clock, double *t) {
  while (q->count > 0 && q->heap[0]->tick <= clock->tick) {
    nsds_event *event = q->heap[0];
    *t = clock->t; /* another simulation may have moved it */
    ++q->called;
    int code = event->call ? event->call(simulation, event->user) : 0;
    if (code != 0)
      return nsds_fail(context, code < 0 ? NSDS_ERROR_ABORTED : NSDS_ERROR_CALLBACK,
                       "%s '%s' returned %d at t = %.17g (0 is success)", event->kind, event->name,
                       code, clock->t);
    size_t at = q->heap[0] == event ? 0 : position(q, event); /* the call may have added events */
    if (event->period == 0.0) {
      queue_leave(context, q, at);
      continue;
    }
    ++event->count;
    event->tick = nsds_clock_tick(clock, nsds_event_time(event));
    if (event->tick <= clock->tick) event->tick = clock->tick + 1;
    sink(q, at);
  }
  return NSDS_OK;
}

void nsds_queue_restart(nsds_queue *q, const nsds_clock *clock) {
  for (size_t k = 0; k < q->count; ++k) set_tick(q->heap[k], clock);
  for (size_t k = q->count / 2; k-- > 0;) sink(q, k);
}

static void forget_spent(nsds_context *context, nsds_queue *q) {
  while (q->nspent > 0) nsds_release(context, q->spent[--q->nspent]);
}

void nsds_queue_unmark(nsds_context *context, nsds_queue *q) {
  if (!q->keeps) forget_spent(context, q);
  q->marked = 0;
}

nsds_status nsds_queue_retain(nsds_context *context, nsds_queue *q) {
  nsds_status status =
      nsds_grow(context, &q->spent, &q->spent_capacity, q->count + q->nspent, sizeof *q->spent);
  q->keeps = q->keeps || !status;
  return status;
}

void nsds_queue_keep(nsds_context *context, nsds_queue *q,
                     bool (*stays)(const void *user, const nsds_event *event), const void *user) {
  size_t due = 0, count = q->count, spent = 0;
  for (size_t k = 0; k < count; ++k) /* no event leaves while `stays` looks */
    if (stays(user, q->heap[k])) queue_exchange(q, k, due++);
  for (size_t k = 0; k < q->nspent; ++k) {
    nsds_event *event = q->spent[k];
    q->spent[k] = NULL;
    event->spent = !stays(user, event);
    if (event->spent) q->spent[spent++] = event;
    else q->heap[q->count++] = event;
  }
  q->nspent = spent;
  for (size_t k = due; k < count; ++k) spend(context, q, q->heap[k]);
  for (size_t k = count; k < q->count; ++k) q->heap[due++] = q->heap[k];
  q->count = due;
}

nsds_status nsds_queue_mark(nsds_context *context, nsds_queue *q) {
  nsds_queue_unmark(context, q);
  nsds_status status =
      nsds_grow(context, &q->spent, &q->spent_capacity, q->count + q->nspent, sizeof *q->spent);
  if (status) return status;
  for (size_t k = 0; k < q->count; ++k) q->heap[k]->marked = q->heap[k]->count;
  for (size_t k = 0; k < q->nspent; ++k) q->spent[k]->marked = -1;
  q->marked = q->created;
  return NSDS_OK;
}

/* Returns true if a return to the mark keeps the event. */
static bool stays(const nsds_queue *q, const nsds_event *event) {
  return event->order < q->marked || !event->by_call;
}

void nsds_queue_return(nsds_context *context, nsds_queue *q) {
  size_t kept = 0;
  for (size_t k = 0; k < q->count; ++k) {
    nsds_event *event = q->heap[k];
    if (event->order < q->marked) event->count = event->marked;
    if (stays(q, event)) q->heap[kept++] = event;
    else nsds_release(context, event);
  }
  q->count = kept;
  size_t spent = 0, all = q->nspent;
  for (size_t k = 0; k < all; ++k) {
    nsds_event *event = q->spent[k];
    event->spent = event->order >= q->marked || event->marked < 0;
    if (event->spent) q->spent[spent++] = event;
    else q->heap[q->count++] = event;
  }
  q->nspent = spent;
}

double nsds_queue_shortest(const nsds_queue *q, bool returning) {
  double shortest = 0.0;
  for (size_t k = 0; k < q->count; ++k) {
    double period = returning && !stays(q, q->heap[k]) ? 0.0 : q->heap[k]->period;
    if (period > 0.0 && (shortest == 0.0 || period < shortest)) shortest = period;
  }
  return shortest;
}

void nsds_queue_destroy(nsds_context *context, nsds_queue *q) {
  for (size_t k = 0; k < q->count; ++k) nsds_release(context, q->heap[k]);
  forget_spent(context, q);
  nsds_release(context, q->heap);
  nsds_release(context, q->spent);
  *q = (nsds_queue){0};
}
